package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

const noSigns = "👎❌❎🚫✋🛑⛔✖🙅" // that nobody draws with a yes

// proposeYes reads a yes to the open question in words that are nothing else: every clause says it, repeats the
// question, or is polite. What people say beside them the reader knows (read.go); without it, they are asked again.
func (r *interpreter) proposeYes() []reading {
	q := r.st.Open
	if q == nil && (r.st.Active == nil || r.st.Active.Failed == "") || !r.asksYes() || strings.ContainsAny(r.msg.Text, noSigns) {
		return nil
	}
	x := reading{Rule: "yes", Intent: "affirm", kind: kindYes, perform: (*interpreter).affirm}
	for i := range r.clauses {
		c := &r.clauses[i]
		switch yes := r.yesIn(c); {
		case yes >= likely:
			x.evidence = max(x.evidence, yes)
		case x.evidence > 0 && r.restates(c):
		case r.spoilsYes(c):
			return nil
		case !c.courteous():
			continue // another rule answers it
		}
		x.clauses |= only(i)
	}
	if x.evidence < likely || x.clauses != r.wholeMessage() && x.evidence < surely {
		return nil
	}
	return []reading{x}
}

// againstYes are the acts that speak against a yes.
var againstYes = acts(message.ActNo, message.ActHold, message.ActStop, message.ActCorrect, message.ActUnknown, message.ActRefuse, message.ActChoose, message.ActUndo, message.ActResume)

// spoilsYes reports whether the message is no yes because of a clause that is none: what is against it, and, beside
// a yes to a write, all but courtesy, what is known, and one more of the same.
func (r *interpreter) spoilsYes(c *clause) bool {
	switch {
	case c.does&againstYes != 0:
		return true
	case !r.confirming(), c.is(message.ActAdd):
		return false
	}
	return !c.any(message.ActThanks, message.ActPraise, message.ActGreet, message.ActBye) || !r.holdsAll(c)
}

// restates reports whether a clause beside a yes to a write only says what is asked, and what is known. Other words
// of the question may be another deed: "yes, order it" to "Cancel order O-1?".
func (r *interpreter) restates(c *clause) bool {
	if !r.confirming() || c.Mark == '?' || !r.holdsAll(c) || !r.says(c, r.politeYes(), r.questionWords(r.st.Open), echoWords) {
		return false
	}
	return c.values != 0 || slices.Contains(c.words, r.questionVerb(r.st.Open))
}

// holdsAll reports whether a clause has only values that are known.
func (r *interpreter) holdsAll(c *clause) bool {
	return !slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool {
		p := r.in.Param(v.Param)
		return p == nil || !holdsValue(r.st.cell(p), v.Value)
	})
}

// wantsOther reports whether a clause likely asks for another task than the one under way.
func (r *interpreter) wantsOther(c *clause) bool {
	if len(c.Ranking) == 0 || r.in != nil && c.Ranking[0].Intent == r.in.ID {
		return false
	}
	in := r.def.Intent(c.Ranking[0].Intent)
	return in != nil && in.ID != r.def.Classifier.Fallback && c.Ranking[0].Confidence >= joinedConfidence
}

// asksYes reports whether a yes can answer the open question.
func (r *interpreter) asksYes() bool {
	q := r.st.Open
	if q == nil {
		return true // the failed call: yes, try again
	}
	switch q.Kind {
	case askConfirm:
		return !r.changesConfirmed()
	case askHandoff, askResumeOne, askCorrect, askChange:
		return true
	case askIntent:
		return len(q.Options) == 1
	}
	return false
}

// changesConfirmed reports whether the message has a value that differs from the pending
// confirmation and is not added to it.
func (r *interpreter) changesConfirmed() bool {
	for _, v := range r.msg.Values {
		if v.Source == sourceText || v.Cues.Any(message.CueAdd|message.CueAsked) || r.in == nil || v.Source == sourceBare && !r.corrects(r.in, v) {
			continue
		}
		if p := r.in.Param(v.Param); p != nil && r.counts(p, v) && !r.elsewhere(v) {
			if c := r.st.cell(p); (c == nil || !same(c.Value, v.Value)) && !holdsValue(c, v.Value) {
				return true
			}
		}
	}
	return false
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// affirm carries out a yes.
func (r *interpreter) affirm() {
	q := r.st.Open
	r.spoke = true
	if q == nil {
		r.resume() // yes, try again
		return
	}
	switch q.Kind {
	case askConfirm:
		r.accept(q)
	case askHandoff:
		r.human()
	case askResumeOne:
		r.st.Open = nil
		r.pick(q.Options[0].Value, 0)
	case askCorrect:
		r.replace(q)
	case askIntent:
		r.st.Open, r.picked = nil, true
		r.pickOption(q.Options[0])
	case askChange:
		r.st.Open = nil // yes after all: the confirmation is asked anew
	}
}

// reserved reports whether the message restricts its yes: "yes, but not that one".
func (r *interpreter) reserved() bool {
	return strings.ContainsAny(r.msg.Text, noSigns) || slices.ContainsFunc(r.clauses, func(c clause) bool {
		return r.yesIn(&c) < likely && (c.does&againstYes != 0 || c.is(message.ActQuestion))
	})
}

// accept applies a yes to the open confirmation if the calls are still the same.
func (r *interpreter) accept(q *openQuestion) {
	pl := &planning{def: r.def, st: r.st, in: r.in, frame: r.st.Active, env: r.st.env(r.in)}
	step := findStep(r.in.Plan, q.Step)
	r.st.Open = nil
	if step == nil || q.Again || q.Unseen && !r.st.seen {
		return // Next asks again
	}
	due := pl.due(step)
	if pl.confirmHash(due) != q.Hash {
		return // something changed since: Next asks again
	}
	r.st.way(q.Step, WayYes)
	r.st.done(position{ID: q.Step})
	r.st.noteAnswer(true)
	if r.st.Active.Confirmed == nil {
		r.st.Active.Confirmed = map[string]string{}
	}
	r.st.Active.ConfirmedAt = r.st.Now
	for _, c := range due {
		r.st.Active.Confirmed[c.ID] = callHash(c, resolve(c.With, pl.env))
	}
}

// title returns the name of an intent for users.
func title(in *config.Intent) string { return in.Called() }
