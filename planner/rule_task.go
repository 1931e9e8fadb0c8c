package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// proposeTask reads a request for a task, an answer in passing, or the same task again (rules
// 16, 17, 19, 20).
func (r *interpreter) proposeTask() []reading {
	var out []reading
	for _, q := range r.requests() {
		out = append(out, r.readRequest(q)...)
	}
	return out
}

// readRequest reads one request: as the beginning of its task, an answer in passing, values for the
// task under way, an offer of tasks, or nothing.
func (r *interpreter) readRequest(q request) []reading {
	if q.in.NotServed {
		return r.readNotServed(q)
	}
	e := r.backed(&q)
	if r.asksAfterDone(q) {
		return []reading{r.doneReading(q)}
	}
	e = r.leanOnValues(&q, e)
	e = r.leanOnAnswer(&q, e)
	switch {
	case r.st.Active.under(q.in):
		return r.sameAgain(q, e)
	case r.fragment(q):
		return nil
	case r.wouldWriteAgain(q):
		return r.offerTasks(q, []*config.Intent{q.in}, max(e, r.def.Classifier.Threshold)*0.8)
	case r.onlyMentions(q, e):
		if r.st.Open == nil && r.st.Active == nil && e >= r.def.Classifier.Threshold {
			return r.offerTasks(q, []*config.Intent{q.in}, e*0.8)
		}
		return nil
	case r.asksInPassing(q, e):
		return []reading{r.taskReading(q, max(e, anAnswer))} // it costs nothing, and "I don't know" helps no one
	case e < r.def.Classifier.Threshold, q.close && q.second != nil && e <= q.sure:
		return r.unsure(q, e)
	case !r.mayInterrupt(q, e):
		return nil
	}
	return []reading{r.taskReading(q, e)}
}

// asksAfterDone reports whether a request only asks about the task that was done a moment ago.
func (r *interpreter) asksAfterDone(q request) bool {
	ended, last := r.lately()
	return q.asks && last == q.in && ended.Outcome == outcomeDone && r.st.Active == nil
}

// doneReading says that the task of a request is done already.
func (r *interpreter) doneReading(q request) reading {
	return reading{
		Rule: "outcome", kind: kindAside, evidence: 0.9, clauses: q.clauses | r.context(q.clauses),
		perform: func(r *interpreter) { r.say("outcome_done", nil); r.repeat() },
	}
}

// leanOnValues lets the values of a request speak for the only task that has them, while no task is
// under way: the request is for that task, and it is no longer close. It returns the evidence then.
func (r *interpreter) leanOnValues(q *request, e float64) float64 {
	owner := r.onlyTaskOf(q.clauses)
	if owner == nil || r.st.Active != nil || r.endedWith(*q, owner) {
		return e
	}
	policy := r.def.Classifier
	switch {
	case owner == q.in:
		q.backed = q.backed || q.sure >= policy.Reject
	case q.sure < policy.Threshold && r.speaksFor(*q) || r.wantsBy(*q, owner):
		q.in, q.guess = owner, true
	default:
		return e
	}
	q.close = false
	return max(e, 0.7)
}

// endedWith reports whether a task ended a moment ago and a request has nothing but values for it. They
// may be a late word about what was done.
func (r *interpreter) endedWith(q request, in *config.Intent) bool {
	_, last := r.lately()
	alone := func(i int) bool { return valueAlone(r, &r.clauses[i]) }
	return last == in && slices.ContainsFunc(q.clauses.members(), alone)
}

// wouldWriteAgain reports whether a request is nothing but a value for the task that ended a moment ago, and that
// task writes without asking: the value may be a late word about what was done, so the task is offered.
func (r *interpreter) wouldWriteAgain(q request) bool {
	if r.st.Active != nil || q.exact || q.in.Policy.ConfirmWrites || !r.def.Writes(q.in) {
		return false
	}
	onlyValues := func(i int) bool { c := &r.clauses[i]; return len(c.words) <= valueWords(r, c) }
	_, last := r.lately()
	return last == q.in && slices.ContainsFunc(q.clauses.members(), onlyValues)
}

