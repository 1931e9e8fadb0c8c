package planner

import (
	"maps"
	"time"

	"github.com/slotway/slotway/config"
)

// State is what the dialogue rules know of one session, and all of it that is stored. What
// belongs to one message is in [Turn].
type State struct {
	Active    *frame                `json:"active,omitempty"`
	Suspended []*frame              `json:"suspended,omitempty"` // oldest first; the last is resumed first
	Session   map[string]*paramCell `json:"session,omitempty"`   // params that outlive their plan
	Open      *openQuestion         `json:"open,omitempty"`      // what the last reply asked; nil: nothing
	Unclear   int                   `json:"unclear,omitempty"`   // rounds of "A or B?" without an answer
	Last      string                `json:"last,omitempty"`      // the task finished last, for "and O-2?"
	Said      map[string]int        `json:"said,omitempty"`      // how often each response with variants was used
	Ended     *endedTask            `json:"ended,omitempty"`     // the task that was finished last
	Declined  *declinedConfirm      `json:"declined,omitempty"`  // the confirmation that was answered with no, while that may be taken back
	Offered   *offeredChoice        `json:"offered,omitempty"`   // what a choice offered last
	Recent    map[string]any        `json:"recent,omitempty"`    // what finished tasks knew, for "the same as before"
	Halves    map[string]any        `json:"halves,omitempty"`    // by param: the day of a moment whose time is still to come
	Handled   []handledMessage      `json:"spent,omitempty"`     // messages that have had their effect without a turn of their own, newest last
	Version   string                `json:"version,omitempty"`   // config.Agent.Hash that the state was last fitted to
	Left      int64                 `json:"turn,omitempty"`      // number of the turn that left it like this; see Stands
}

// Frame is one task: an intent with its plan under way.
type frame struct {
	ID          string                `json:"id"`      // unique in the session
	Intent      string                `json:"intent"`  //
	Version     string                `json:"version"` // config.Agent.Hash that it was last run with
	Params      map[string]*paramCell `json:"params,omitempty"`
	Results     map[string]any        `json:"results,omitempty"`     // saved results and what `set` wrote
	Done        map[string]mark       `json:"done,omitempty"`        // by step id
	Confirmed   map[string]string     `json:"confirmed,omitempty"`   // by id of a write call: the hash that was said yes to
	ConfirmedAt time.Time             `json:"confirmed_at,omitzero"` // of the last yes
	Attempts    map[string]int        `json:"attempts,omitempty"`    // unread and invalid replies, by param or confirm step
	Tries       map[string]int        `json:"tries,omitempty"`       // by callHash: failures that certainly had no effect
	Unknown     bool                  `json:"unknown,omitempty"`     // a write of which nobody knows whether it was made
	Broken      bool                  `json:"broken,omitempty"`      // a write failed for certain
	Skipped     []string              `json:"skipped,omitempty"`     // params passed over
	Refused     []int                 `json:"refused,omitempty"`     // one_of groups the user cannot fill
	Failed      string                `json:"failed,omitempty"`      // id of the call that failed; the plan waits for "try again"
	Answer      bool                  `json:"answer,omitempty"`      // an answer in passing: it ends without a word
	Standalone  bool                  `json:"alone,omitempty"`       // begun when no task was under way: none goes on behind it unasked
	Doubtful    bool                  `json:"doubtful,omitempty"`    // begun on less than sure understanding, and nothing asked for it yet
	Led         int64                 `json:"led,omitempty"`         // turn whose question said what the task is, in doubt
	Queued      bool                  `json:"queued,omitempty"`      // not begun yet: it starts without "back to"
	Kept        map[string]*paramCell `json:"kept,omitempty"`        // while suspended: the session params it works with
	Lacked      []string              `json:"lacked,omitempty"`      // while suspended: the session params that it did not have
	Parked      map[string]*paramCell `json:"parked,omitempty"`      // session params of other tasks, until this one ends
}

// mark is how a plan step was left behind.
type mark string

const (
	markDone   mark = "done"
	markWrote  mark = "wrote"  // a write that was made: nothing undoes it
	markPassed mark = "passed" // its condition did not hold when the plan came by
	markElse   mark = "else"   // a block whose condition did not hold: its else steps run
	markThen   mark = "then"   // a block whose condition held
)

