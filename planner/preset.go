package planner

import (
	"fmt"

	"github.com/slotway/slotway/config"
)

// Preset is a state that a replay sets before a turn.
type Preset struct {
	Intent      string         // of the task under way; "": the one under way, else the first intent that fits the preset
	Params      map[string]any // known values
	Waiting     string         // param of the open question
	Confirming  bool           // the next confirmation of the task is open
	ConfirmTool string         // that the confirmation must be for; "": any
	Done        bool           // the task's plan was carried out with these values
}

// applyPreset sets the state. It fails on names that the definition does not have.
func (st *Turn) applyPreset(g Preset) error {
	if g.Intent == "" && st.Active == nil {
		g.Intent = g.implied(st.def)
	}
	if g.Intent != "" && (st.Active == nil || st.Active.Intent != g.Intent) {
		in := st.def.Intent(g.Intent)
		if in == nil {
			return fmt.Errorf("given intent %q is not defined", g.Intent)
		}
		st.begin(in)
		st.Open = nil
	}
	in := st.intent(st.def)
	for name, v := range g.Params {
		p := st.def.Params[name]
		if in != nil && in.Param(name) != nil {
			p = in.Param(name)
		}
		if p == nil {
			return fmt.Errorf("given param %q is not defined", name)
		}
		if p.Scope != config.ScopeSession && st.Active == nil {
			return fmt.Errorf("given param %q belongs to a plan: give the intent too", name)
		}
		st.setCell(p, &paramCell{Value: v, Turn: st.Number, At: st.Now, Source: "context", Checked: true})
	}
	if g.Waiting != "" {
		if in == nil || in.Param(g.Waiting) == nil {
			return fmt.Errorf("given waiting_for_param %q is no param of the task under way", g.Waiting)
		}
		p := in.Param(g.Waiting)
		st.setCell(p, nil)
		st.Open = &openQuestion{Kind: askParam, Param: p.Name, Since: st.Now}
	}
	if g.Confirming {
		return st.presetConfirm(g.ConfirmTool)
	}
	if g.Done && in != nil {
		st.presetDone(in)
	}
	return nil
}

// presetDone marks the steps of a task's plan as done. A value that changes later undoes the steps
// that used it.
func (st *Turn) presetDone(in *config.Intent) {
	if st.Active.Done == nil {
		st.Active.Done = map[string]mark{}
	}
	config.Walk(in.Plan, func(s *config.Step) {
		if s.Kind != config.StepWhen {
			st.Active.Done[s.ID] = markDone
		}
	})
}

// implied returns the first intent that can be waiting for what the preset says, "" if it waits for
// nothing.
func (g Preset) implied(def *config.Agent) string {
	if g.Waiting == "" && !g.Confirming {
		return ""
	}
	for _, in := range def.Intents {
		if (g.Waiting == "" || in.Param(g.Waiting) != nil) && (!g.Confirming || confirms(in.Plan, g.ConfirmTool)) {
			return in.ID
		}
	}
	return ""
}

// confirms reports whether the steps confirm a call of the tool; "": of any tool.
func confirms(list []*config.Step, tool string) bool {
	for _, s := range list {
		if s.Kind == config.StepConfirm && tool == "" || s.Kind == config.StepCall && s.Tool == tool {
			return true
		}
		if confirms(s.Then, tool) || confirms(s.Else, tool) {
			return true
		}
	}
	return false
}

// presetConfirm opens the next confirmation of the task.
func (st *Turn) presetConfirm(tool string) error {
	st.Open = nil
	var c Confirm
	switch s := st.next().(type) {
	case Confirm:
		c = s
	case ToolCall: // the task's look-ups before the confirmation run after the yes
		first, ok := st.firstConfirm()
		if !ok {
			return fmt.Errorf("given confirming: the task has no confirmation to come to")
		}
		c = first
	default:
		return fmt.Errorf("given confirming: the task does not come to a confirmation now")
	}
	if tool != "" && c.Tool != tool {
		return fmt.Errorf("given confirming %q: the next confirmation is for %q", tool, c.Tool)
	}
	st.Open = &openQuestion{Kind: askConfirm, Step: c.ID, Tool: c.Tool, Hash: c.Hash, Since: st.Now}
	return nil
}

// firstConfirm returns the first confirmation that is due now, or whose calls are.
func (st *Turn) firstConfirm() (Confirm, bool) {
	in := st.intent(st.def)
	pl := &planning{def: st.def, st: st, in: in, frame: st.Active, env: st.env(in)}
	for _, s := range in.Plan {
		if s.Kind == config.StepConfirm && (len(s.Covers) == 0 || len(pl.due(s)) > 0) {
			c, ok := pl.question(s).(Confirm)
			return c, ok
		}
	}
	return Confirm{}, false
}
