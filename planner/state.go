package planner

import (
	"maps"
	"time"

	"github.com/slotway/slotway/config"
)

// State is everything that the dialogue rules store about a session. [Turn] holds what belongs to
// one message.
type State struct {
	Active    *frame                `json:"active,omitempty"`
	Suspended []*frame              `json:"suspended,omitempty"` // oldest first; the last is resumed first
	Session   map[string]*paramCell `json:"session,omitempty"`   // params that outlive their plan
	Open      *openQuestion         `json:"open,omitempty"`      // nil: none
	Unclear   int                   `json:"unclear,omitempty"`   // rounds of "A or B?" without an answer
	Last      string                `json:"last,omitempty"`      // intent of the task finished last, for "and O-2?"
	Said      map[string]int        `json:"said,omitempty"`      // uses of each response with variants
	Ended     *endedTask            `json:"ended,omitempty"`     // the task finished last
	Declined  *declinedConfirm      `json:"declined,omitempty"`  // the confirmation declined last, while the no can be taken back
	Offered   *offeredChoice        `json:"offered,omitempty"`   // options of the last choice
	Recent    map[string]any        `json:"recent,omitempty"`    // values of finished tasks, for "the same as before"
	Halves    map[string]any        `json:"halves,omitempty"`    // by param: the date of a date and time whose time is missing
	Handled   []handledMessage      `json:"spent,omitempty"`     // messages whose turn was lost but whose calls were made, newest last
	Version   string                `json:"version,omitempty"`   // config.Agent.Hash of the definition that the state fits
	Outcomes  *turnOutcomes         `json:"outcomes,omitempty"`  // what the turn that saved the state has decided
	Left      int64                 `json:"turn,omitempty"`      // number of the turn that saved the state; see Stands
	Quiet     int64                 `json:"quiet,omitempty"`     // first of the newest turns that have said nothing to the user; 0: the newest has
	Person    *HandOver             `json:"person,omitempty"`    // the conversation is with people, or is to be; nil: neither
}

// frame is one task: an intent with its plan under way.
type frame struct {
	ID          string                `json:"id"`      // unique in the session
	Intent      string                `json:"intent"`  //
	Version     string                `json:"version"` // config.Agent.Hash that it was last run with
	Params      map[string]*paramCell `json:"params,omitempty"`
	Results     map[string]any        `json:"results,omitempty"`     // saved results and what `set` wrote
	Done        map[string]mark       `json:"done,omitempty"`        // by step id
	Confirmed   map[string]string     `json:"confirmed,omitempty"`   // by id of a write call: the confirmed hash
	ConfirmedAt time.Time             `json:"confirmed_at,omitzero"` // of the last yes
	Attempts    map[string]int        `json:"attempts,omitempty"`    // failed attempts, by param or confirm step
	Tries       map[string]int        `json:"tries,omitempty"`       // by callHash: failures that certainly had no effect
	Unknown     bool                  `json:"unknown,omitempty"`     // it is unknown whether a write was made
	Broken      bool                  `json:"broken,omitempty"`      // a write failed for certain
	Skipped     []string              `json:"skipped,omitempty"`     // params passed over
	Refused     []int                 `json:"refused,omitempty"`     // one_of groups the user cannot fill
	Failed      string                `json:"failed,omitempty"`      // id of the call that failed; the plan waits for "try again"
	Answer      bool                  `json:"answer,omitempty"`      // an answer in passing: it ends without a word
	Standalone  bool                  `json:"alone,omitempty"`       // begun with no task under way: no other task goes on after it unasked
	Doubtful    bool                  `json:"doubtful,omitempty"`    // begun with low evidence, and no question has named it yet
	Led         int64                 `json:"led,omitempty"`         // turn whose question named the doubtful task
	Queued      bool                  `json:"queued,omitempty"`      // not begun yet: it starts without "back to"
	Kept        map[string]*paramCell `json:"kept,omitempty"`        // while suspended, or while a sub-task runs: its session params
	Lacked      []string              `json:"lacked,omitempty"`      // while suspended: the session params without a value
	Parked      map[string]*paramCell `json:"parked,omitempty"`      // session params of other tasks, until this one ends
	Caller      *frame                `json:"caller,omitempty"`      // the task that runs this one as a part of it; nil: none
	RunBy       string                `json:"run_by,omitempty"`      // the caller's run step
	List        string                `json:"list,omitempty"`        // the caller's list of objects that this frame is an element of
	Lists       map[string]*listState `json:"lists,omitempty"`       // its own lists of objects
	Wanted      []string              `json:"wanted,omitempty"`      // optional params that are asked for, since what was said for them was refused or unclear
	Runs        map[string]int        `json:"runs,omitempty"`        // by run step: how many sub-tasks it has begun
	Early       map[string]*paramCell `json:"early,omitempty"`       // what the user has said for sub-tasks that have not begun
}

