package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeSeveral reads several tasks in one message, done in the order said (rule 18). Answers in
// passing come before the tasks, which may end in a question.
func (r *interpreter) proposeSeveral() []reading {
	parts := r.parts()
	if len(parts) < 2 {
		return nil
	}
	x := reading{Rule: "several", kind: kindTask, evidence: 1}
	for _, p := range parts {
		if r.forbids(p.in) || r.st.Open != nil && r.st.Open.Kind == askConfirm {
			return nil
		}
		x.evidence = min(x.evidence, max(p.sure, 0.85))
		x.clauses |= p.clauses
	}
	x.evidence = max(x.evidence, r.oneOf(parts))
	x.clauses |= r.context(x.clauses)
	x.Intent = parts[0].in.ID
	own := r.shares(parts)
	x.perform = func(r *interpreter) {
		first := parts[0]
		r.asked = nil
		if r.st.Active != nil && r.st.Active.Intent == first.in.ID {
			r.st.Active.Failed = ""
			r.take(first.in, own[0])
			r.again()
		} else {
			r.interrupt(first.in, own[0])
		}
		front := r.st.Active
		r.st.Active = nil
		for i, p := range parts[1:] {
			r.queue(p.in, own[i+1])
		}
		r.st.Active = front
		r.used |= r.allValues()
		r.spoke = true
	}
	return []reading{x}
}

// oneOf returns how sure the ranking of the whole message is of one of its parts, if each part asks
// for something: a ranking can only name one of them. A part that only states something may be the
// reason for a request: "I can't come, cancel my tickets".
func (r *interpreter) oneOf(parts []request) float64 {
	if len(r.msg.Ranking) == 0 {
		return 0
	}
	named := false
	for _, p := range parts {
		named = named || p.in.ID == r.msg.Ranking[0].Intent
		if !slices.ContainsFunc(p.clauses.members(), func(i int) bool { return r.clauses[i].any(message.ActQuestion, message.ActRequest) }) {
			return 0
		}
	}
	if !named {
		return 0
	}
	return r.msg.Ranking[0].Confidence
}

// shares gives each part the values of its own span, up to the next part, and those that the
// message only introduces.
func (r *interpreter) shares(parts []request) []set {
	out := make([]set, len(parts))
	for i, p := range parts {
		out[i] = r.valuesIn(p.clauses) | r.introduced(p.in)
	}
	return out
}

// introduced returns the values for a task in clauses that ask for nothing: "my number is 12, when
// is it due and can you renew it". They are for every task of the message, whatever task the words
// sound like.
func (r *interpreter) introduced(in *config.Intent) set {
	var out set
	for i := range r.clauses {
		if c := &r.clauses[i]; r.introduces(c, in) {
			out |= c.values
		}
	}
	return out
}

// introduces reports whether a clause only gives values for a task: it has no words but theirs, the
// names of their params, and such as accompany a value.
func (r *interpreter) introduces(c *clause, in *config.Intent) bool {
	if c.values == 0 || !c.tells() {
		return false
	}
	known := map[string]bool{}
	for _, v := range r.valuesOf(c.values) {
		p := in.Param(v.Param)
		if p == nil {
			return false
		}
		for _, w := range append(r.wordsOf(v.Text), labelWords(p)...) {
			known[w] = true
		}
	}
	return !slices.ContainsFunc(c.words, func(w string) bool { return !known[w] && !aroundValue[w] && !introducing[w] })
}

// introducing are words that introduce a value.
var introducing = wordSet("introducing")

// The evidence that each of several requests in one message needs. A sentence about one thing is
// easily split into two that sound like two requests, most of all without a joining word: "where is
// my parcel? I ordered it two weeks ago".
const (
	joinedConfidence = 0.7
	pausedConfidence = 0.95
)

// joiners are words that add one request to another.
var joiners = wordSet("joiners")

// parts returns the requests of a message, in the order in which they are done.
func (r *interpreter) parts() []request {
	var parts []request
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.courteous() || c.filler() {
			continue
		}
		q, ok := r.requestOf(c, c.Ranking, c.Stock)
		if !ok {
			continue
		}
		q.clauses = only(i)
		if r.introduces(c, q.in) {
			continue // shares gives its values to all parts
		}
		if !asksByItself(c, q, len(parts) == 0) {
			if len(parts) > 0 && c.tells() {
				parts[len(parts)-1].clauses |= only(i)
			}
			continue
		}
		if last := len(parts) - 1; last >= 0 && slices.ContainsFunc(parts, func(p request) bool { return p.in == q.in && !r.rivals(p.clauses, q.clauses) }) {
			parts[last].clauses |= q.clauses
			continue
		}
		parts = append(parts, q)
	}
	if len(parts) > 1 && !(r.st.Active != nil && r.st.Active.Intent == parts[0].in.ID) {
		slices.SortStableFunc(parts, func(a, b request) int { return cmp.Compare(passing(b.in), passing(a.in)) })
	}
	return parts
}

// asksByItself reports whether the request of a clause is sure enough to be one of several. The
// first one, and one that a word joins to those before, need less.
func asksByItself(c *clause, q request, first bool) bool {
	need := pausedConfidence
	if first || joiners[c.Join] || c.Join == "number" || c.any(message.ActQuestion, message.ActRequest) {
		need = joinedConfidence
	}
	if q.if_ {
		return false
	}
	return q.exact || q.sure >= need && !c.any(message.ActYes, message.ActNo, message.ActHold, message.ActStop)
}

// passing returns 1 for an answer in passing, else 0.
func passing(in *config.Intent) int {
	if in.AnswerOnly {
		return 1
	}
	return 0
}

// rivals reports whether two spans have different values for one param.
func (r *interpreter) rivals(a, b set) bool {
	for _, v := range r.valuesOf(r.valuesIn(a)) {
		for _, w := range r.valuesOf(r.valuesIn(b)) {
			if v.Param == w.Param && !same(v.Value, w.Value) {
				return true
			}
		}
	}
	return false
}
