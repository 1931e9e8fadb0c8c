package planner

import "github.com/slotway/slotway/config"

// Passage is a part of the definition that a turn passed: a task, a param of it, a step of its plan,
// or a way out of that step.
type Passage struct {
	Intent string
	Param  string // "" for a passage of a task or a step
	Asked  bool   // Param was asked for; else it is known
	Step   string // id of a plan step; "": none
	Way    string // out of Step: a Way constant, or a key of on_error; "": the step was performed
}

// The ways out of a step. An error of a call is a way of its own.
const (
	WayYes    = "yes"    // the condition holds; a confirmation was affirmed
	WayNo     = "no"     // the condition does not hold
	WayDenied = "denied" // a confirmation was denied
)

// wayOf maps the marks of steps that were left behind to ways.
var wayOf = map[mark]string{markThen: WayYes, markElse: WayNo, markPassed: WayNo}

// pass reports what the step that Next returns now has passed.
func (st *Turn) pass() {
	if st.Active == nil {
		return
	}
	in := st.def.Intent(st.Active.Intent)
	if in == nil {
		return
	}
	st.passed(Passage{Intent: in.ID})
	for p := range in.EachParam {
		if st.cell(p) != nil {
			st.passed(Passage{Intent: in.ID, Param: p.Name})
		}
	}
	place := st.step.place()
	for id, m := range place.marks {
		st.passed(Passage{Intent: in.ID, Step: id, Way: wayOf[m]})
	}
	if ask, ok := st.step.(AskUser); ok {
		st.passed(Passage{Intent: in.ID, Param: ask.Param, Asked: true})
	}
	if _, failed := st.step.(Fault); failed || place.ID == "" {
		return
	}
	st.passed(Passage{Intent: in.ID, Step: place.ID})
	if s := findStep(in.Plan, place.ID); s != nil && s.When != nil && s.Kind != config.StepWhen {
		st.passed(Passage{Intent: in.ID, Step: place.ID, Way: WayYes})
	}
}

// way reports a way out of a step of the task under way.
func (st *Turn) way(step, way string) {
	if st.passed != nil && st.Active != nil {
		st.passed(Passage{Intent: st.Active.Intent, Step: step, Way: way})
	}
}
