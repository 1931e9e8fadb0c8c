package planner

import (
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeOutcome reads "did it work?", "is it done?" after a task.
func (r *interpreter) proposeOutcome() []reading {
	x := reading{Rule: "outcome", kind: kindAside}
	why := false
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(message.ActOutcome) {
			x.evidence = max(x.evidence, c.p(message.ActOutcome))
			x.clauses |= only(i)
		} else if asksWhy(c.words) {
			x.evidence, why = 0.9, true
			x.clauses |= only(i)
		} else if c.courteous() || c.filler() {
			x.clauses |= only(i)
		}
	}
	e, _ := r.lately()
	failed := r.st.Active != nil && r.st.Active.Failed != ""
	if x.evidence < likely || r.st.Open != nil && !failed || e == nil && !failed || len(r.msg.Values) > 0 {
		return nil
	}
	x.perform = func(r *interpreter) {
		switch {
		case failed:
			r.say("tool_failed", nil)
		case why:
			r.repeat()
		case e.Outcome == outcomeUnknown:
			r.say("outcome_unknown", nil)
		case e.Outcome == outcomeFailed:
			r.say("outcome_none", nil)
		case e.Outcome == outcomeDone:
			r.say("outcome_done", nil)
		default:
			r.repeat()
		}
		r.spoke = true
	}
	return []reading{x}
}

// asksWhy reports whether words are a bare "why?", "how come", "why not".
func asksWhy(words []string) bool {
	why := false
	for _, w := range words {
		if !whyWords[w] {
			return false
		}
		why = why || w == "why" || w == "come"
	}
	return why
}

// whyWords are the words of a "why" that names nothing.
var whyWords = wordSet("why_words")

// tellUnknown says that the outcome is unknown if the same task with the same values was asked for
// before and nobody knows how it ended.
func (r *interpreter) tellUnknown(in *config.Intent) {
	e := r.st.Ended
	if e == nil || r.st.recovered || !in.Policy.ConfirmWrites || e.Intent != in.ID || e.Outcome != outcomeUnknown || r.st.Now.Sub(e.At) > unknownFor {
		return
	}
	for name, c := range e.Params {
		if p := in.Param(name); p != nil {
			if now := r.st.cell(p); now != nil && !same(now.Value, c.Value) {
				return
			}
		}
	}
	r.say("outcome_unknown", nil)
}
