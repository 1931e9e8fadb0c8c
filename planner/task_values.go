package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// makeRoom decides between two close tasks by the values in the message: if a value is the subject
// of one and the other cannot take it, the first wins, with the evidence of both (rule 17 of the
// tasks).
func (r *interpreter) makeRoom(c *clause, q *request, second float64) {
	if q.exact || q.second == nil || q.in.NotServed || q.sure < r.def.Classifier.Reject {
		return
	}
	first, other := r.isAbout(q.in), r.isAbout(q.second)
	switch {
	case first == other:
		return
	case other && !q.close && !(q.in.AnswerOnly && c.p(message.ActQuestion) < maybe && second >= r.def.Classifier.Reject):
		return // but an answer takes no values, so what asks nothing and brings some wants none
	case other:
		q.in, q.second = q.second, q.in
		q.ranking = slices.Clone(q.ranking) // the clause has the same
		q.ranking[0], q.ranking[1] = q.ranking[1], q.ranking[0]
	}
	q.sure, q.close = max(q.sure, min(sure, q.sure+second)), false
}

// isAbout reports whether the message has a value for the subject of a task.
func (r *interpreter) isAbout(in *config.Intent) bool {
	return slices.ContainsFunc(r.msg.Values, func(v message.Value) bool {
		p := in.Param(v.Param)
		if p == nil || v.Source == sourceText || v.Source == sourceBare || v.Confidence <= announcedNumber || v.Cues.Has(message.CueAsked) {
			return false
		}
		return r.isSubject(in, p) || v.Source == "enum" && memberOf(in.Required, p)
	})
}

// onlyTaskOf finds the one task with a param for a value in the message. The value is evidence for
// it (rule 17 of the values).
func (r *interpreter) onlyTaskOf(of set) *config.Intent {
	var found *config.Intent
	for _, v := range r.valuesOf(r.valuesIn(of)) {
		if v.Source == sourceText || v.Source == sourceBare || v.Confidence <= vague || v.Source == "tagger" || v.Cues.Has(message.CueAsked) && v.Source == "enum" {
			continue // "do you have kittens?" asks after them
		}
		var owner *config.Intent
		for _, in := range r.def.Intents {
			if list, _ := in.ObjectsOf(v.Param); in.Internal || in.Param(v.Param) == nil && list == nil {
				continue
			}
			if owner != nil {
				return nil
			}
			owner = in
		}
		if owner == nil || found != nil && found != owner {
			return nil
		}
		found = owner
	}
	return found
}

// speaksFor reports whether a value may decide a request with no sure task: an id does in any
// sentence, and any other value in a short message that denies nothing.
func (r *interpreter) speaksFor(q request) bool {
	said := 0
	for _, i := range q.clauses.members() {
		c := &r.clauses[i]
		if c.is(message.ActNo) || slices.ContainsFunc(c.words, func(w string) bool { return negators[w] || strings.HasSuffix(w, "n't") || w == "wont" || w == "dont" }) {
			return false
		}
		if c.courteous() || c.filler() {
			continue
		}
		for _, w := range c.words {
			if len(w) > 2 && !choiceFillers[w] && !aroundValue[w] {
				said++
			}
		}
	}
	for _, v := range r.valuesOf(r.valuesIn(q.clauses)) {
		if v.Source == "pattern" {
			return true
		}
		said -= len(r.wordsOf(v.Text))
	}
	return said <= mostBeside
}

// mostBeside is how many telling words may stand beside a value that decides a task.
const mostBeside = 3

// wantsBy reports whether the values of a request show that it wants a task, although it looks like
// a question: "put me on the premium one" asks nothing.
func (r *interpreter) wantsBy(q request, task *config.Intent) bool {
	if !q.in.AnswerOnly || q.exact || q.asks {
		return false
	}
	wants := slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		c := &r.clauses[i]
		return c.is(message.ActRequest) && c.p(message.ActQuestion) < likely && !r.denies(c.words, task)
	})
	return wants && len(r.cellsFor(task, r.valuesIn(q.clauses))) > 0
}