// leanOnAnswer turns a question that sounds like the task under way, without a value for it, into
// one for the answer that is second: "what do you charge for a visit?" within booking one. It
// returns the evidence then.
func (r *interpreter) leanOnAnswer(q *request, e float64) float64 {
	if q.in != r.in || !q.asks || r.st.Open == nil || r.valuesIn(q.clauses) != 0 {
		return e
	}
	if q.second == nil || !q.second.AnswerOnly || q.ranking[1].Confidence < r.def.Classifier.Reject {
		return e
	}
	q.in, q.second, q.close = q.second, nil, false
	return q.ranking[1].Confidence
}

// onlyMentions reports whether a request begins no task, because it is a question about the topic
// of a task that writes, or is under a condition.
func (r *interpreter) onlyMentions(q request, e float64) bool {
	return q.asks && !q.exact && r.def.Writes(q.in) && e < sure || q.if_ && !q.in.AnswerOnly
}

// asksInPassing reports whether a request, while a question is open, asks for an answer that leaves
// the task under way as it is.
func (r *interpreter) asksInPassing(q request, e float64) bool {
	return q.in.AnswerOnly && q.asks && r.st.Active != nil && r.st.Open != nil && e >= r.def.Classifier.Reject && (!q.close || q.second.AnswerOnly) && r.mayInterrupt(q, sure)
}

// anAnswer is the least evidence for an answer in passing. It is higher than that for saying that
// the agent knows no more.
const anAnswer = 0.76

// The evidence that the words of a request add to that of the classifier.
const (
	backedByVerb  = 0.75 // it names the verb and the subject of the task
	backedByValue = 0.6  // it asks for something that only needs a look-up
)

// backed returns the evidence for a request: that of the classifier, and more if the message names
// both the verb and the subject of the task.
func (r *interpreter) backed(q *request) float64 {
	e := q.sure
	if e < r.def.Classifier.Reject/2 || q.exact {
		return e
	}
	if !r.namesSubject(*q) {
		return e
	}
	switch {
	case r.saysVerb(*q):
		q.backed = true
		return max(e, backedByVerb)
	case !r.def.Writes(q.in) && e >= r.def.Classifier.Reject:
		return max(e, backedByValue)
	}
	return e
}

// saysVerb reports whether a request has the verb of its task, the first word of the id.
func (r *interpreter) saysVerb(q request) bool {
	verb := r.wordsOf(spaced(q.in.ID))
	return len(verb) > 0 && slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		return slices.Contains(r.clauses[i].words, verb[0])
	})
}

// namesSubject reports whether a request names the subject of its task: by a value, or by "it" if
// the session knows the subject.
func (r *interpreter) namesSubject(q request) bool {
	for _, v := range r.valuesOf(r.valuesIn(q.clauses)) {
		if p := q.in.Param(v.Param); p != nil && r.isSubject(q.in, p) && v.Source != sourceText {
			return true
		}
	}
	return r.pointsBack(q) && slices.ContainsFunc(q.in.AllParams(), func(p *config.Param) bool {
		return r.isSubject(q.in, p) && p.Scope == config.ScopeSession && r.st.Session[p.Name] != nil
	})
}

// pointsBack reports whether a request has a word for something mentioned before: "cancel it".
func (r *interpreter) pointsBack(q request) bool {
	return slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		return slices.ContainsFunc(r.clauses[i].words, func(w string) bool { return w == "it" || w == "that" || w == "this" })
	})
}

// taskReading begins a task, or answers in passing, with the other values of the message.
func (r *interpreter) taskReading(q request, e float64) reading {
	in := q.in
	x := reading{Rule: "task", Intent: in.ID, kind: kindTask, evidence: e, clauses: q.clauses | r.contextOf(q.clauses, in), title: in.Called()}
	if in.AnswerOnly {
		x.kind = kindAside
		x.around = x.clauses.without(q.clauses)
	}
	if told := r.statements(x.clauses); told != x.clauses {
		x.around |= told // they answer the open question
	}
	x.values = r.valuesIn(x.clauses)
	if r.st.Open != nil && (r.planned() || r.st.Open.Kind == askChange) && r.forbids(in) {
		x.kind = kindHold
		x.perform = func(r *interpreter) { r.again() } // the question is repeated; the message is no answer either
		return x
	}
	doubtful := r.doubtful(q, e)
	x.perform = func(r *interpreter) {
		r.forgetOther(in, x.clauses)
		if r.st.Active != nil && len(r.chosen) > 1 && r.chosen[0].kind == kindYes {
			r.queue(in, x.values) // the call comes first, then this
			return
		}
		before := r.st.Active
		if r.mistaken() {
			r.dropActive()
			doubtful = true
		}
		r.interrupt(in, x.values)
		r.keepForParts(in, x.values)
		r.st.doubt(doubtful)
		r.refer(in, before, x.clauses)
		r.tellUnknown(in)
		r.initial(in, x.clauses)
		r.flags(in, x.clauses)
	}
	return x
}

