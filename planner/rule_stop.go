package planner

import (
	"cmp"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeStop reads a request to end the task under way. The task's own verb does not stop it: at
// "Cancel order O-1?" the words "cancel it" are a yes, and "cancel" alone leads to a question.
func (r *interpreter) proposeStop() []reading {
	x := reading{Rule: "stop", Intent: "cancel", kind: kindStop, perform: (*interpreter).stop}
	var word string
	for i := range r.clauses {
		c := &r.clauses[i]
		if p := stopIn(c); p >= likely {
			x.evidence = max(x.evidence, p)
			x.clauses |= only(i)
			if len(c.words) > 0 {
				word = c.words[0]
			}
		} else if c.courteous() || c.filler() || c.tells() && c.values == 0 || c.any(message.ActNo, message.ActHold) && c.values == 0 {
			x.clauses |= only(i)
		}
	}
	switch {
	case x.evidence < likely:
		return nil
	case r.st.Active == nil && r.st.Open == nil && len(r.st.Suspended) == 0:
		return r.stopNothing(x)
	}
	if r.stopIsVerb(word) {
		if slices.ContainsFunc(r.clauses, func(c clause) bool { return r.echoes(&c) }) {
			return nil
		}
		x.Rule, x.Intent, x.kind = "stop or do", r.in.ID, kindHold
		x.perform = func(r *interpreter) {
			r.st.Active.attempt(askedToStop + r.st.Open.Step)
			r.say("cancel_or_stop", map[string]any{"title": r.task().Called()})
			r.again()
		}
	}
	if t := r.stopIsTask(x); t != nil {
		x.title = "stop here"
		return []reading{x, *t}
	}
	return []reading{x}
}

// stopIsVerb reports whether the word of a stop is also the verb of the open confirmation, and the
// user was not asked yet which of the two it is.
func (r *interpreter) stopIsVerb(word string) bool {
	q := r.st.Open
	return q != nil && q.Kind == askConfirm && r.in != nil && word != "" && word == r.questionVerb(q) && r.st.Active.Attempts[askedToStop+q.Step] == 0
}

// stopIsTask finds another task that the words of a stop may ask for: "ok then cancel it", said
// during another task. A phrase that can only stop is none.
func (r *interpreter) stopIsTask(x reading) *reading {
	if x.kind != kindStop {
		return nil
	}
	for _, i := range x.clauses.members() {
		c := &r.clauses[i]
		if c.Stock == "cancel" || len(c.words) < 2 {
			continue
		}
		for _, in := range r.def.Intents {
			if in != r.in && !in.AnswerOnly && len(in.Examples) > 0 && slices.Contains(c.words, r.wordsOf(spaced(in.ID))[0]) {
				t := r.taskReading(request{in: in, sure: x.evidence, clauses: x.clauses, guess: true}, x.evidence)
				return &t
			}
		}
	}
	return nil
}

func stopIn(c *clause) float64 {
	if c.Stock == "cancel" {
		return 1
	}
	return c.p(message.ActStop)
}

// stopNothing reads a stop with no task under way: it may be short for a task, "cancel it".
func (r *interpreter) stopNothing(x reading) []reading {
	for _, q := range r.requests() {
		if q.sure >= r.def.Classifier.Threshold/2 && !q.in.AnswerOnly && r.verbOf(q.in.ID, r.clauses) {
			q.clauses |= x.clauses
			q.guess = true
			return []reading{r.taskReading(q, max(q.sure, 0.85))}
		}
	}
	x.kind = kindMeta
	x.evidence *= 0.8
	x.perform = func(r *interpreter) {
		r.take(nil, r.allValues()) // an order number said along with it is kept
		r.say("nothing_to_cancel", nil)
	}
	return []reading{x}
}

// verbOf reports whether the message has a word of an intent's id.
func (r *interpreter) verbOf(id string, clauses []clause) bool {
	parts := r.wordsOf(spaced(id))
	return slices.ContainsFunc(clauses, func(c clause) bool {
		return slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(parts, w) })
	})
}

// stop ends the active task and offers the one it interrupted (rule 15).
func (r *interpreter) stop() {
	if q := r.st.Open; q != nil && q.Kind == askResumeOne {
		r.deny() // what was put aside is not taken up again
		return
	}
	r.stopActive()
}

// stopActive says which task was stopped, and that nothing was done.
func (r *interpreter) stopActive() {
	if r.in == nil || r.st.Active == nil || r.st.Active.wrote() {
		r.drop("cancelled", nil)
		return
	}
	r.drop("stopped", map[string]any{"title": r.task().Called()})
}

// task returns the task under way as the user asked for it: in a sub-task, the outermost caller.
func (r *interpreter) task() *config.Intent {
	if f := r.st.Active; f != nil && f.Caller != nil {
		return cmp.Or(f.task(r.def), r.in)
	}
	return r.in
}
