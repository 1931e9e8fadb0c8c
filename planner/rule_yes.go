package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

const noSigns = "👎❌❎🚫✋🛑⛔✖🙅" // that nobody draws with a yes

// proposeYes reads a yes to the open question.
func (r *interpreter) proposeYes() []reading {
	q := r.st.Open
	if q == nil && (r.st.Active == nil || r.st.Active.Failed == "") || !r.asksYes() || strings.ContainsAny(r.msg.Text, noSigns) {
		return nil
	}
	x := reading{Rule: "yes", Intent: "affirm", kind: kindYes, perform: (*interpreter).affirm}
	stories, yeses, weakly := 0, 0, 0
	for i := range r.clauses {
		c := &r.clauses[i]
		if weak(c) && c.p(message.ActYes) >= likely && !(c.courteous() && x.evidence > 0) {
			weakly++
		}
		switch r.partInYes(c, x.evidence) {
		case partSpoils:
			return nil
		case partSays:
			x.evidence = max(x.evidence, r.yesIn(c))
			x.clauses |= only(i)
			yeses++
		case partFits:
			x.clauses |= only(i)
		case partAsks:
			stories += 2
		case partTells:
			stories++
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence < likely || stories > 0 && (x.evidence < surely || weakly >= yeses) {
		return nil
	}
	return []reading{x}
}

// yesPart is the role of a clause in a message that may be a yes.
type yesPart int

const (
	partTells  yesPart = iota // gives a reason: only beside a sure yes
	partSpoils                // the message is no yes
	partSays                  // is the yes
	partFits                  // repeats it, or is courtesy
	partAsks                  // wants something else: only beside a sure yes
)

// yesParts lists the roles with their tests; the first that holds counts. sure is the evidence for
// a yes in the clauses before, from 0 to 1.
var yesParts = []struct {
	part  yesPart
	holds func(r *interpreter, c *clause, sure float64) bool
}{
	{partSpoils, func(r *interpreter, c *clause, _ float64) bool { return r.confirming() && c.hasAny(elsewise) }},
	{partSays, func(r *interpreter, c *clause, _ float64) bool { return r.yesIn(c) >= likely }},
	{partFits, func(r *interpreter, c *clause, sure float64) bool {
		return sure >= likely && r.confirming() && r.restates(c)
	}},
	{partSpoils, func(r *interpreter, c *clause, _ float64) bool {
		return r.confirming() && (r.wishesOtherwise(c) || c.hasAny(undecided) || r.keeps(c) || r.hopes(c))
	}},
	{partFits, func(r *interpreter, c *clause, _ float64) bool {
		return c.courteous() && (!r.confirming() || c.any(message.ActThanks, message.ActPraise, message.ActGreet) || c.hasAny(partings))
	}},
	{partFits, func(r *interpreter, c *clause, sure float64) bool { return sure >= surely && r.urges(c) }},
	{partSpoils, func(r *interpreter, c *clause, _ float64) bool { return r.confirming() && r.bringsOther(c) }},
	{partSpoils, func(r *interpreter, c *clause, sure float64) bool {
		return r.bars(c) && !(sure >= surely && r.excuses(c))
	}},
	// Nothing that asks for something stands beside a yes to a write, but for one more of the same:
	// "yes, what does it cost?" may still become a no.
	{partSpoils, func(r *interpreter, c *clause, _ float64) bool {
		return r.confirming() && r.asksElse(c) && !c.is(message.ActAdd)
	}},
	{partAsks, func(r *interpreter, c *clause, _ float64) bool { return r.asksElse(c) }},
	// What is left may be anything, a part of an address or an order to the bot, unless a person
	// tells of themselves or of the thing.
	{partSpoils, func(_ *interpreter, c *clause, sure float64) bool {
		return !ownReason(c) || sure == 0 && !slices.ContainsFunc(c.words[:min(2, len(c.words))], func(w string) bool { return persons[w] })
	}},
}

// partInYes returns the role of a clause.
func (r *interpreter) partInYes(c *clause, sure float64) yesPart {
	for _, p := range yesParts {
		if p.holds(r, c, sure) {
			return p.part
		}
	}
	return partTells
}

// asksElse reports whether a clause asks for something that the open question is not about.
func (r *interpreter) asksElse(c *clause) bool {
	return c.any(message.ActQuestion, message.ActRequest, message.ActAdd, message.ActHelp, message.ActRepeat, message.ActHuman, message.ActReset) || r.wantsOther(c)
}

// hopes reports whether a clause says what the user would like to happen to the thing in question:
// "I'll take it", "let it come", "it should arrive". Beside a yes to undo it, that reverses the
// yes; beside any other yes it costs one more question.
func (r *interpreter) hopes(c *clause) bool {
	if r.yesIn(c) >= likely || c.courteous() || barred(c.words) || r.echoes(c) || c.is(message.ActQuestion) && !hopeful[first(c.words)] {
		return false
	}
	return hopeful[first(c.words)] || c.hasAny(desires) || !persons[first(c.words)] && c.hasAny(modals)
}

// keeps reports whether a clause wants the thing in question to stay as it is, unless the question
// itself asks to keep it.
func (r *interpreter) keeps(c *clause) bool {
	for i, w := range c.words {
		if keeping[w] && !r.questionWords(r.st.Open)[w] && (i+1 == len(c.words) || kept[c.words[i+1]]) {
			return true
		}
	}
	return false
}

// bringsOther reports whether a clause has a value that the open question is not about.
func (r *interpreter) bringsOther(c *clause) bool {
	return c.values != 0 && !(persons[first(c.words)] && r.foreignValues(c)) && !c.any(message.ActQuestion, message.ActAdd) && !r.wantsOther(c) &&
		!slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool { return v.Cues.Any(message.CueAdd | message.CueAsked) })
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

// bars reports whether a clause prevents a yes.
func (r *interpreter) bars(c *clause) bool {
	if c.is(message.ActQuestion) && r.confirming() && slices.ContainsFunc(c.words[:min(3, len(c.words))], func(w string) bool { return w == "if" || w == "about" }) {
		return true // "what if I keep it", "how about tomorrow"
	}
	return c.any(message.ActNo, message.ActHold, message.ActStop, message.ActCorrect, message.ActUnknown, message.ActRefuse, message.ActChoose, message.ActUndo, message.ActResume) ||
		yesBars[c.Join] || len(c.words) > 0 && yesTerms[c.words[0]] && !(c.is(message.ActQuestion) && c.Mark == '?') || len(c.words) > 1 && c.words[0] == "as" && (c.words[1] == "long" || c.words[1] == "soon") ||
		c.tells() && barred(c.words) && !ownReason(c)
}

// wishesOtherwise reports whether a clause beside a yes wants something: "sure, I want to keep it".
func (r *interpreter) wishesOtherwise(c *clause) bool {
	for i, w := range c.words[:max(0, len(c.words)-1)] {
		if (w == "want" || w == "like" || w == "prefer" || w == "wanna") && c.words[i+1] == "to" && !r.clean(c) {
			return true
		}
	}
	return false
}

// standsForThing are the words that stand for the thing in question.
var standsForThing = wordSet("it that them this")

// urges reports whether a clause behind a yes only asks for what was confirmed: "please note it".
func (r *interpreter) urges(c *clause) bool {
	if c.values != 0 || len(c.words) > 4 || c.any(message.ActQuestion, message.ActNo, message.ActHold, message.ActStop, message.ActUndo) || barred(c.words) || r.wantsOther(c) {
		return false
	}
	if yesBars[c.Join] || r.confirming() && r.otherDeed(c, r.questionWords(r.st.Open)) {
		return false
	}
	verbs, at := 0, -1
	for i, w := range c.words {
		switch {
		case standsForThing[w]:
			at = i
		case !yesWords[w]:
			if r.confirming() && !doings[w] && !r.questionWords(r.st.Open)[w] {
				return false // "ship it" is another thing
			}
			verbs++
			if i+1 >= len(c.words) || !standsForThing[c.words[i+1]] {
				return false
			}
		}
	}
	return at > 0 && verbs <= 1
}

// foreignValues reports whether the task under way takes no value of a clause.
func (r *interpreter) foreignValues(c *clause) bool {
	return !slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool { return r.in != nil && r.in.Param(v.Param) != nil })
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// excuses reports whether a clause behind a sure yes only gives a reason: "I don't need it any
// more". Its "not" is about the user, not about the question.
func (r *interpreter) excuses(c *clause) bool {
	if len(c.words) < 3 || !persons[c.words[0]] || c.any(message.ActHold, message.ActStop, message.ActUndo, message.ActQuestion, message.ActRequest) || c.Join == "but" || c.Join == "if" || c.Join == "unless" {
		return false
	}
	verb := ""
	if q := r.st.Open; q != nil && q.Kind == askConfirm {
		verb = r.questionVerb(q)
	}
	return !slices.Contains(c.words, verb) && slices.ContainsFunc(c.words, func(w string) bool { return needs[w] })
}

// ownReason reports whether a clause is about the user or the thing: "I don't need it any more".
func ownReason(c *clause) bool {
	return c.tells() && len(c.words) > 1 && (slices.ContainsFunc(c.words[:min(2, len(c.words))], func(w string) bool { return ownWords[w] }) || c.Join == "because" && slices.ContainsFunc(c.words, func(w string) bool { return persons[w] }))
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

// reserved reports whether the message restricts its yes: "yes, but not that one", "yes if it is
// free".
func (r *interpreter) reserved() bool {
	if strings.ContainsAny(r.msg.Text, noSigns) {
		return true
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if r.yesIn(c) < likely && !c.courteous() && (r.bars(c) || c.is(message.ActQuestion)) {
			return true
		}
	}
	return false
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
