package planner

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
