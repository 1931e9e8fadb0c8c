package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// findLeftovers finds what no performed reading explains, and says so: no part of a message is
// dropped silently. A clause that only states something belongs to the readings beside it. A clause
// that asks for what a performed reading does is heard, whichever of the two the arbiter preferred.
func (r *interpreter) findLeftovers(others []reading) {
	r.leftUnknown()
	if len(r.chosen) == 0 {
		for i := range r.clauses {
			if r.clauses[i].values != 0 && r.st.Open == nil {
				r.leftValues(&r.clauses[i])
			}
		}
		return
	}
	var explained set
	for _, x := range r.chosen {
		explained |= x.clauses
	}
	heard := r.sameRequests(others)
	for i := range r.clauses {
		c := &r.clauses[i]
		if r.onlyPutOff(i) && c.values != 0 {
			r.leftValues(c)
			continue
		}
		if explained.has(i) || r.leadsTo(c) && len(c.words) <= 3 || c.courteous() || c.filler() || c.tells() && c.values == 0 {
			continue
		}
		if c.values != 0 && r.leftValues(c) {
			continue
		}
		if !heard.has(i) && c.any(message.ActQuestion, message.ActRequest, message.ActAdd, message.ActCorrect) && len(c.words) > 1 {
			r.addLeftover(Leftover{Start: c.Start, End: c.End, Kind: leftoverClause, Text: c.text})
		}
	}
}

// sameRequests returns the clauses with a request that a performed reading carries out: "hmm
// actually, cancel it" reads as one in each of its clauses.
func (r *interpreter) sameRequests(others []reading) set {
	var of set
	for _, x := range others {
		if x.kind == kindTask && slices.ContainsFunc(r.chosen, func(c reading) bool { return c.Rule == x.Rule && c.Intent == x.Intent }) {
			of |= x.clauses
		}
	}
	return of
}

// onlyPutOff reports whether the only answer to a clause was that the agent does not know more.
func (r *interpreter) onlyPutOff(i int) bool {
	return slices.ContainsFunc(r.chosen, func(x reading) bool { return x.Rule == "question" && x.clauses.has(i) })
}

// leftUnknown reports words among the values of an enumeration that are none of them: "We have no
// pineapple". If no value was taken beside them, the misfit rule reports them.
func (r *interpreter) leftUnknown() {
	if len(r.chosen) == 0 || slices.ContainsFunc(r.chosen, func(x reading) bool { return x.Rule == "no such value" }) {
		return
	}
	for _, v := range r.msg.Wrong {
		in := r.st.intent(r.def)
		if v.Wrong != "unknown" || in == nil || in.Param(v.Param) == nil {
			continue
		}
		r.say("not_known_value", map[string]any{"text": v.Text})
		r.again()
		r.leftovers = append(r.leftovers, Leftover{Start: v.Start, End: v.End, Kind: leftoverValue, Param: v.Param, Text: v.Text, Told: true})
	}
}

// leftValues reports the unused values of a clause, and returns whether there were any.
func (r *interpreter) leftValues(c *clause) bool {
	found := false
	end := -1
	for _, i := range c.values.without(r.used).members() {
		v := r.msg.Values[i]
		if v.Start < end || v.Source == sourceBare || v.Confidence <= vague || r.knownNow(v) {
			continue
		}
		end, found = v.End, true
		r.addLeftover(Leftover{Start: v.Start, End: v.End, Kind: leftoverValue, Param: v.Param, Text: v.Text})
	}
	return found
}

// knownNow reports whether a value is already known for its param.
func (r *interpreter) knownNow(v message.Value) bool {
	var p *config.Param
	if in := r.st.intent(r.def); in != nil {
		p = in.Param(v.Param)
	}
	if p == nil {
		p = r.def.Params[v.Param]
	}
	if p == nil {
		return false
	}
	c := r.st.cell(p)
	return c != nil && (same(c.Value, v.Value) || holdsValue(c, v.Value))
}

// addLeftover keeps a leftover and mentions it before the next question.
func (r *interpreter) addLeftover(l Leftover) {
	l.Told = render(r.st, "unheard", map[string]any{"text": l.Text}) != ""
	if l.Told {
		r.say("unheard", map[string]any{"text": l.Text})
		r.again()
	}
	r.leftovers = append(r.leftovers, l)
}
