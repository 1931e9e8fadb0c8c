package planner

import (
	"slices"
	"time"
)

// turnOutcomes is what the turn that saved a state has decided and the rest of the state does not
// show: a finished task leaves no frame behind. It is for reports, and for the intents that may only
// follow another.
type turnOutcomes struct {
	Finished []FinishedTask `json:"finished,omitempty"` // in the order of their ends
	Answered []Answered     `json:"answered,omitempty"`
}

// FinishedTask is a task whose plan came to an end.
type FinishedTask struct {
	ID      string `json:"id"`
	Intent  string `json:"intent"`
	Outcome string `json:"outcome"` // done, told, failed or unknown
}

// Answered is the yes or the no to a confirmation.
type Answered struct {
	ID  string `json:"id"` // of the task
	Yes bool   `json:"yes,omitempty"`
}

// Succeeded reports whether the task did what it is for.
func (f *FinishedTask) Succeeded() bool { return f.Outcome == outcomeDone || f.Outcome == outcomeTold }

// Wrote reports whether a write of the task was made for certain.
func (f *FinishedTask) Wrote() bool { return f.Outcome == outcomeDone }

// outcomes returns what the turn has decided so far.
func (st *State) outcomes() *turnOutcomes {
	if st.Outcomes == nil {
		st.Outcomes = &turnOutcomes{}
	}
	return st.Outcomes
}

// noteFinished records the end of a task for reports.
func (st *State) noteFinished(f *frame, outcome string) {
	o := st.outcomes()
	o.Finished = append(o.Finished, FinishedTask{f.ID, f.Intent, outcome})
}

// noteFault changes the outcome of the task that a faulty step ends: its plan did not come to its end.
func (st *State) noteFault(task *frame) {
	for i := range st.outcomes().Finished {
		if f := &st.Outcomes.Finished[i]; task != nil && f.ID == task.root().ID && f.Outcome == outcomeTold {
			f.Outcome = outcomeFailed
		}
	}
}

// noteAnswer records the yes or the no to the open confirmation for reports.
func (st *State) noteAnswer(yes bool) {
	if st.Active == nil {
		return
	}
	o := st.outcomes()
	o.Answered = append(o.Answered, Answered{st.Active.root().ID, yes})
}

// Account is how the tasks of a session stand after a turn, and what the turn has decided, for those
// who count. A sub-task is a part of the task that runs it.
type Account struct {
	Active   *TaskAccount   // nil: no task is under way
	Behind   []TaskAccount  // begun and interrupted, the oldest first
	Queued   []TaskAccount  // not begun yet
	Finished []FinishedTask // by the turn
	Ended    *TaskAccount   // the last of them that was no answer in passing, with the values that it knew; nil: none
	Answered []Answered     // in the turn
	Question *Question      // that is open; nil: none
	Held     bool           // a person has the conversation
}

// TaskAccount is one task.
type TaskAccount struct {
	ID     string
	Intent string
	Failed string                  // plan step whose call failed and is to be tried again; ""
	Params map[string]ParamAccount // known to the task under way, its sub-task and the session
}

// ParamAccount is the value of a param.
type ParamAccount struct {
	Value    any
	Turn     int64 // that gave it
	FromTool bool  // a tool or the plan gave it, not the user
}

// Question is an open question.
type Question struct {
	Kind     string // ask, choose, confirm, clarify, change, handoff, resume, correct
	Param    string // that an answer fills; ""
	Step     string // of the plan; ""
	Tool     string // of a confirmation: the first write call
	Attempts int    // answers that failed
	Since    time.Time
}

// Account describes the state that the turn of this number left.
func (st *State) Account(turn int64) Account {
	out := Account{Held: st.Held() != nil}
	if f := st.Active; f != nil {
		a := f.account()
		a.take(st.Session)
		var parts []*frame
		f.eachCaller(func(part *frame) { parts = append(parts, part) })
		for _, part := range slices.Backward(parts) { // the sub-task says it last
			a.take(part.Params)
		}
		out.Active = &a
	}
	for _, f := range st.Suspended {
		if f.Queued {
			out.Queued = append(out.Queued, f.account())
		} else {
			out.Behind = append(out.Behind, f.account())
		}
	}
	if q := st.Open; q != nil {
		out.Question = &Question{Kind: string(q.Kind), Param: q.fills(), Step: q.Step, Tool: q.Tool, Since: q.Since}
		if st.Active != nil {
			out.Question.Attempts = max(st.Active.Attempts[q.Param], st.Active.Attempts[q.Step])
		}
	}
	if st.Left != turn {
		return out // an undo brought the state of an earlier turn back
	}
	if o := st.Outcomes; o != nil {
		out.Finished, out.Answered = slices.Clone(o.Finished), slices.Clone(o.Answered)
	} else if e := st.Ended; e != nil && e.Turn == turn { // of a release that kept no outcomes
		out.Finished = []FinishedTask{{Intent: e.Intent, Outcome: e.Outcome}}
	}
	if e := st.Ended; e != nil && e.Turn == turn {
		for _, f := range slices.Backward(out.Finished) {
			if f.Intent == e.Intent {
				out.Ended = &TaskAccount{ID: f.ID, Intent: f.Intent}
				out.Ended.take(e.Params)
				break
			}
		}
	}
	return out
}

// take adds values; those that are added later count.
func (a *TaskAccount) take(cells map[string]*paramCell) {
	if a.Params == nil {
		a.Params = map[string]ParamAccount{}
	}
	for name, c := range cells {
		a.Params[name] = ParamAccount{c.Value, c.Turn, c.Source == sourceTool}
	}
}

func (f *frame) account() TaskAccount {
	root := f.root()
	return TaskAccount{ID: root.ID, Intent: root.Intent, Failed: f.Failed}
}
