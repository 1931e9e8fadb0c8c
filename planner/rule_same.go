package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// proposeUnplaced reads a correction whose new value no rule can place: it says that nothing was
// changed, and puts the question again. It is neither a no nor lost.
func (r *hearing) proposeUnplaced() []Reading {
	if r.in == nil || r.st.Active == nil || !r.confirming() {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !r.carriesText(c) || c.any(ActQuestion, ActStop, ActHuman) || c.Stock != "" {
			continue
		}
		return []Reading{{
			Rule: "unplaced", kind: kindHold, evidence: 0.6, clauses: only(i) | r.leading(),
			perform: func(r *hearing) {
				r.leave(Left{Start: c.Start, End: c.End, Kind: LeftClause, Text: c.text})
				r.say("nothing_changed", nil)
				r.again()
			},
		}}
	}
	return nil
}

// proposeSame answers a question with what was said to it the last time: "the same as before".
func (r *hearing) proposeSame() []Reading {
	if r.asked == nil || r.st.Open.Kind != AskParam {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(ActSame) {
			continue
		}
		p := r.asked
		before, known := r.st.Recent[p.Name]
		x := Reading{Rule: "same", kind: kindAnswer, evidence: c.p(ActSame), clauses: only(i) | r.leading()}
		x.perform = func(r *hearing) {
			if known {
				r.fill(r.in, p, Value{Param: p.Name, Value: before, Source: "context"})
			} else {
				r.say("nothing_before", map[string]any{"label": p.Label})
			}
			r.again()
		}
		return []Reading{x}
	}
	return nil
}

// proposeSwap exchanges two values that were taken the wrong way round.
func (r *hearing) proposeSwap() []Reading {
	if r.in == nil || r.st.Active == nil || !r.h.Swap {
		return nil
	}
	a, b := r.swappable()
	if a == nil {
		return nil
	}
	return []Reading{{
		Rule: "swap", kind: kindAnswer, evidence: 0.95, clauses: r.allClauses(),
		perform: func(r *hearing) {
			one, other := r.st.cell(a).Value, r.st.cell(b).Value
			r.fill(r.in, a, Value{Param: a.Name, Value: other, Source: "context"})
			r.fill(r.in, b, Value{Param: b.Name, Value: one, Source: "context"})
			r.again()
		},
	}}
}

// swappable are the first two known params of one type.
func (r *hearing) swappable() (a, b *config.Param) {
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

func (r *hearing) allClauses() set {
	var all set
	for i := range r.clauses {
		all |= only(i)
	}
	return all
}
