package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// counts reports whether a number in a longer message is a value of its param. Numbers occur
// everywhere, so a number counts only if it answers the question, or if its label, its unit or a
// correction announces it (rule 10 of the values).
func (r *interpreter) counts(p *config.Param, v message.Value) bool {
	if !numeric(p) {
		return true
	}
	if v.Cues.Any(message.CueLabel|message.CueUnit|message.CueCorrect|message.CueRole) || v.Confidence >= announcedNumber || v.Source == sourceStructured || v.Source == sourceBare {
		return true
	}
	if r.labelled(p, v) || r.st.cell(p) != nil && (r.disagrees() || r.confirming()) && r.aloneInClause(v) {
		return true
	}
	return r.begun && (v.Confidence > vague || r.alone(v) || r.onlyNumber(p, v))
}

// onlyNumber reports whether the number in a message that begins a task can only be for one param:
// it is the only number, the task needs only one, and it counts nothing that follows.
func (r *interpreter) onlyNumber(p *config.Param, v message.Value) bool {
	for _, o := range r.msg.Values {
		if o.Param == p.Name && o.Start != v.Start {
			return false
		}
	}
	if r.in == nil {
		return false
	}
	for o := range r.in.EachParam {
		if o != p && o.Name != p.Name && numeric(o) {
			return false
		}
	}
	behind := r.wordsOf(r.between(v.End, r.size))
	next := strings.TrimLeft(r.between(v.End, r.size), " ")
	return len(behind) == 0 || next != "" && strings.ContainsAny(next[:1], ",.;:!)") || notCounted[behind[0]]
}

// notCounted are words that follow a number without being what it counts.
var notCounted = wordSet("not_counted")

// numeric reports whether a param is a number.
func numeric(p *config.Param) bool {
	switch p.Type.Builtin {
	case "number", "integer", "ordinal", "percentage":
		return true
	}
	return false
}

// alone reports whether a value stands by itself between two pauses: "small, two, at 6".
func (r *interpreter) alone(v message.Value) bool {
	before := strings.TrimRight(r.between(0, v.Start), " ")
	behind := strings.TrimLeft(r.between(v.End, r.size), " ")
	return (before == "" || strings.ContainsAny(before[len(before)-1:], ",;.")) && (behind == "" || strings.ContainsAny(behind[:1], ",;."))
}

// corrects reports whether a bare value may stand for a param that was not asked for: the message
// names the param, or says that a known value should change.
func (r *interpreter) corrects(in *config.Intent, v message.Value) bool {
	p := r.param(in, v.Param)
	if in == nil || p == nil || in.Param(v.Param) == nil {
		return false
	}
	if r.st.cell(p) == nil {
		return r.begun && p.Type.Builtin != "number" && p.Type.Builtin != "integer" || v.Cues.Any(message.CueLabel|message.CueRole) || r.labelled(p, v)
	}
	return v.Cues.Any(message.CueCorrect|message.CueLabel|message.CueUnit|message.CueRole) || r.disagrees() || r.labelled(p, v) || r.confirming() && r.aloneInClause(v)
}

// confirming reports whether the open question is the confirmation of a write.
func (r *interpreter) confirming() bool { return r.st.Open != nil && r.st.Open.Kind == askConfirm }

// labelled reports whether a word of the param's label stands shortly before the value, or its unit
// right behind it.
func (r *interpreter) labelled(p *config.Param, v message.Value) bool {
	before := r.wordsOf(r.between(0, v.Start))
	label := r.wordsOf(p.Label)
	behind := r.wordsOf(r.between(v.End, r.size))
	if len(behind) > 0 && slices.Contains(label, behind[0]) {
		return true
	}
	for _, w := range behind[:min(labelReach, len(behind))] { // "4.4 or higher rating"
		if len(w) > 3 && slices.Contains(label, w) {
			return true
		}
	}
	for _, w := range before[max(0, len(before)-labelReach):] {
		if len(w) > 2 && slices.Contains(label, w) {
			return true
		}
	}
	return false
}

// aloneInClause reports whether a clause, or a part of it between commas, holds nothing but a
// value.
func (r *interpreter) aloneInClause(v message.Value) bool {
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.meets(v) {
			continue
		}
		before := r.between(c.Start, v.Start)
		if at := strings.LastIndexAny(before, ",;"); at >= 0 {
			before = before[at+1:]
		}
		behind := r.between(v.End, c.End)
		if at := strings.IndexAny(behind, ",;"); at >= 0 {
			behind = behind[:at]
		}
		rest := append(r.wordsOf(before), r.wordsOf(behind)...)
		return !slices.ContainsFunc(rest, func(w string) bool { return !aroundValue[w] })
	}
	return false
}

// aroundValue are words that accompany a value given by itself.
var aroundValue = wordSet("around_value")

// disagrees reports whether the message says that something is wrong.
func (r *interpreter) disagrees() bool {
	return slices.ContainsFunc(r.clauses, func(c clause) bool {
		return c.is(message.ActNo) || c.is(message.ActCorrect)
	}) ||
		slices.ContainsFunc(r.msg.Values, func(v message.Value) bool { return v.Cues.Any(message.CueCorrect | message.CueNegated) })
}
