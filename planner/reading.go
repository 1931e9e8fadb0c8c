package planner

// Reading is one way to take a message: what it explains, what speaks for it, and what it
// would do. A rule proposes readings and performs none; the arbiter weighs them.
type reading struct {
	Rule     string // the rule that proposes it
	Intent   string // what the reply says the message was taken for; "": the task under way
	clauses  set    // that it explains
	around   set    // of those, the ones that it only leaves room for: stories, courtesy
	values   set    // that it uses
	evidence float64
	score    float64 // the arbiter's
	kind     kind
	perform  func(*interpreter)
	title    string // how it is put where it is asked about; "": it is not
}

// kind says what a reading does with the dialogue, and so what may stand beside it.
type kind uint8

const (
	kindUnknown  kind = iota
	kindCourtesy      // answers a greeting, thanks, a word about the bot
	kindHold          // leaves the question open
	kindAnswer        // fills, corrects or takes back params of the task under way
	kindYes
	kindNo
	kindChoice // picks what was offered
	kindStop   // ends the task under way
	kindMore   // queues more of the same
	kindAside  // is answered in passing, and leaves what is under way as it is
	kindTask   // begins a task
	kindMeta   // repeats, explains, hands over, begins anew
)

// beside lists what a reading of a kind may be joined by, when it explains other clauses of the
// same message. What is not listed would undo it, or make its outcome a matter of order.
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

// least is the evidence that a reading of a kind needs to be performed at all. What changes or
// ends something needs more than what asks or tells.
var least = map[kind]float64{
	kindYes: 0.55, kindNo: 0.45, kindStop: 0.5, kindTask: 0.3, kindMore: 0.5, kindAnswer: 0.3, kindChoice: 0.5,
	kindHold: 0.45, kindAside: 0.3, kindCourtesy: 0.5, kindMeta: 0.5,
}
