package planner

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
				r.leave(Leftover{Start: c.Start, End: c.End, Kind: LeftoverClause, Text: c.text})
				r.say("nothing_changed", nil)
				r.again()
			},
		}}
	}
	return nil
}
