package planner

// act is the part that a clause plays in a conversation, independent of the agent.
type act uint8

// The acts are those of package classifier, in the same order. router/words_test.go checks that.
const (
	actYes       act = iota // agrees: "yep", "please do", "that's right"
	actNo                   // refuses what was proposed: "nope", "I'd rather not"
	actHold                 // wants time: "one sec", "not sure", "let me think", "wait"
	actQuestion             // wants to be told something: "what does that cost", "is it safe"
	actUnknown              // does not have what is asked for: "I don't know", "I lost it"
	actRefuse               // will not say: "I'm not telling you", "that's private"
	actCorrect              // says that something was wrong or is to be another: "actually", "I meant", "wrong street"
	actAdd                  // one more of the same: "and O-2 too", "the other one as well"
	actChoose               // points at what was offered: "the second one", "both", "neither", "the other"
	actSame                 // what it was before: "the same as last time", "as before"
	actTold                 // says that it was said already: "I just told you"
	actStop                 // wants an end of what is under way: "never mind", "forget it"
	actRequest              // wants something to be done: "cancel my order", "can you book a table"
	actState                // tells how things are: "my speaker is broken", "I live in Boston"
	actGreet                // "hi there"
	actThanks               // "thanks a lot"
	actBye                  // "see you"
	actPraise               // "great job"
	actAnger                // "this is ridiculous", insults
	actSmalltalk            // about the bot or nothing: "how are you", "who made you", "nice weather"
	actRepeat               // "say that again"
	actHelp                 // "why do you need that", "I don't understand"
	actAbout                // "what can you do"
	actSkip                 // "skip that", "pass"
	actHuman                // "get me a person"
	actResume               // "try again", "where were we"
	actReset                // "start over"
	actOutcome              // asks how the last thing went: "did it work", "is it done"
	actUndo                 // "undo that"
	numActs                 // the number of acts
)

// Acts holds the probability of each act, in [0,1]. A clause may do several things, so they do not
// add up to 1.
type Acts [numActs]float32

var actNames = [numActs]string{
	"yes", "no", "hold", "question", "unknown", "refuse", "correct", "add", "choose", "same", "told", "stop",
	"request", "state", "greet", "thanks", "bye", "praise", "anger", "smalltalk", "repeat", "help", "about",
	"skip", "human", "resume", "reset", "outcome", "undo",
}

// String returns the act's name in rules, figures and files.
func (a act) String() string {
	if a >= numActs {
		return "none"
	}
	return actNames[a]
}

// ActNames returns the names of the acts, in their order.
func ActNames() []string { return actNames[:] }

// Cues are hints around a value in a message about what the value is for.
type Cues uint16

// The cues are those of package classifier, in the same order.
const (
	cueLabel     Cues = 1 << iota // a word of its param's label or name: "quantity 3", "my zip is 73301"
	cueUnit                       // the unit that its param counts: "3 pizzas", "two people"
	cueRole                       // words that announce this param among several of its type: "from Boston"
	cueCorrect                    // a correction before or behind it: actually, instead, make it, sorry, I meant, should be
	cueAdd                        // an addition: "and X too", "also X", "X as well"
	cueNegated                    // denied: "not X", "isn't X", "anything but X"
	cueRemove                     // taken off: "without X", "no X", "except X"
	cueCondition                  // under a condition or a choice: "if X", "unless X", "X or Y"
	cueAsked                      // inside a question: "is X in stock?"
)

// Has reports whether all of the given cues are set.
func (c Cues) Has(some Cues) bool { return c&some == some }

// Any reports whether at least one of the given cues is set.
func (c Cues) Any(some Cues) bool { return c&some != 0 }

// CueNames returns the names of the cues, in the order of their bits.
func CueNames() []string {
	return []string{"label", "unit", "role", "correct", "add", "negated", "remove", "condition", "asked"}
}
