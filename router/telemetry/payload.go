package telemetry

import (
	"fmt"
	"slices"

	"github.com/rs/zerolog"
)

// Payload is the detail of a stage. The set is closed: Received, Classify, Plan, AskUser, Confirm,
// ToolCall, Respond, Failure and Job. Names in payloads are those of the agent's definition (params,
// intents, tools, step and response ids), never what a user or a tool said.
type Payload interface {
	stage() Stage
	zerolog.LogObjectMarshaler
}

// Memory is how much a session remembers: a count and the names of the known params.
type Memory struct {
	HistoryCount int64    // active messages
	ParamsKeys   []string // names of the params that have a value, sorted
}

// NewMemory describes a session by its number of active messages and the names of its params; it keeps
// no values. A param that is nil counts as unknown.
func NewMemory(history int64, params map[string]any) Memory {
	keys := make([]string, 0, len(params))
	for name, value := range params {
		if value != nil {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	return Memory{HistoryCount: history, ParamsKeys: keys}
}

// Received is the payload when a message has arrived and its session is loaded.
type Received struct {
	Memory          Memory
	WaitingForParam string // name of the param that was asked for; "" none
	TextLength      int    // code points of the message
	Replayed        bool   // this interaction was answered before: its stored reply is returned
	Recovering      int    // journal rows of a crashed turn that this one recovers first
	HandOver        string // take, answer or give_back: what a person does; held: a person has the conversation; "" else
}

// Classify is the payload when a message has been classified.
type Classify struct {
	Intent     string   // "" when nothing matched
	Confidence float64  // [0,1]
	Exact      bool     // the message is one of the intent's examples
	Lead       string   // word of the message's lead (affirm, deny, correct, ...); "" none
	Tier       string   // the classifier that decided: linear or llm; given: structured input
	Fallback   string   // why a model server did not decide although it should: one of message.Fallback; "" else
	Ranking    []Ranked // best first
	Params     []FoundParam
	Chosen     []Reading // the chosen interpretations, in order
	RunnersUp  []Reading // the other interpretations, best first
	Unheard    int       // parts of the message that Chosen does not explain
}

// Reading is one interpretation of a message and its evidence.
type Reading struct {
	Rule     string // the rule that proposed it
	Intent   string // of the task that it is about; "" none
	Score    float64
	Evidence float64
	Share    float64 // of the message that it explains, [0,1]
	Spans    []Span
}

// String returns the reading in one line: the rule, the intent, and the score.
func (r *Reading) String() string {
	about := ""
	if r.Intent != "" {
		about = " of " + r.Intent
	}
	return fmt.Sprintf("%s%s (%.2f)", r.Rule, about, r.Score)
}

// Span is a part of the message. Start and End count code points, End exclusive.
type Span struct{ Start, End int }

// Ranked is one candidate of a classification.
type Ranked struct {
	Intent     string
	Confidence float64 // [0,1]
}

// FoundParam is where a value stands in the message, not what it is. Start and End count code points,
// End exclusive.
type FoundParam struct {
	Param      string // "" for an option of a question that fills no param
	Source     string // the recogniser: pattern, bare, enum, builtin, option, tagger, llm, text, given
	Start, End int
}

// Plan is the payload of a decision about the next step.
type Plan struct {
	Step   string // the planner's word: ask, choose, offer, confirm, call, respond, generate, set, handoff, fault or end
	StepID string // "" for a step that stands in no plan
	Intent string // of the step's frame; "" none
	Depth  int    // suspended frames below it
}

// AskUser is the payload of a question.
type AskUser struct {
	Param           string // "" for a question that fills no param
	Kind            string // ask, choose or offer (A or B?)
	Attempt         int    // 1 for the first time
	WaitingForParam string // what the session waits for from now on; "" none
}

// Confirm is the payload of a request for confirmation.
type Confirm struct {
	Tool    string // the write tool that waits for it; "" when it guards none
	StepID  string
	Attempt int // 1 for the first time
}

// ToolCall is the payload of a finished call, including its retries.
type ToolCall struct {
	Tool       string
	Effect     string // read or write
	Status     string // ok, error, unknown or replayed
	ErrorCode  string // of an error; written as "other" unless it looks like a code
	Attempts   int    // 0 when the journal had the outcome already
	Journalled bool
}

// Respond is the payload of a committed turn.
type Respond struct {
	Memory          Memory
	WaitingForParam string   // "" none
	Outcome         string   // the resting state: waiting or responded
	Response        []string // ids of the responses that the reply is made of
	Handoff         bool
	Steps           int // plan steps that the turn performed
	ReplyLength     int // code points of the reply
}

// Failure is the payload of stage error: a turn, a tier or a sink that failed.
type Failure struct {
	Code    string   // written as "other" unless it looks like a code
	Stage   string   // where it happened: a stage, a tier or a component
	Message Scrubbed // never holds a param value
}

// Job is the payload of finished background work.
type Job struct {
	Kind    string // summarize, archive, index, ...
	Attempt int    // 1 for the first time
	Outcome string // done, failed, replaced, ...
}

func (Received) stage() Stage { return StageReceived }
func (Classify) stage() Stage { return StageClassify }
func (Plan) stage() Stage     { return StagePlan }
func (AskUser) stage() Stage  { return StageAskUser }
func (Confirm) stage() Stage  { return StageConfirm }
func (ToolCall) stage() Stage { return StageToolCall }
func (Respond) stage() Stage  { return StageRespond }
func (Failure) stage() Stage  { return StageError }
func (Job) stage() Stage      { return StageJob }
