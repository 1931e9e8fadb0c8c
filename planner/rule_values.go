package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeValues reads the values of a message for the task under way: an answer, more than was
// asked for, a correction (rules 2, 4, 12). A question with a value in it fills nothing.
func (r *interpreter) proposeValues() []reading {
	if r.in == nil || r.st.Active == nil || r.st.Open != nil && r.st.Open.Kind == askIntent {
		return nil
	}
	x := reading{Rule: "values", kind: kindAnswer}
	changes := false
	for _, group := range r.groups() {
		v, p := r.choose(r.in, group.values)
		if p == nil || r.in.Param(p.Name) == nil && r.asked != nil && r.freeText() || r.unclear(v) {
			continue
		}
		e, changed := r.worth(p, v)
		if e <= 0 || !changed && r.asked != p {
			continue
		}
		if changes = changes || r.in.Param(p.Name) != nil; r.in.Param(p.Name) == nil && r.st.Open != nil {
			continue // it is remembered, but answers nothing
		}
		x.values |= group.at
		x.evidence = max(x.evidence, e)
	}
	own := x.values
	callers, e := r.callerValues()
	callers = callers.without(own)
	if !changes && callers == 0 {
		return nil
	}
	x.values, x.evidence = own|callers, max(x.evidence, e)
	x.clauses = r.answeringClauses(x.values)
	x.perform = func(r *interpreter) {
		r.take(r.in, own)
		if callers != 0 {
			r.takeThrough(callers)
		}
		r.again()
		r.closeChange()
	}
	return []reading{x}
}

// answeringClauses returns the clauses with some values, and those that only accompany an answer.
func (r *interpreter) answeringClauses(values set) set {
	var out set
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values.meets(values) || c.tells() && c.values == 0 || c.courteous() || c.filler() || r.leadsTo(c) {
			out |= only(i)
		}
	}
	return out
}

// closeChange closes the question "what should be different?".
func (r *interpreter) closeChange() {
	if q := r.st.Open; q != nil && r.filled && (q.Kind == askChange || q.Kind == askCorrect) {
		r.st.Open = nil
	}
}

// leadsTo reports whether a clause without a value only leads to one: "no", "wait", "sorry, I
// meant".
func (r *interpreter) leadsTo(c *clause) bool {
	return (c.values == 0 || c.is(message.ActHold) && r.givesAsked(c)) && c.any(message.ActNo, message.ActCorrect, message.ActYes, message.ActHold) && !c.any(message.ActQuestion, message.ActRequest, message.ActStop) && !r.wantsOther(c)
}

// group holds the candidates for one span of the message.
type group struct {
	values []message.Value
	at     set
}

// groups returns the spans with values, without those in questions and under conditions.
func (r *interpreter) groups() []group {
	var usable []message.Value
	for _, v := range r.msg.Values {
		if (!v.Cues.Has(message.CueAsked) || r.wished(v)) && v.Source != sourceOption && !r.onlyAsks(v) {
			usable = append(usable, v)
		}
	}
	var out []group
	for _, g := range spans(usable) {
		x := group{values: g}
		for i, v := range r.msg.Values {
			if v.Source != sourceText && v.Start < max(g[0].End, g[0].Start+1) && g[0].Start < max(v.End, v.Start+1) {
				x.at |= only(i)
			}
		}
		out = append(out, x)
	}
	return out
}

// onlyAsks reports whether a value, of another param than the one asked for, is in a plain
// question: "can I go back to Max later?".
func (r *interpreter) onlyAsks(v message.Value) bool {
	if r.asked == nil || v.Param == r.asked.Name || v.Cues.Any(message.CueCorrect|message.CueAdd|message.CueLabel) {
		return false
	}
	for i := range r.clauses {
		if c := &r.clauses[i]; c.meets(v) {
			return c.Mark == '?' && c.is(message.ActQuestion) && c.p(message.ActQuestion) > c.p(message.ActRequest) && !followUp(c)
		}
	}
	return false
}

