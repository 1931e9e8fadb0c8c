package planner

import (
	"encoding/json"
	"maps"
)

// jsonName is a name that is null in JSON if it is "".
type jsonName string

// MarshalJSON implements json.Marshaler.
func (n jsonName) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(n))
}

// View is a readable copy of a state: the task under way, the tasks behind it, and the open
// question. It shares only values with the state.
type View struct {
	Active    *FrameView    `json:"active"`    // nil: no task is under way
	Suspended []FrameView   `json:"suspended"` // oldest first; the last is resumed first
	Queued    []FrameView   `json:"queued"`    // not begun yet, in the order of Suspended
	Question  *questionView `json:"question"`  // nil: nothing is asked
}

// FrameView is one task.
type FrameView struct {
	ID       string          `json:"id"`
	Intent   string          `json:"intent"`
	Step     jsonName        `json:"step"`    // plan step at which it waits; "": not known
	Version  string          `json:"version"` // of the definition that it was last run with
	Params   map[string]any  `json:"params"`  // its own; session params are the session's
	Results  map[string]any  `json:"results"` // what was saved
	Done     map[string]bool `json:"done"`    // by step: true: carried out, false: passed over
	Attempts map[string]int  `json:"attempts"`
	Skipped  []string        `json:"skipped"`
	Answer   bool            `json:"answer"`           // an answer in passing
	Caller   *FrameView      `json:"caller,omitempty"` // the task that runs this one as a part of it
}

// questionView is the open question.
type questionView struct {
	Kind     questionKind `json:"kind"`
	Param    jsonName     `json:"param"` // "": it fills none
	Step     jsonName     `json:"step"`
	Tool     jsonName     `json:"tool"`    // the write call that waits for a yes
	Options  []Option     `json:"options"` // never nil
	Attempts int          `json:"attempts"`
}

// View describes the state.
func (st *State) View() View {
	v := View{Suspended: []FrameView{}, Queued: []FrameView{}}
	for _, f := range st.Suspended {
		if f.Queued {
			v.Queued = append(v.Queued, f.view())
		} else {
			v.Suspended = append(v.Suspended, f.view())
		}
	}
	if st.Active != nil {
		f := st.Active.view()
		if f.Step == "" && st.Open != nil {
			f.Step = jsonName(st.Open.Step)
		}
		v.Active = &f
	}
	if q := st.Open; q != nil {
		v.Question = &questionView{Kind: q.Kind, Param: jsonName(q.fills()), Step: jsonName(q.Step), Tool: jsonName(q.Tool), Options: append([]Option{}, q.Options...)}
		if st.Active != nil {
			v.Question.Attempts = max(st.Active.Attempts[q.Param], st.Active.Attempts[q.Step])
		}
	}
	return v
}

// fills returns the param that an answer to the question fills; "" if none.
func (q *openQuestion) fills() string {
	if q.Correct != "" {
		return q.Correct
	}
	return q.Param
}

func (f *frame) view() FrameView {
	v := FrameView{
		ID: f.ID, Intent: f.Intent, Step: jsonName(f.Failed), Version: f.Version, Params: map[string]any{}, Results: map[string]any{},
		Done: map[string]bool{}, Attempts: map[string]int{}, Skipped: append([]string{}, f.Skipped...), Answer: f.Answer,
	}
	for _, cells := range []map[string]*paramCell{f.Params, f.Kept} {
		for name, c := range cells {
			v.Params[name] = c.Value
		}
	}
	maps.Copy(v.Results, f.Results)
	maps.Copy(v.Attempts, f.Attempts)
	for step, m := range f.Done {
		v.Done[step] = m != markPassed && m != markElse
	}
	if f.Caller != nil {
		c := f.Caller.view()
		c.Step, v.Caller = jsonName(f.RunBy), &c
	}
	return v
}

// EachValue calls visit with every value that a param has in the state, had before a correction, or
// is offered, so that all of them can be hidden.
func (st *State) EachValue(visit func(param string, value any)) {
	eachCell(st.Session, visit)
	each := func(f *frame) {
		eachCell(f.Params, visit)
		eachCell(f.Kept, visit)
		eachCell(f.Parked, visit)
		eachCell(f.Early, visit)
		f.eachWaiting(visit)
	}
	st.eachFrame(each)
	if st.Declined != nil {
		st.Declined.Frame.eachCaller(each)
		eachCell(st.Declined.Kept, visit)
	}
	if st.Ended != nil {
		eachCell(st.Ended.Params, visit)
	}
	if o := st.Offered; o != nil {
		eachOption(o.Param, o.Options, visit)
	}
	for _, known := range []map[string]any{st.Recent, st.Halves} {
		for name, v := range known {
			visit(name, v)
		}
	}
	if q := st.Open; q != nil {
		eachOption(q.fills(), q.Options, visit)
		for _, cells := range q.Brought {
			eachCell(cells, visit)
		}
		if b := q.Behind; b != nil && b.fills() != "" {
			eachOption(b.fills(), b.Options, visit)
			if q.Said != "" {
				visit(b.fills(), q.Said)
			}
		}
	}
}

func eachOption(param string, options []Option, visit func(param string, value any)) {
	if param == "" {
		return
	}
	for _, o := range options {
		visit(param, o.Value)
	}
}

func eachCell(cells map[string]*paramCell, visit func(param string, value any)) {
	for name, c := range cells {
		for _, v := range []any{c.Value, c.Prior} {
			if v != nil {
				visit(name, v)
				EachField(v, visit)
			}
		}
	}
}

// EachField calls visit for the fields of the objects in a list; any other value has none.
func EachField(value any, visit func(param string, value any)) {
	list, _ := value.([]any)
	for _, e := range list {
		fields, _ := e.(map[string]any)
		for name, v := range fields {
			if v != nil {
				visit(name, v)
			}
		}
	}
}