// mark says how a plan step was left.
type mark string

const (
	markDone   mark = "done"
	markWrote  mark = "wrote"  // a write that was made; it stays
	markPassed mark = "passed" // its condition did not hold when the plan reached it
	markElse   mark = "else"   // a block whose condition did not hold: its else steps run
	markThen   mark = "then"   // a block whose condition held
)

// paramCell is a param's value with its history.
type paramCell struct {
	Value   any       `json:"value,omitempty"` // JSON-normal
	Turn    int64     `json:"turn"`            // when it was given
	At      time.Time `json:"at"`
	Source  string    `json:"source,omitempty"`  // config.Sources or the extractor's
	Checked bool      `json:"checked,omitempty"` // its validation tool has accepted it
	Prior   any       `json:"prior,omitempty"`   // what a correction replaced, until the new value is accepted
}

// questionKind is the kind of answer that a question waits for.
type questionKind string

// The kinds of open question. They are stored: append, never rename.
const (
	askParam     questionKind = "ask"
	askChoice    questionKind = "choose"
	askConfirm   questionKind = "confirm"
	askIntent    questionKind = "clarify" // "A or B?"
	askChange    questionKind = "change"  // after a no: what should be different?
	askHandoff   questionKind = "handoff" // shall I get a colleague?
	askResumeOne questionKind = "resume"  // shall we go on with the suspended task?
	askCorrect   questionKind = "correct" // shall a value be replaced? (policy.correction: confirm)
)

// openQuestion is the open question of a session.
type openQuestion struct {
	Kind    questionKind  `json:"kind"`
	Param   string        `json:"param,omitempty"`   // askParam, askChoice
	Step    string        `json:"step,omitempty"`    // askChoice, askConfirm: the plan step
	Tool    string        `json:"tool,omitempty"`    // askConfirm: the first write call
	Hash    string        `json:"hash,omitempty"`    // askConfirm: of the calls and their arguments
	Again   bool          `json:"again,omitempty"`   // askConfirm: it is put again before a yes counts; see AskAgain
	Unseen  bool          `json:"unseen,omitempty"`  // askConfirm: a yes counts only of a sender who has seen it; see TurnInput.Seen
	Options []Option      `json:"options,omitempty"` // askChoice, askIntent; askCorrect: the new value
	Correct string        `json:"correct,omitempty"` // askCorrect: the param
	Behind  *openQuestion `json:"behind,omitempty"`  // askIntent: the question that waits meanwhile
	Said    string        `json:"said,omitempty"`    // askIntent: the text that may answer it
	Brought brought       `json:"brought,omitempty"` // askIntent: what each offered task could take from the message
	Since   time.Time     `json:"since"`
}

// Confirming returns the write tool whose confirmation is open, and whether one is.
func (st *State) Confirming() (tool string, open bool) {
	if st.Open == nil || st.Open.Kind != askConfirm {
		return "", false
	}
	return st.Open.Tool, true
}

