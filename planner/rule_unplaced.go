package planner

import "github.com/slotway/slotway/classifier/message"

// proposeUnplaced reads a correction whose new value fits no rule: it says that nothing was
// changed, and repeats the question.
func (r *interpreter) proposeUnplaced() []reading {
	if r.in == nil || r.st.Active == nil || !r.confirming() {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !r.carriesText(c) || c.any(message.ActQuestion, message.ActStop, message.ActHuman) || c.Stock != "" {
			continue
		}
		return []reading{{
			Rule: "unplaced", kind: kindHold, evidence: 0.6, clauses: only(i) | r.leading(),
			perform: func(r *interpreter) {
				r.addLeftover(Leftover{Start: c.Start, End: c.End, Kind: leftoverClause, Text: c.text})
				r.say("nothing_changed", nil)
				r.again()
			},
		}}
	}
	return nil
}
