package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
)

const noSigns = "👎❌❎🚫✋🛑⛔✖🙅" // that nobody draws with a yes

// proposeYes reads a yes to the open question.
func (r *hearing) proposeYes() []Reading {
	q := r.st.Open
	if q == nil && (r.st.Active == nil || r.st.Active.Failed == "") || !r.asksYes() || strings.ContainsAny(r.h.Text, noSigns) {
		return nil
	}
	x := Reading{Rule: "yes", Intent: "affirm", kind: kindYes, perform: (*hearing).affirm}
	stories, yeses, weakly := 0, 0, 0
	for i := range r.clauses {
		c := &r.clauses[i]
		if weak(c) && c.p(ActYes) >= likely && !(c.courteous() && x.evidence > 0) {
			weakly++
		}
		switch yes := r.yesIn(c); {
		case slices.ContainsFunc(c.words, func(w string) bool { return elsewise[w] }) && r.confirming():
			return nil
		case yes >= likely:
			x.evidence = max(x.evidence, yes)
			x.clauses |= only(i)
			yeses++
		case x.evidence >= likely && r.confirming() && r.restates(c):
			x.clauses |= only(i)
		case r.wishesOtherwise(c) || r.confirming() && slices.Contains(c.words, "changed") && slices.Contains(c.words, "mind"):
			return nil
		case c.courteous() && (!r.confirming() || c.any(ActThanks, ActPraise, ActGreet) || slices.Contains(c.words, "bye") || slices.Contains(c.words, "day")), x.evidence >= surely && r.urges(c):
			x.clauses |= only(i)
		case r.confirming() && c.values != 0 && !(persons[first(c.words)] && r.foreignValues(c)) && !c.any(ActQuestion, ActAdd) && !r.wantsOther(c) && !slices.ContainsFunc(r.valuesOf(c.values), func(v Value) bool { return v.Cues.Any(CueAdd | CueAsked) }):
			return nil // it brings something that the question is not about
		case r.bars(c) && !(x.evidence >= surely && r.excuses(c)):
			return nil
		case c.any(ActQuestion, ActRequest, ActAdd, ActHelp, ActRepeat, ActHuman, ActReset), r.wantsOther(c):
			stories += 2 // something else is wanted: only a sure yes stands beside it
		case !ownReason(c) || x.evidence == 0 && !slices.ContainsFunc(c.words[:min(2, len(c.words))], func(w string) bool { return persons[w] }):
			return nil // it may be anything: a part of an address, an order to the bot
		default:
			stories++
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	if x.evidence < likely || stories > 0 && (x.evidence < surely || weakly >= yeses) {
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
	if r.confirming() && (asking(c) || c.Join == "if" || c.Join == "unless") && !r.politely(c) {
		return 0
	}
	if c.Stock == "affirm" && !barred(c.words) {
		return 1
	}
	if c.any(ActNo, ActHold) && c.p(ActYes) < surely || barred(c.words) && !c.is(ActYes) {
		return 0
	}
	yes := c.p(ActYes)
	switch {
	case wholeYes[strings.Join(c.words, " ")]:
		return max(yes, 0.9)
	case r.echoes(c):
		return max(yes, 0.9)
	case barred(c.words), c.is(ActQuestion) && c.p(ActQuestion) > yes:
		return 0
	case r.confirming() && !r.clean(c):
		return 0 // it only sounds like a yes: asked again
	}
	return yes
}

// clean says whether a clause has nothing but the words of a yes and of the question.
func (r *hearing) clean(c *clause) bool {
	if asking(c) || barred(c.words) || c.Join == "if" {
		return false
	}
	asks := r.questionWords(r.st.Open)
	var listed map[string]bool
	return !slices.ContainsFunc(c.words, func(w string) bool {
		if yesWords[w] || asks[w] {
			return false
		}
		for a := range asks {
			if len(w) >= kinLength && kin(a, w) {
				return false // "the cancellation"
			}
		}
		if listed == nil {
			listed = r.listedYes()
		}
		return !listed[w]
	})
}

// asking says whether a clause that has the words of a yes asks or orders something.
func asking(c *clause) bool {
	return strings.ContainsAny(c.text, "?？؟;") || c.Mark == '?' || len(c.words) > 1 && notYes[c.words[0]][c.words[1]]
}

// listedYes are the words of the yeses that the agent lists.
func (r *hearing) listedYes() map[string]bool {
	words := map[string]bool{}
	if yes := r.def.Intent("affirm"); yes != nil {
		for _, e := range yes.Examples {
			for _, w := range wordsOf(e.Text) {
				words[w] = true
			}
		}
	}
	return words
}

// weak says whether a yes is made of words that people also begin something else with.
func weak(c *clause) bool {
	return len(c.words) > 0 && !slices.ContainsFunc(c.words, func(w string) bool { return !weakYes[w] })
}

// restates says whether a clause only says again what is known, or has the words of a yes.
func (r *hearing) restates(c *clause) bool {
	if yesBars[c.Join] {
		return false
	}
	if c.values != 0 {
		for _, v := range r.valuesOf(c.values) {
			p := r.in.Param(v.Param)
			if p == nil || !holdsValue(r.st.cell(p), v.Value) {
				return false
			}
		}
	}
	return r.clean(c) || len(c.words) > 0 && !barred(c.words) && r.politely(c)
}

// politely says whether a clause asks, with the words of a yes, for what was said yes to: "could
// you please do that".
func (r *hearing) politely(c *clause) bool {
	if len(c.words) < 3 || !wordSetOf("could you", "would you", "can you", "will you")[c.words[0]+" "+c.words[1]] {
		return false
	}
	asks := r.questionWords(r.st.Open)
	object := false
	for _, w := range c.words[2:] {
		if !yesWords[w] && !asks[w] {
			return false
		}
		object = object || w == "that" || w == "it" || w == "this" || w == "so"
	}
	return object
}

// bars says whether a clause makes no yes of the message.
func (r *hearing) bars(c *clause) bool {
	if c.is(ActQuestion) && r.confirming() && slices.ContainsFunc(c.words[:min(3, len(c.words))], func(w string) bool { return w == "if" || w == "about" }) {
		return true // "what if I keep it", "how about tomorrow"
	}
	return c.any(ActNo, ActHold, ActStop, ActCorrect, ActUnknown, ActRefuse, ActChoose, ActUndo, ActResume) ||
		yesBars[c.Join] || len(c.words) > 0 && yesTerms[c.words[0]] && !(c.is(ActQuestion) && c.Mark == '?') || len(c.words) > 1 && c.words[0] == "as" && (c.words[1] == "long" || c.words[1] == "soon") ||
		c.tells() && barred(c.words) && !ownReason(c)
}

// wishesOtherwise says whether a clause beside a yes wants something: "sure, I want to keep it".
func (r *hearing) wishesOtherwise(c *clause) bool {
	if !r.confirming() {
		return false
	}
	for i, w := range c.words[:max(0, len(c.words)-1)] {
		if (w == "want" || w == "like" || w == "prefer" || w == "wanna") && c.words[i+1] == "to" && !r.clean(c) {
			return true
		}
	}
	return false
}

// urges says whether a clause behind a yes only asks for what was said yes to: "please note it".
func (r *hearing) urges(c *clause) bool {
	if c.values != 0 || len(c.words) > 4 || c.any(ActQuestion, ActNo, ActHold, ActStop, ActUndo) || barred(c.words) || r.wantsOther(c) {
		return false
	}
	if yesBars[c.Join] {
		return false
	}
	verbs, at := 0, -1
	for i, w := range c.words {
		switch {
		case w == "it" || w == "that" || w == "them" || w == "this":
			at = i
		case !yesWords[w]:
			verbs++
			if i+1 >= len(c.words) || c.words[i+1] != "it" && c.words[i+1] != "that" && c.words[i+1] != "them" && c.words[i+1] != "this" {
				return false
			}
		}
	}
	return at > 0 && verbs <= 1
}

// foreignValues says whether no value of a clause is one that the task under way takes.
func (r *hearing) foreignValues(c *clause) bool {
	return !slices.ContainsFunc(r.valuesOf(c.values), func(v Value) bool { return r.in != nil && r.in.Param(v.Param) != nil })
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
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

// ownReason says whether a clause tells of the person or of the thing: "I don't need it any more".
func ownReason(c *clause) bool {
	return c.tells() && len(c.words) > 1 && (slices.ContainsFunc(c.words[:min(2, len(c.words))], func(w string) bool { return ownWords[w] }) || c.Join == "because" && slices.ContainsFunc(c.words, func(w string) bool { return persons[w] }))
}

// echoes says whether a clause says again what the open confirmation asks: its verb, and nothing
// that is not of the question.
func (r *hearing) echoes(c *clause) bool {
	q := r.st.Open
	if q == nil || q.Kind != AskConfirm || r.in == nil || len(c.words) < 2 || c.Mark == '?' || c.Stock == "cancel" || r.stopsByExample(c) {
		return false
	}
	asks := r.questionWords(q)
	verb := r.questionVerb(q)
	if verb == "" || !slices.Contains(c.words, verb) || barred(c.words) {
		return false
	}
	return !slices.ContainsFunc(c.words, func(w string) bool { return !asks[w] && !echoWords[w] })
}

// stopsByExample says whether a clause is, but for a "just", a phrase that ends what is under way.
func (r *hearing) stopsByExample(c *clause) bool {
	stop := r.def.Intent("cancel")
	if stop == nil {
		return false
	}
	said := strings.Join(slices.DeleteFunc(slices.Clone(c.words), func(w string) bool { return w == "just" || w == "please" || w == "ok" }), " ")
	return slices.ContainsFunc(stop.Examples, func(e config.Example) bool { return strings.ToLower(e.Text) == said })
}

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