// Cell is a param's value with its history.
type paramCell struct {
	Value   any       `json:"value,omitempty"` // JSON-normal
	Turn    int64     `json:"turn"`            // when it was given
	At      time.Time `json:"at"`
	Source  string    `json:"source,omitempty"`  // config.Sources or the extractor's
	Checked bool      `json:"checked,omitempty"` // its validation tool has accepted it
	Prior   any       `json:"prior,omitempty"`   // what a correction replaced, until the new value is accepted
}

// QuestionKind says what kind of answer is awaited.
type questionKind string

// The kinds of open question. They are stored: append, never rename.
const (
	askParam     questionKind = "ask"
	askChoice    questionKind = "choose"
	AskConfirm   questionKind = "confirm"
	askIntent    questionKind = "clarify" // "A or B?"
	askChange    questionKind = "change"  // after a no: what should be different?
	askHandoff   questionKind = "handoff" // shall I get a colleague?
	askResumeOne questionKind = "resume"  // shall we go on with the suspended task?
	askCorrect   questionKind = "correct" // shall a value be replaced? (policy.correction: confirm)
)

// Question is the open question of a session.
type openQuestion struct {
	Kind    questionKind  `json:"kind"`
	Param   string        `json:"param,omitempty"`   // AskParam, AskChoice
	Step    string        `json:"step,omitempty"`    // AskChoice, AskConfirm: the plan step
	Tool    string        `json:"tool,omitempty"`    // AskConfirm: the first write call
	Hash    string        `json:"hash,omitempty"`    // AskConfirm: of the calls and their arguments
	Again   bool          `json:"again,omitempty"`   // AskConfirm: it is put again before a yes counts; see AskAgain
	Options []Option      `json:"options,omitempty"` // AskChoice, AskIntent; AskCorrect: the new value
	Correct string        `json:"correct,omitempty"` // AskCorrect: the param
	Behind  *openQuestion `json:"behind,omitempty"`  // AskIntent: the question that waits while it is asked what was meant
	Said    string        `json:"said,omitempty"`    // AskIntent: the text that may answer it
	Brought brought       `json:"brought,omitempty"` // AskIntent: what each task offered would take of the message
	Since   time.Time     `json:"since"`
}

// TakesYesNo reports whether a yes or a no can answer the question. q may be nil.
func (q *openQuestion) TakesYesNo() bool {
	if q == nil {
		return false
	}
	switch q.Kind {
	case AskConfirm, askHandoff, askChange, askResumeOne, askCorrect:
		return true
	}
	return false
}

// Option is one offered choice.
type Option struct {
	Value any    `json:"value"`
	Label string `json:"label"`
}

// New returns the state of a session that has just begun.
func New() *State {
	return &State{Session: map[string]*paramCell{}, Said: map[string]int{}}
}

// cell finds a param's value where its scope puts it.
func (st *State) cell(p *config.Param) *paramCell {
	if p.Scope == config.ScopeSession {
		return st.Session[p.Name]
	}
	if st.Active == nil {
		return nil
	}
	return st.Active.Params[p.Name]
}

// intent is the definition of the task under way, nil without one.
func (st *State) intent(def *config.Agent) *config.Intent {
	if st.Active == nil {
		return nil
	}
	return def.Intent(st.Active.Intent)
}

// setCellOf sets a session param while no task is under way, and any param while one is.
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
	cells[p.Name] = c
}

// Params returns what is known, by name: the session's params and the active frame's.
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

// Filled are the params of the task under way that are known: what a correction may be about.
func (st *State) Filled(def *config.Agent) []string {
	in := st.intent(def)
	if in == nil {
		return nil
	}
	var out []string
	for _, p := range in.AllParams() {
		if st.cell(p) != nil {
			out = append(out, p.Name)
		}
	}
	return out
}

// WaitingForParam is the param that the last reply asked for, or "".
func (st *State) WaitingForParam() string {
	if st.Open == nil {
		return ""
	}
	return st.Open.Param
}

// env is what texts, arguments and conditions see: defaults of optional params, then
// params, then results.
func (st *State) env(in *config.Intent) map[string]any {
	env := st.Params()
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

// dropUnwanted takes out params whose own condition does not hold: the room number of a
// parcel that no longer goes to an office.
func dropUnwanted(in *config.Intent, env map[string]any) {
	if in == nil {
		return
	}
	for _, p := range in.AllParams() {
		if p.When == nil {
			continue
		}
		if holds, err := p.When.True(env); err == nil && !holds {
			delete(env, p.Name)
		}
	}
}
