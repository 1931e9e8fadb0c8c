package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// reconcile adapts a stored state to the current definition (rule 23). It drops frames and
// questions whose intent or step is gone, says so, and keeps the params. It also drops values that
// the type or the validation of their param no longer accepts, and what was derived from them, so
// that the task asks for them. reads decides about types with patterns; nil keeps their values.
func (st *Turn) reconcile(reads func(param, text string) bool) {
	changed := st.Version != st.def.Hash
	st.Version = st.def.Hash
	if changed {
		// The old definition worded these.
		st.Declined, st.Offered, st.Recent, st.Halves = nil, nil, nil, nil
		if st.Ended != nil && st.def.Intent(st.Ended.Intent) == nil {
			st.Ended = nil
		}
		st.Suspended = slices.DeleteFunc(st.Suspended, func(f *frame) bool { return !f.fits(st.def) })
	}
	if f := st.Active; f != nil && !f.fits(st.def) {
		st.Active, st.Open = nil, nil
		st.later("definition_changed", nil)
	}
	if q := st.Open; q != nil && st.Active != nil && !q.fits(st.def.Intent(st.Active.Intent)) {
		st.Active, st.Open = nil, nil // the question is gone
		st.later("definition_changed", nil)
	}
	if !changed {
		return
	}
	st.offersLeft()
	if st.Open != nil {
		st.Open.Brought = nil // the old definition read it
	}
	fitting := fitting{def: st.def, reads: reads}
	fitting.session(st)
	if st.Active != nil {
		fitting.active(st)
		st.Active.Caller.eachCaller(fitting.suspended)
	}
	for _, f := range st.Suspended {
		f.eachCaller(fitting.suspended)
	}
	st.eachFrame(fitting.early)
}

// fits reports whether the definition still has the intents of a frame and its callers, and the
// steps that run them. It drops the marks of steps that are gone.
func (f *frame) fits(def *config.Agent) bool {
	for ; f != nil; f = f.Caller {
		if !f.fitsAlone(def) || f.Caller != nil && f.runStep(def) == nil && f.list(def) == nil {
			return false
		}
	}
	return true
}

func (f *frame) fitsAlone(def *config.Agent) bool {
	if f.Version == def.Hash {
		return true
	}
	in := def.Intent(f.Intent)
	if in == nil {
		return false
	}
	for id := range f.Done {
		if findStep(in.Plan, id) == nil {
			delete(f.Done, id)
		}
	}
	for id := range f.Confirmed {
		if findStep(in.Plan, id) == nil {
			delete(f.Confirmed, id)
		}
	}
	f.Version = def.Hash
	return true
}

func (q *openQuestion) fits(in *config.Intent) bool {
	if q.Kind == askParam && in.Param(q.Param) == nil {
		return false
	}
	return q.Step == "" || findStep(in.Plan, q.Step) != nil
}

// offersLeft removes tasks that are gone from an offer, and closes an offer without any.
func (st *Turn) offersLeft() {
	q := st.Open
	if q == nil || q.Kind != askIntent && q.Kind != askResumeOne {
		return
	}
	q.Options = slices.DeleteFunc(q.Options, func(o Option) bool {
		id, _ := o.Value.(string)
		return st.def.Intent(id) == nil && !slices.ContainsFunc(st.Suspended, func(f *frame) bool { return f.ID == id })
	})
	if len(q.Options) == 0 {
		st.Open = nil
		st.later("definition_changed", nil)
	}
}

// fitting checks the values of a state against a definition that they were not given under.
type fitting struct {
	def   *config.Agent
	reads func(param, text string) bool
}

// session drops session params that no longer fit. Those of the active task are checked by active.
func (ft fitting) session(st *Turn) {
	in := st.intent(ft.def)
	for name, c := range st.Session {
		p := ft.def.Params[name]
		if p == nil || in != nil && in.Param(name) != nil {
			continue
		}
		if !ft.has(p, c) {
			delete(st.Session, name)
		}
	}
}

// active drops values of the active task that no longer fit, and keeps the reason for the next
// prompt.
func (ft fitting) active(st *Turn) {
	in := st.intent(ft.def)
	for p := range in.EachParam {
		c := st.cell(p)
		if c == nil {
			continue
		}
		ok, wrong := accepts(p, c.Value, st.env(in))
		if ok && ft.has(p, c) {
			continue
		}
		if ok { // its own rules have nothing against it: the type has
			env := st.env(in)
			env[p.Name] = c.Value
			wrong = p.Validation.Invalid.Render(env)
		}
		st.setCell(p, nil)
		st.undo(in, p.Name)
		st.refused(p, wrong)
		if q := st.Open; q != nil && q.Kind == askConfirm {
			st.Open, st.questionExpired = nil, true // it was about this value: a yes to it comes too late
		}
	}
}

// suspended drops values of a suspended task that no longer fit. The task asks for them when it
// goes on.
func (ft fitting) suspended(f *frame) {
	in := ft.def.Intent(f.Intent)
	for _, cells := range []map[string]*paramCell{f.Params, f.Kept} {
		for name, c := range cells {
			if p := in.Param(name); p != nil && !ft.has(p, c) {
				delete(cells, name)
				f.undo(in, name)
			}
		}
	}
}

// early drops values for sub-tasks to come that no longer fit.
func (ft fitting) early(f *frame) {
	for name, c := range f.Early {
		if p := partParam(ft.def, ft.def.Intent(f.Intent), name); p == nil || !ft.has(p, c) {
			delete(f.Early, name)
		}
	}
}

// has reports whether a param's type still accepts a value that the user gave. Values from tools
// and plan steps are not checked.
func (ft fitting) has(p *config.Param, c *paramCell) bool {
	if c.Source == sourceOption || mapping[c.Source] == "" && c.Source != "context" {
		return true
	}
	values, isList := c.Value.([]any)
	if isList != p.List {
		return false
	}
	if !isList {
		values = []any{c.Value}
	}
	return !slices.ContainsFunc(values, func(v any) bool { return !ft.isOf(p, v) })
}

func (ft fitting) isOf(p *config.Param, value any) bool {
	if p.Objects != nil {
		fields, ok := value.(map[string]any)
		return ok && !slices.ContainsFunc(p.Objects.Fields, func(f *config.Param) bool {
			v, known := fields[f.Name]
			return !known && f.Default == nil && !f.Skippable || known && !ft.isOf(f, v)
		})
	}
	t := p.Type
	text, isText := value.(string)
	number, isNumber := value.(float64)
	switch {
	case len(t.Values) > 0:
		return isText && (p.Else == config.ElseKeep || slices.ContainsFunc(t.Values, func(v config.EnumValue) bool { return v.Value == text }))
	case t.Builtin == "boolean":
		_, ok := value.(bool)
		return ok
	case t.Builtin == "integer":
		return isNumber && number == float64(int64(number))
	case t.Builtin == "number":
		return isNumber
	case len(t.Patterns) > 0 || t.Bare != nil:
		return isText && (ft.reads == nil || ft.reads(p.Name, text))
	}
	return true
}