// wished reports whether a question asks for the value in it: "could we do Friday?".
func (r *interpreter) wished(v message.Value) bool {
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.meets(v) {
			return c.p(message.ActRequest) > c.p(message.ActQuestion) || c.is(message.ActCorrect) || c.is(message.ActAdd) || r.st.Active != nil && proposes(c.words)
		}
	}
	return false
}

// proposes reports whether words suggest a value in a question: "what about tomorrow?".
func proposes(words []string) bool {
	return len(words) > 2 && (words[0] == "what" || words[0] == "how") && words[1] == "about"
}

// worth returns the evidence that a value is meant for a param, and whether it would change
// anything.
func (r *interpreter) worth(p *config.Param, v message.Value) (evidence float64, changes bool) {
	c := r.st.cell(p)
	changes = differs(c, p, v)
	evidence = surenessOf(v)
	switch {
	case r.asked == p && namely(p) && r.correctsOther():
		return 0, true // "sorry, it's spelled John Smith" is about the name before
	case r.asked == p:
	case c != nil && changes:
		if evidence, changes = r.worthAsChange(p, v, evidence); evidence == 0 {
			return 0, changes
		}
	default:
		evidence *= 0.9
	}
	if r.elsewhere(v) {
		evidence *= 0.6
	}
	return evidence, changes
}

// differs reports whether a value would change what is known of a param.
func differs(c *paramCell, p *config.Param, v message.Value) bool {
	if list, ok := valueList(c); ok && p.List {
		return v.Cues.Any(message.CueNegated|message.CueRemove) == slices.ContainsFunc(list, func(e any) bool { return same(e, v.Value) })
	}
	return c == nil || !same(c.Value, v.Value)
}

// worthAsChange returns the evidence that a value, which is that sure, is to change what is known
// of a param that is not asked for, and whether it would. The evidence is 0 if it is not meant so.
func (r *interpreter) worthAsChange(p *config.Param, v message.Value, sureness float64) (evidence float64, changes bool) {
	switch {
	case !p.List && v.Cues.Has(message.CueAdd) && !v.Cues.Has(message.CueCorrect):
		return 0, false // one more, not another one: see proposeMore
	case r.freeText() && !v.Cues.Any(message.CueCorrect|message.CueLabel) && !r.disagrees():
		return 0, true // "one of us can't eat nuts" tells what is asked for
	case v.Cues.Any(message.CueCorrect|message.CueLabel|message.CueRole|message.CueUnit|message.CueNegated) || r.disagrees():
		return max(sureness, 0.93), true
	case p.List:
		return sureness * 0.9, true
	case r.confirming() && v.Source != "pattern" && !r.aloneInClause(v) && !r.labelled(p, v):
		return 0, true // it stands in a sentence about something
	}
	return sureness * 0.85, true
}

func valueList(c *paramCell) ([]any, bool) {
	if c == nil {
		return nil, false
	}
	list, ok := c.Value.([]any)
	return list, ok
}

// surenessOf returns how sure it is that the words are a value of the param's type.
func surenessOf(v message.Value) float64 {
	switch v.Source {
	case sourceStructured:
		return 1
	case sourceOption, "pattern":
		return 0.97
	case sourceBare:
		return 0.9
	case sourceAnnounced:
		return max(v.Confidence, 0.75)
	}
	return max(v.Confidence, 0.85)
}

// elsewhere reports whether a value is in a clause that clearly asks for another task.
func (r *interpreter) elsewhere(v message.Value) bool {
	if v.Cues.Has(message.CueCorrect) {
		return false
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.meets(v) || len(c.Ranking) == 0 {
			continue
		}
		top := c.Ranking[0]
		return top.Intent != r.in.ID && top.Confidence >= sure && (c.any(message.ActQuestion, message.ActRequest) || c.Stock == top.Intent || top.Confidence >= nearlyCertain)
	}
	return false
}

// sure is the confidence from which a task outweighs an answer.
const sure = 0.8
