package message

// Command is one thing that a message may say in answer to what is open, with its probability. The
// reader of question and message weighs every command that the state allows; the planner decides.
type Command struct {
	Do     Do
	Any    bool    // Start, AskTask, Choose: some task or option is meant, whichever it is
	Task   string  // Start, AskTask
	Param  string  // Set, Add, Remove, Correct
	Option int     // Choose: the position among the options
	Value  Value   // Set, Add, Remove
	P      float64 // in [0,1]
}

// Do says what a command does. The order is that in which the reader was trained.
type Do uint8

// The commands.
const (
	DoYes Do = iota // and nothing else, where a yes confirms something
	DoNo
	DoHold
	DoStop
	DoHuman
	DoHelp
	DoRepeat
	DoUndo
	DoResume
	DoCourtesy
	DoOutOfScope
	DoUnclear
	DoStart
	DoSet
	DoAdd
	DoRemove
	DoCorrect
	DoChoose
	DoAskHelp   // why, or what the open question means
	DoAskResult // about what has just been told or done
	DoAskOther
	DoAskTask
	NumDo = int(iota)
)

var doNames = [NumDo]string{
	"yes", "no", "hold", "stop", "human", "help", "repeat", "undo", "resume", "courtesy", "out_of_scope", "unclear",
	"start", "set", "add", "remove", "correct", "choose", "ask_help", "ask_result", "ask_other", "ask_task",
}

// String returns the name of a command.
func (d Do) String() string { return doNames[d] }
