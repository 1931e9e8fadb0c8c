package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeSwap exchanges two values that were understood the wrong way round.
func (r *interpreter) proposeSwap() []reading {
	if r.in == nil || r.st.Active == nil || !r.msg.Swap {
		return nil
	}
	a, b := r.swappable()
	if a == nil {
		return nil
	}
	return []reading{{
		Rule: "swap", kind: kindAnswer, evidence: 0.95, clauses: r.allClauses(),
		perform: func(r *interpreter) {
			one, other := r.st.cell(a).Value, r.st.cell(b).Value
			r.fill(r.in, a, message.Value{Param: a.Name, Value: other, Source: "context"})
			r.fill(r.in, b, message.Value{Param: b.Name, Value: one, Source: "context"})
			r.again()
		},
	}}
}

// swappable returns the first two known params of one type.
func (r *interpreter) swappable() (a, b *config.Param) {
	known := r.in.AllParams()
	known = slices.DeleteFunc(slices.Clone(known), func(p *config.Param) bool { return r.st.cell(p) == nil || p.List })
	for i, p := range known {
		for _, o := range known[i+1:] {
			if p.Type == o.Type || p.Type.Builtin != "" && p.Type.Builtin == o.Type.Builtin && p.Type.Builtin != "text" {
				return p, o
			}
		}
	}
	return nil, nil
}

func (r *interpreter) allClauses() set {
	var all set
	for i := range r.clauses {
		all |= only(i)
	}
	return all
}
