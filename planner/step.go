package planner

import "github.com/slotway/slotway/config"

// Step tells the router what to do next. The types of this file are all the steps.
type Step interface {
	// Kind is the step's name in telemetry.
	Kind() string
	// StepID is the plan step that it comes from, or "".
	StepID() string
	// BadPaths are the paths in the step's texts and arguments that lead nowhere.
	BadPaths() []string
	place() position
}

// position is where in the plan a step stands.
type position struct {
	ID       string          // id of the plan step; "" for a step that the rules add
	Ends     bool            // the frame ends after this step
	whole    bool            // with Ends: so do its callers
	badPaths []string        // paths in its texts and arguments that lead nowhere
	marks    map[string]mark // of the plan steps that were passed over before it
	agenda   bool            // from the agenda, not from the plan
}

// StepID returns the id of the plan step.
func (p position) StepID() string { return p.ID }

// BadPaths returns the paths in the step's texts and arguments that lead nowhere.
func (p position) BadPaths() []string { return p.badPaths }

func (p position) place() position { return p }

// AskUser asks for a param; the turn rests until it is answered.
type AskUser struct {
	position
	Param   string
	Prompt  string
	Attempt int // re-asks so far
}

// Choose asks for one of several values.
type Choose struct {
	position
	Param   string // "" when an intent is being chosen
	Prompt  string
	Options []Option
	Attempt int
	kind    questionKind
	behind  *openQuestion // the question that waits meanwhile
	brought brought       // what each offered task could take from the message
	said    string        // the text that may answer it
}

// Confirm asks for a yes before write calls.
type Confirm struct {
	position
	Tool    string
	Prompt  string
	Hash    string // of all covered calls and their arguments
	Attempt int
}

// Offer asks a yes-or-no question of the dialogue itself: hand over? go on?
type Offer struct {
	position
	Prompt  string
	Options []Option
	kind    questionKind
	correct string // askCorrect: the param
}

// ToolCall runs a tool. Validates names the param that the call checks, or is "".
type ToolCall struct {
	position
	Tool      string
	Args      map[string]any
	Effect    config.Effect
	Save      string
	Validates string
	Try       int // earlier tries that certainly had no effect
}

// Respond says something. Repeat asks for the last reply again.
type Respond struct {
	position
	Response string // id, for telemetry and the choice of the variant
	Text     string
	Repeat   bool
	counts   bool // the response has variants
}

// Generate asks a model for text. Else is the response without one.
type Generate struct {
	position
	Instruction string
	Else        Respond
}

// Set writes values.
type Set struct {
	position
	Values map[string]any
	skip   string // a param that is skipped instead
	narrow string // saved list that is reduced to the chosen element
	chosen any
}

// Run begins a sub-task. The planner itself carries it out.
type Run struct {
	position
	Intent string
	values map[string]any // by param of the sub-task
	list   string         // the list of objects that it is an element of
}

// Handoff gives the conversation to people.
type Handoff struct {
	position
	Queue string
	Text  string
}

// End ends the active frame if Ends is set, and the plan may go on with another. Otherwise it ends
// the turn.
type End struct{ position }

// Fault ends a frame whose plan cannot go on as it is defined.
type Fault struct {
	position
	Code string // condition_failed or unconfirmed_write
	Text string // what to tell the user
}

// Kind returns "ask".
func (AskUser) Kind() string { return "ask" }

// Kind returns "choose".
func (Choose) Kind() string { return "choose" }

// Kind returns "confirm".
func (Confirm) Kind() string { return "confirm" }

// Kind returns "offer".
func (Offer) Kind() string { return "offer" }

// Kind returns "call".
func (ToolCall) Kind() string { return "call" }

// Kind returns "respond".
func (Respond) Kind() string { return "respond" }

// Kind returns "generate".
func (Generate) Kind() string { return "generate" }

// Kind returns "set".
func (Set) Kind() string { return "set" }

// Kind returns "run".
func (Run) Kind() string { return "run" }

// Kind returns "handoff".
func (Handoff) Kind() string { return "handoff" }

// Kind returns "fault".
func (Fault) Kind() string { return "fault" }

// Kind returns "end".
func (End) Kind() string { return "end" }
