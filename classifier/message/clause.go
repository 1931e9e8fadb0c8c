package message

// Clause is one stretch of a message that does one thing: "yes", "and where is O-2?",
// "because I moved". Offsets count code points of Input.Text, end exclusive.
type Clause struct {
	Start, End int
	Join       string // the word that joins it to the clause before, in lower case: and, but, because, if, or ...; ""
	Mark       rune   // the punctuation that ends it: '?', '.', ',' ...; 0: none
	Acts       Acts
	Stock      string  // intent of which the clause is, to the word, a stock phrase; ""
	Ranking    []Score // the agent's tasks alone, best first; at most 5
}

// Act is the part that a clause plays in a conversation, independent of the agent.
type Act uint8

// The acts. They are written by name where they leave the process: append, never reorder.
const (
	ActYes       Act = iota // agrees: "yep", "please do", "that's right"
	ActNo                   // refuses what was proposed: "nope", "I'd rather not"
	ActHold                 // wants time: "one sec", "not sure", "let me think", "wait"
	ActQuestion             // wants to be told something: "what does that cost", "is it safe"
	ActUnknown              // does not have what is asked for: "I don't know", "I lost it"
	ActRefuse               // will not say: "I'm not telling you", "that's private"
	ActCorrect              // says that something was wrong or is to be another: "actually", "I meant", "wrong street"
	ActAdd                  // one more of the same: "and O-2 too", "the other one as well"
	ActChoose               // points at what was offered: "the second one", "both", "neither", "the other"
	ActSame                 // what it was before: "the same as last time", "as before"
	ActTold                 // says that it was said already: "I just told you"
	ActStop                 // wants an end of what is under way: "never mind", "forget it"
	ActRequest              // wants something to be done: "cancel my order", "can you book a table"
	ActState                // tells how things are: "my speaker is broken", "I live in Boston"
	ActGreet                // "hi there"
	ActThanks               // "thanks a lot"
	ActBye                  // "see you"
	ActPraise               // "great job"
	ActAnger                // "this is ridiculous", insults
	ActSmalltalk            // about the bot or nothing: "how are you", "who made you", "nice weather"
	ActRepeat               // "say that again"
	ActHelp                 // "why do you need that", "I don't understand"
	ActAbout                // "what can you do"
	ActSkip                 // "skip that", "pass"
	ActHuman                // "get me a person"
	ActResume               // "try again", "where were we"
	ActReset                // "start over"
	ActOutcome              // asks how the last thing went: "did it work", "is it done"
	ActUndo                 // "undo that"
	NumActs                 // how many there are
)

// Acts is how sure it is that a clause does each of the acts, each in [0,1]. A clause may do
// several, so they do not add up to 1.
type Acts [NumActs]float32

// Best is the surest act, and how sure it is.
func (a *Acts) Best() (Act, float32) {
	best := Act(0)
	for i := range a {
		if a[i] > a[best] {
			best = Act(i)
		}
	}
	return best, a[best]
}

var actNames = [NumActs]string{
	"yes", "no", "hold", "question", "unknown", "refuse", "correct", "add", "choose", "same", "told", "stop",
	"request", "state", "greet", "thanks", "bye", "praise", "anger", "smalltalk", "repeat", "help", "about",
	"skip", "human", "resume", "reset", "outcome", "undo",
}

// String is the act's name in figures, traces and files.
func (a Act) String() string {
	if a >= NumActs {
		return "none"
	}
	return actNames[a]
}

// ParseAct finds an act by its name.
func ParseAct(name string) (Act, bool) {
	for i, n := range actNames {
		if n == name {
			return Act(i), true
		}
	}
	return NumActs, false
}
