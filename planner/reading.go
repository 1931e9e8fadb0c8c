package planner

// reading is one way to understand a message: what it explains, its evidence, and what it would do.
// Rules propose readings; the arbiter weighs them.
type reading struct {
	Rule     string // that proposes it
	Intent   string // of the message, for the reply; "": that of the task under way
	clauses  set    // that it explains
	around   set    // those of them that it only tolerates: stories, courtesy
	values   set    // that it uses
	evidence float64
	score    float64 // the arbiter's
	kind     kind
	perform  func(*interpreter)
	param    string // that it fills, of a command; "": what the values say
	title    string // for the question which reading is meant; "": never asked
}

// kind says what a reading does with the dialogue. It decides what may stand beside it.
type kind uint8

const (
	kindUnknown  kind = iota
	kindCourtesy      // answers a greeting, thanks, a word about the bot
	kindHold          // leaves the question open
	kindAnswer        // fills, corrects or retracts params of the task under way
	kindYes
	kindNo
	kindChoice // picks an option
	kindStop   // ends the task under way
	kindMore   // queues more of the same
	kindAside  // is answered in passing; the task under way does not change
	kindTask   // begins a task
	kindMeta   // repeats, explains, hands over, starts over
)

// beside lists the kinds that may join a reading of a kind if they explain other clauses of the
// message. Any other would undo it, or make the result depend on the order.
var beside = map[kind]map[kind]bool{
	kindYes:    {kindAside: true, kindMore: true, kindTask: true},
	kindNo:     {kindAside: true, kindTask: true},
	kindStop:   {kindAside: true, kindTask: true},
	kindAnswer: {kindAside: true, kindTask: true, kindMore: true},
	kindChoice: {kindAside: true, kindTask: true},
	kindAside:  {kindAside: true},
	kindMore:   {kindAside: true},
	kindTask:   {kindAside: true},
	kindHold:   {kindAside: true},
}

// least is the evidence that a reading of a kind needs to be performed. What changes or ends
// something needs more than what asks or tells.
var least = map[kind]float64{
	kindYes: 0.55, kindNo: 0.45, kindStop: 0.5, kindTask: 0.3, kindMore: 0.5, kindAnswer: 0.3, kindChoice: 0.5,
	kindHold: 0.45, kindAside: 0.3, kindCourtesy: 0.5, kindMeta: 0.5,
}
