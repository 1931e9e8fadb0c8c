package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// How far a yes to a write must be before anything else that may be meant, in log odds.
const (
	readYes     = 6.8
	readBrief   = 7.4 // in one or two words, which say little
	readAgreed  = 2.5 // where the acts hear nothing else
	readBeside  = 4.3 // where they hear it in a part of the message
	readAgainst = 8   // where something speaks against it
)

// writes reports whether a command is the yes to a write.
func (r *interpreter) writes(c message.Command) bool { return c.Do == message.DoYes && r.confirming() }

// leastAhead returns how far a yes to a write must be before all else. The acts of the clauses are a witness of their
// own: they may hear a yes in all of them, in some, or in none. Another is what speaks against it: an act, a
// condition, or a rule that reads something else. One or two words that nobody knows say little.
func (r *interpreter) leastAhead() float64 {
	some, all, against := false, true, r.ruledOut
	for i := range r.clauses {
		c := &r.clauses[i]
		yes := c.p(message.ActYes) >= surely
		some = some || yes
		all = all && (yes || c.courteous())
		against = against || c.does&againstYes != 0 || conditional(c) || c.Join == "but"
	}
	switch {
	case some && against:
		return readYes
	case some && all:
		return readAgreed
	case some:
		return readBeside
	case against:
		return readAgainst
	case r.briefly():
		return readBrief
	}
	return readYes
}

// ruleOut notes whether the rules have found a question, a no, a wait or an end in a message that may be a yes.
func (r *interpreter) ruleOut(byRule []reading) {
	r.ruledOut = slices.ContainsFunc(byRule, func(x reading) bool {
		return x.Rule == "question" || slices.Contains([]kind{kindNo, kindStop, kindHold}, x.kind)
	})
}

// ahead returns how far a command is before the likeliest of the others, in log odds. What is only polite
// stands beside any.
func (r *interpreter) ahead(c message.Command) float64 {
	other := 0.0
	for _, o := range r.weighed {
		if o.Do != c.Do && o.Do != message.DoCourtesy {
			other = max(other, o.P)
		}
	}
	return logOdds(c.P) - logOdds(other)
}

// takesYes reports whether a yes can answer the open question.
func (r *interpreter) takesYes() bool { return r.asksYes() && r.st.Open != nil }
