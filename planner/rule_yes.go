package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

// A write is made after a yes only, so a yes is never guessed (rule 13): a clause has to say it,
// and nothing else in the message may ask, condition, or turn it round.

// yesBars are never part of a yes to something: they turn it round or bind it to a condition.
// Words on n't are among them.
var yesBars = wordSet(`
	no not nor nope nah never neither none nothing cannot cant dont wont isnt without but
	however although though if unless except until till or wait maybe perhaps instead rather
	once whenever provided providing assuming`)

// freeNext are the words behind which a bar is none: "let me know if", "I do not need it".
var freeNext = map[string]map[string]bool{
	"if":   wordSet("know me us check see ask"),
	"wait": wordSet("to the i can't cannot cant"),
	"not":  wordSet("why"),
}

// yesTerms, right behind a yes, bind it to something that is still to come.
var yesTerms = wordSet("after before once only first provided providing assuming whenever while")

const noSigns = "👎❌❎🚫✋🛑⛔✖🙅" // that nobody draws with a yes

// proposeYes reads a yes to the open question.
func (r *hearing) proposeYes() []Reading {
	q := r.st.Open
	if q == nil && (r.st.Active == nil || r.st.Active.Failed == "") || !r.asksYes() || strings.ContainsAny(r.h.Text, noSigns) {
		return nil
	}
	x := Reading{Rule: "yes", Intent: "affirm", kind: kindYes, perform: (*hearing).affirm}
	stories := 0
	for i := range r.clauses {
		c := &r.clauses[i]
		switch yes := r.yesIn(c); {
		case yes >= likely:
			x.evidence = max(x.evidence, yes)
			x.clauses |= only(i)
		case c.courteous(), x.evidence >= surely && r.urges(c):
			x.clauses |= only(i)
		case r.bars(c) && !(x.evidence >= surely && r.excuses(c)):
			return nil
		case c.any(ActQuestion, ActRequest, ActAdd, ActHelp, ActRepeat, ActHuman, ActReset), r.wantsOther(c):
			stories += 2 // something else is wanted: only a sure yes stands beside it
		case !ownReason(c):
			return nil // it may be anything: a part of an address, an order to the bot
		default:
			stories++
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence < likely || stories > 0 && x.evidence < surely {
		return nil
	}
	return []Reading{x}
}

// wantsOther says whether a clause likely asks for a task other than the one under way.
func (r *hearing) wantsOther(c *clause) bool {
	if len(c.Ranking) == 0 || r.in != nil && c.Ranking[0].Intent == r.in.ID {
		return false
	}
	in := r.def.Intent(c.Ranking[0].Intent)
	return in != nil && in.ID != r.def.Classifier.Fallback && c.Ranking[0].Confidence >= joinedConfidence
}

// asksYes says whether the open question is one that a yes answers.
func (r *hearing) asksYes() bool {
	q := r.st.Open
	if q == nil {
		return true // the failed call: yes, try again
	}
	switch q.Kind {
	case AskConfirm:
		return !r.changesConfirmed()
	case AskHandoff, AskResumeOne, AskCorrect, AskChange:
		return true
	case AskIntent:
		return len(q.Options) == 1
	}
	return false
}

// changesConfirmed says whether the message brings a value other than the one that a pending
// confirmation is about, and not as one more.
func (r *hearing) changesConfirmed() bool {
	for _, v := range r.h.Values {
		if v.Source == sourceText || v.Cues.Any(CueAdd|CueAsked) || r.in == nil || v.Source == sourceBare && !r.corrects(r.in, v) {
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

// yesIn is how sure it is that a clause is a yes to the open question: it says so, or it says
// again what the question asks: "cancel it" to "Cancel order O-1?".
func (r *hearing) yesIn(c *clause) float64 {
	if c.Stock == "affirm" {
		return 1
	}
	if c.any(ActNo, ActHold) && c.p(ActYes) < surely || barred(c.words) && !c.is(ActYes) {
		return 0
	}
	yes := c.p(ActYes)
	if barred(c.words) && yes < 0.97 {
		yes = 0
	}
	if c.is(ActQuestion) && c.p(ActQuestion) > yes {
		return 0
	}
	if r.echoes(c) {
		yes = max(yes, 0.9)
	}
	return yes
}

// bars says whether a clause makes no yes of the message.
func (r *hearing) bars(c *clause) bool {
	return c.any(ActNo, ActHold, ActStop, ActCorrect, ActUnknown, ActRefuse, ActChoose, ActUndo, ActResume) ||
		yesBars[c.Join] || len(c.words) > 0 && yesTerms[c.words[0]] ||
		c.tells() && barred(c.words) && !ownReason(c)
}

// urges says whether a clause behind a yes only asks for what was said yes to: "please note it".
func (r *hearing) urges(c *clause) bool {
	if c.values != 0 || len(c.words) > 4 || c.any(ActQuestion, ActNo, ActHold, ActStop, ActUndo) || barred(c.words) || r.wantsOther(c) {
		return false
	}
	return slices.ContainsFunc(c.words, func(w string) bool { return w == "it" || w == "that" || w == "them" || w == "this" })
}

// excuses says whether a clause behind a sure yes only says why: "I don't need it any more". Its
// "not" is about the person, not about what is asked.
func (r *hearing) excuses(c *clause) bool {
	if len(c.words) < 3 || !persons[c.words[0]] || c.any(ActHold, ActStop, ActUndo, ActQuestion, ActRequest) || c.Join == "but" || c.Join == "if" || c.Join == "unless" {
		return false
	}
	verb := ""
	if q := r.st.Open; q != nil && q.Kind == AskConfirm {
		verb = r.questionVerb(q)
	}
	return !slices.Contains(c.words, verb) && slices.ContainsFunc(c.words, func(w string) bool { return needs[w] })
}

// needs are the verbs with which people say why they want something undone or done.
var needs = wordSet("need want like use have fit work")

// ownReason says whether a clause tells of the person or of the thing: "I don't need it any more".
func ownReason(c *clause) bool {
	return c.tells() && len(c.words) > 1 && c.values == 0 && (slices.ContainsFunc(c.words[:min(2, len(c.words))], func(w string) bool { return ownWords[w] }) || c.Join == "because" && slices.ContainsFunc(c.words, func(w string) bool { return persons[w] }))
}

var persons = wordSet("i we it my our me us i'm i've we're it's")

var ownWords = wordSet("i we it that this its it's thats that's my our i'm we're because cause since as the")

// echoes says whether a clause says again what the open confirmation asks: its verb, and nothing
// that is not of the question.
func (r *hearing) echoes(c *clause) bool {
	q := r.st.Open
	if q == nil || q.Kind != AskConfirm || r.in == nil || len(c.words) < 2 || c.Mark == '?' {
		return false
	}
	asks := r.questionWords(q)
	verb := r.questionVerb(q)
	if verb == "" || !slices.Contains(c.words, verb) || barred(c.words) {
		return false
	}
	return !slices.ContainsFunc(c.words, func(w string) bool { return !asks[w] && !echoWords[w] })
}

// echoWords may stand around the words of a question that is said again.
var echoWords = wordSet("yes ok okay please just it that this them the my a an i want to wanna would like you can then now go ahead and do so right away order one for me of asap quickly immediately already send request whatever")

// questionWords are the words of the open confirmation as it was put.
func (r *hearing) questionWords(q *Question) map[string]bool {
	known := map[string]bool{}
	step := findStep(r.in.Plan, q.Step)
	if step == nil {
		return known
	}
	for _, w := range wordsOf(step.Text.Source + " " + step.Text.Render(r.st.env(r.in)) + " " + strings.ReplaceAll(r.in.ID, "_", " ") + " " + r.in.Called()) {
		known[w] = true
	}
	for _, v := range r.h.Values {
		if r.in.Param(v.Param) != nil && v.Source != sourceText {
			for _, w := range wordsOf(v.Text) {
				known[w] = true
			}
		}
	}
	return known
}

// questionVerb is the word that the confirmation begins with: what it would do.
func (r *hearing) questionVerb(q *Question) string {
	step := findStep(r.in.Plan, q.Step)
	if step == nil {
		return ""
	}
	for _, w := range wordsOf(step.Text.Source) {
		if !echoWords[w] && !verbFillers[w] {
			return w
		}
	}
	return ""
}

var verbFillers = wordSet("shall should do may can so we we'll i'll")

// affirm is a yes.
func (r *hearing) affirm() {
	q := r.st.Open
	r.spoke = true
	if q == nil {
		r.resume() // yes, try again
		return
	}
	switch q.Kind {
	case AskConfirm:
		r.accept(q)
	case AskHandoff:
		r.human()
	case AskResumeOne:
		r.st.Open = nil
		r.pick(q.Options[0].Value, 0)
	case AskCorrect:
		r.replace(q)
	case AskIntent:
		r.st.Open, r.picked = nil, true
		r.pickOption(q.Options[0])
	case AskChange:
		r.st.Open = nil // yes after all: the confirmation is asked anew
	}
}

// reserved says whether the message holds what makes no yes of the one in it: "yes, but not that
// one", "yes if it is free".
func (r *hearing) reserved() bool {
	if strings.ContainsAny(r.h.Text, noSigns) {
		return true
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if r.yesIn(c) < likely && !c.courteous() && (r.bars(c) || c.is(ActQuestion)) {
			return true
		}
	}
	return false
}

// barred says whether a word among said makes no yes of a message.
func barred(said []string) bool {
	for i, w := range said {
		if (yesBars[w] || strings.HasSuffix(w, "n't")) && !(i > 0 && freeNext[w][said[i-1]]) {
			return true
		}
	}
	return false
}

// accept takes a yes to the confirmation that was asked, if it is still the same one.
func (r *hearing) accept(q *Question) {
	pl := &planning{def: r.def, st: r.st, in: r.in, frame: r.st.Active, env: r.st.env(r.in)}
	step := findStep(r.in.Plan, q.Step)
	r.st.Open = nil
	if step == nil {
		return
	}
	due := pl.due(step)
	if pl.confirmHash(due) != q.Hash {
		return // something changed since: Next asks again
	}
	if r.st.Active.Confirmed == nil {
		r.st.Active.Confirmed = map[string]string{}
	}
	r.st.Active.ConfirmedAt = r.st.Now
	for _, c := range due {
		r.st.Active.Confirmed[c.ID] = callHash(c, resolve(c.With, pl.env))
	}
}

// title is how an intent is called in front of a user.
func title(in *config.Intent) string { return in.Called() }
