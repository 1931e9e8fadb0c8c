package planner

import (
	"maps"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// onCaller lets do change the task that has the list, also while an element is asked for.
func (r *interpreter) onCaller(p *config.Param, do func()) {
	child := r.st.Active
	if child.List != "" && child.Caller != nil {
		r.st.Active = child.Caller
		defer func() { r.st.Active = child }()
	}
	if r.st.Active.sources(r.st.intent(r.def))[p.Name] {
		r.say("unchangeable", map[string]any{"name": p.Label})
		return
	}
	do()
}

// fillElement gives values to the element that is asked for.
func fillElement(e *placed) func(*interpreter) {
	return func(r *interpreter) {
		for p := range r.in.EachParam {
			if v, ok := e.fields[p.Name]; ok {
				r.fill(r.in, p, v)
			}
		}
		r.st.Active.Wanted = append(r.st.Active.Wanted, e.wanted...)
	}
}

// addElement puts an element behind those that wait. Above the greatest number it is refused.
func addElement(p *config.Param, e *placed) func(*interpreter) {
	return func(r *interpreter) {
		under := 0
		if f := r.st.Active; f.List != "" && (len(f.Params) > 0 || r.filled) {
			under = 1
		}
		r.onCaller(p, func() { r.st.wait(r, p, e, under) })
	}
}

// wait keeps an element until the list comes to it. under is how many elements are asked for now.
func (st *Turn) wait(r *interpreter, p *config.Param, e *placed, under int) {
	ls := st.Active.listOf(p)
	if most := p.Objects.Max; most > 0 && len(st.Active.elements(p))+len(ls.Waiting)+under >= most {
		r.refuseElement(p)
		return
	}
	said := waitingElement{Fields: map[string]*paramCell{}, Wanted: e.wanted}
	for name, v := range e.fields {
		said.Fields[name] = &paramCell{Value: v.Value, Turn: st.Number, At: st.Now, Source: v.Source}
	}
	ls.Waiting = append(ls.Waiting, said)
}

// refuseElement says that a list cannot have so many or so few elements.
func (r *interpreter) refuseElement(p *config.Param) {
	wrong := p.Validation.Invalid.Render(r.st.env(r.st.intent(r.def)))
	said := slices.ContainsFunc(r.st.Agenda, func(s Step) bool { v, ok := s.(Respond); return ok && v.Text == wrong })
	if wrong != "" && !said {
		r.st.put(Respond{Response: "invalid", Text: wrong})
	}
	r.spoke = true
}

// removeElement takes an element out of the list. Without tell, another one takes its place, and the
// reply names the list once that one is complete.
func removeElement(p *config.Param, key message.Value, tell bool) func(*interpreter) {
	return func(r *interpreter) {
		r.onCaller(p, func() {
			list := r.st.Active.elements(p)
			if at := elementsWith(list, key); len(at) == 1 {
				r.st.setElements(p, slices.Delete(slices.Clone(list), at[0], at[0]+1))
				if tell {
					r.tellList(p)
				} else {
					r.st.Active.listOf(p).Tell = true
				}
			}
		})
	}
}

// changeElement gives an element of the list other values, if its fields accept them.
func changeElement(p *config.Param, i int, e *placed) func(*interpreter) {
	return func(r *interpreter) {
		r.onCaller(p, func() {
			list := slices.Clone(r.st.Active.elements(p))
			old, ok := list[i].(map[string]any)
			if !ok {
				return
			}
			fields := map[string]any{}
			maps.Copy(fields, old)
			for _, field := range p.Objects.Fields {
				v, said := e.fields[field.Name]
				if !said {
					continue
				}
				env := r.st.env(p.Objects.Element) // it has the turn's clock
				maps.Copy(env, fields)
				if ok, wrong := accepts(field, v.Value, env); !ok {
					r.st.put(Respond{Response: "invalid", Text: wrong})
					r.spoke = true
					return
				}
				fields[field.Name] = v.Value
			}
			if list[i] = any(fields); !same(old, fields) {
				r.st.setElements(p, list)
				r.tellList(p)
			}
		})
	}
}

// tellList reports a changed list.
func (r *interpreter) tellList(p *config.Param) {
	if list := r.st.Active.elements(p); len(list) > 0 {
		r.st.tellCorrection(p, list)
	}
	r.spoke = true
}