// TakesYesNo reports whether a yes or a no can answer the question. q may be nil.
func (q *openQuestion) TakesYesNo() bool {
	if q == nil {
		return false
	}
	switch q.Kind {
	case askConfirm, askHandoff, askChange, askResumeOne, askCorrect:
		return true
	}
	return false
}

// Offers returns the task that the question offers, "human" for a person, "" if it offers neither. q
// may be nil.
func (q *openQuestion) Offers() string {
	switch {
	case q == nil:
	case q.Kind == askHandoff:
		return "human"
	case q.Kind == askIntent && len(q.Options) == 1:
		id, _ := q.Options[0].Value.(string)
		return id
	}
	return ""
}

// Option is one offered choice.
type Option struct {
	Value any    `json:"value"`
	Label string `json:"label"`
}

// New returns the state of a new session.
func New() *State {
	return &State{Session: map[string]*paramCell{}}
}

// cell returns a param's value from the place that its scope says.
func (st *State) cell(p *config.Param) *paramCell {
	if p.Scope == config.ScopeSession {
		return st.Session[p.Name]
	}
	if st.Active == nil {
		return nil
	}
	return st.Active.Params[p.Name]
}

// intent returns the definition of the task under way, nil without one.
func (st *State) intent(def *config.Agent) *config.Intent {
	if st.Active == nil {
		return nil
	}
	return def.Intent(st.Active.Intent)
}

// setCellOf sets a session param, or any param while a task is under way.
func (st *State) setCellOf(p *config.Param, c *paramCell) {
	if p.Scope == config.ScopeSession || st.Active != nil {
		st.setCell(p, c)
	}
}

func (st *State) setCell(p *config.Param, c *paramCell) {
	cells := st.Session
	if p.Scope != config.ScopeSession {
		if st.Active.Params == nil {
			st.Active.Params = map[string]*paramCell{}
		}
		cells = st.Active.Params
	}
	if c == nil {
		delete(cells, p.Name)
		return
	}
	c.Value = p.Cleaned(c.Value)
	cells[p.Name] = c
}

// Params returns the known values by name: of the session's params and the active frame's.
func (st *State) Params() map[string]any {
	known := make(map[string]any, len(st.Session)+4)
	for name, c := range st.Session {
		known[name] = c.Value
	}
	if st.Active != nil {
		for name, c := range st.Active.Params {
			known[name] = c.Value
		}
	}
	return known
}

// Filled returns the known params of the task under way, which a correction may be about.
func (st *State) Filled(def *config.Agent) []string {
	in := st.intent(def)
	if in == nil {
		return nil
	}
	var out []string
	for p := range in.EachParam {
		if st.cell(p) != nil {
			out = append(out, p.Name)
		}
	}
	return out
}

// WaitingForParam returns the param that the last reply asked for, or "".
func (st *State) WaitingForParam() string {
	if st.Open == nil {
		return ""
	}
	return st.Open.Param
}

// env returns the names for texts, arguments and conditions: defaults of optional params, then
// params, then results. clock has the values of the turn's clock.
func (st *State) env(in *config.Intent, clock map[string]any) map[string]any {
	env := st.Params()
	maps.Copy(env, clock)
	if in != nil {
		for _, p := range in.Optional {
			if _, ok := env[p.Name]; !ok && p.Default != nil {
				env[p.Name] = p.Default
			}
		}
	}
	if st.Active != nil {
		maps.Copy(env, st.Active.Results)
	}
	dropUnwanted(in, env)
	return env
}

// dropUnwanted removes params whose own condition does not hold: the room number of a parcel that
// no longer goes to an office.
func dropUnwanted(in *config.Intent, env map[string]any) {
	if in == nil {
		return
	}
	for p := range in.EachParam {
		if _, known := env[p.Name]; !known || p.When == nil {
			continue
		}
		if holds, err := p.When.True(env); err == nil && !holds {
			delete(env, p.Name)
		}
	}
}