// context returns the clauses that state something around a request. They belong to it.
func (r *interpreter) context(of set) set { return r.contextOf(of, nil) }

// contextOf is context for a request for a certain task.
func (r *interpreter) contextOf(of set, in *config.Intent) set {
	var out set
	for i := range r.clauses {
		if c := &r.clauses[i]; !of.has(i) && (c.courteous() || c.filler() || c.tells() && !r.asksElsewhere(c, in) || r.sameTask(c, in)) {
			out |= only(i)
		}
	}
	return out
}

// sameTask reports whether a clause asks in other words for a task that is asked for already.
func (r *interpreter) sameTask(c *clause, in *config.Intent) bool {
	if in != nil && r.st.Open == nil && slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool { return v.Cues.Has(message.CueCorrect) && in.Param(v.Param) != nil }) {
		return true // "for march 5, no sorry, march 6"
	}
	return in != nil && len(c.Ranking) > 0 && c.Ranking[0].Intent == in.ID && !c.any(message.ActYes, message.ActNo, message.ActStop, message.ActHold, message.ActAdd)
}

// asksElsewhere reports whether a clause that only states something clearly stands for a task of
// its own.
func (r *interpreter) asksElsewhere(c *clause, in *config.Intent) bool {
	return len(c.Ranking) > 0 && c.Ranking[0].Confidence >= pausedConfidence && (in == nil || c.Ranking[0].Intent != in.ID)
}

// valuesIn returns the values in some clauses.
func (r *interpreter) valuesIn(of set) set {
	var out set
	for i := range r.clauses {
		if of.has(i) {
			out |= r.clauses[i].values
		}
	}
	return out
}

// sameAgain reads the same task again as values for it, not as a restart (rule 17).
func (r *interpreter) sameAgain(q request, e float64) []reading {
	policy := r.def.Classifier
	if e < policy.Threshold || q.close || r.confirming() && r.valuesIn(q.clauses) == 0 {
		return nil
	}
	if r.freeText() && !q.exact || r.asked != nil && r.valuesIn(q.clauses) == 0 && !q.exact && (r.briefly() || q.asks) {
		return nil // an address sounds like the task that asks for it
	}
	of := q.clauses | r.context(q.clauses)
	values := r.valuesIn(of)
	if slices.ContainsFunc(r.valuesOf(values), r.unclear) {
		return nil // proposeElements reads them, or they are said back
	}
	if r.ofElements(values) != 0 {
		e *= 0.9 // proposeElements comes first
	}
	return []reading{{
		Rule: "same task", Intent: q.in.ID, kind: kindAnswer, evidence: e * 0.85, clauses: of, values: values,
		perform: func(r *interpreter) {
			r.used = r.used.without(r.ofElements(values)) // proposeElements did not understand these
			if r.st.Active.Failed != "" {                 // said again, the request is confirmed again: only "try again" is not
				r.st.Active.Failed, r.st.Active.Confirmed = "", nil
			}
			r.filled = true
			r.take(r.in, values)
			r.again()
			for _, i := range of.members() {
				r.leftValues(&r.clauses[i]) // what it names beside them is not dropped silently
			}
		},
	}}
}

// ofElements returns the values that are only for fields of lists of objects.
func (r *interpreter) ofElements(values set) (of set) {
	for _, i := range values.members() {
		name := r.msg.Values[i].Param
		if list, _ := r.in.ObjectsOf(name); list != nil && r.in.Param(name) == nil {
			of |= only(i)
		}
	}
	return of
}

func (r *interpreter) briefly() bool { return len(r.words) <= brief }
