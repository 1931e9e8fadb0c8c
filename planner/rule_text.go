package planner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// notText are the acts of users who do not give the text that they are asked for.
var notText = []message.Act{
	message.ActHold, message.ActQuestion, message.ActUnknown, message.ActRefuse, message.ActSame, message.ActTold, message.ActStop, message.ActRepeat, message.ActHelp, message.ActAbout, message.ActSkip,
	message.ActHuman, message.ActResume, message.ActReset, message.ActOutcome, message.ActUndo,
}

// The evidence for a text, by its shape.
const (
	toldText    = 0.93 // it states something, and a description is asked for
	shapedText  = 0.88 // it has the shape of its param
	anyText     = 0.72 // its param has no shape
	spacelyText = 0.4  // it also does something else; taken if nothing else is likelier
)

// proposeText reads the message as the text that is asked for (rule 3), without lead-ins and
// courtesy. A hold, a question or a refusal is not a text.
func (r *interpreter) proposeText() []reading {
	whole := r.wholeText()
	if whole == nil || r.correctsOther() {
		return nil
	}
	of := r.textClauses(*whole)
	if of == 0 {
		return nil
	}
	v, more := r.cutOff(r.cutText(*whole, of))
	e := r.textEvidence(r.asked, v.Text, of)
	if shapeOf(r.asked) == shapes.Sentence && r.clauses[0].is(message.ActHold) && !of.has(0) {
		e *= 0.5 // "ah wait, it works again" takes back what it was to be about
	}
	if whole.Confidence <= message.Doubtful {
		e *= 0.8 // nobody has answered so before
	}
	if r.announces(*whole) > 1 {
		e *= 0.6 // "from A to B": each has its own words before it
	}
	if e == 0 {
		return nil
	}
	asked := r.asked
	x := reading{
		Rule: "text", param: asked.Name, kind: kindAnswer, evidence: e, clauses: of | r.leading(),
		title: "note that as the " + r.asked.Label,
		perform: func(r *interpreter) {
			r.fill(r.in, asked, v)
			r.asked = nil
			r.take(r.in, more)
			r.again()
		},
	}
	for i := range r.clauses {
		if of.has(i) {
			x.values |= r.clauses[i].values
		}
	}
	return []reading{x}
}

// cutOff separates a text from values of other params behind a comma at its end: "Bob Miller, 30
// euros". An address keeps its numbers.
func (r *interpreter) cutOff(text message.Value) (message.Value, set) {
	var more set
	if shapeOf(r.asked) == "address" || shapeOf(r.asked) == "sentence" {
		return text, 0
	}
	for i, v := range r.msg.Values {
		p := r.in.Param(v.Param)
		if p == nil || p == r.asked || v.Source == sourceText || v.Source == sourceBare || r.st.cell(p) != nil || v.Start <= text.Start || v.End < text.End || p.Type.Builtin == "text" {
			continue
		}
		before := message.TrimRight(r.between(text.Start, v.Start), " ")
		if !strings.HasSuffix(message.Normal(before), ",") {
			continue
		}
		more |= only(i)
		text.Text = message.Trim(before, " ,;")
		text.Value, text.End = text.Text, v.Start
	}
	return text, more
}

// announces counts the params whose values are announced by words of the text.
func (r *interpreter) announces(text message.Value) int {
	params := map[string]bool{}
	for _, v := range r.msg.Values {
		if v.Source == sourceAnnounced && v.Start >= text.Start && v.End <= text.End && r.in.Param(v.Param) != nil {
			params[v.Param] = true
		}
	}
	return len(params)
}

// textClauses returns the clauses of the text, without lead-ins before it and courtesy behind it.
func (r *interpreter) textClauses(v message.Value) set {
	var of set
	for i := range r.clauses {
		if c := &r.clauses[i]; c.Start < v.End && v.Start < c.End {
			of |= only(i)
		}
	}
	trim := func(at []int) {
		for _, i := range at {
			c := &r.clauses[i]
			if of.count() < 2 || !r.besideText(c) {
				return
			}
			of = of.without(only(i))
		}
	}
	members := of.members()
	if len(members) < 2 {
		return of
	}
	trim(members)
	left := of.members()
	slices.Reverse(left)
	trim(left)
	return of
}

// besideText reports whether a clause may stand beside a text without being part of it: courtesy, a
// word that people begin with, or a question. A description is told in any words: only what is nothing
// but talk stands beside it.
func (r *interpreter) besideText(c *clause) bool {
	if shapeOf(r.asked) == shapes.Sentence {
		return c.Mark == '?' || c.values == 0 && !shapes.Content(c.text) && (c.courteous() || c.filler() || c.any(message.ActHold, message.ActCorrect))
	}
	return c.courteous() || c.filler() || c.values == 0 && len(c.words) <= 3 && c.any(message.ActHold, message.ActCorrect, message.ActYes)
}

// aboutTheTalk are the acts about the conversation itself.
var aboutTheTalk = [...]message.Act{message.ActHelp, message.ActAbout, message.ActRepeat, message.ActSame, message.ActResume, message.ActUndo}

// describe takes the acts about the conversation itself from a message that describes something, at
// the question for a description: "I need help with my invoice", "never mind the noise, the fan is
// broken". Such an act counts if it is all that a message or, for what ends the task, a clause says.
func (r *interpreter) describe() {
	if r.wholeText() == nil || shapeOf(r.asked) != shapes.Sentence {
		return
	}
	tells, beside := false, false // beside an end, only another clause makes a description
	for i := range r.clauses {
		if c := &r.clauses[i]; r.tellsMatter(c) {
			tells, beside = true, beside || !c.any(message.ActStop, message.ActReset, message.ActSkip)
		}
	}
	if !tells {
		return
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		describes := beside && r.tellsMatter(c)
		for _, a := range aboutTheTalk {
			c.Acts[a] = 0
		}
		if c.Stock == "help" || c.Stock == "repeat" || c.Stock == "resume" {
			c.Stock = ""
		}
		if describes {
			c.Acts[message.ActStop], c.Acts[message.ActReset], c.Acts[message.ActSkip] = 0, 0, 0
		}
		c.weigh()
	}
}

// How sure it must be that a clause is about the conversation, for that to outweigh what the clause may
// tell besides: with one word of its own, and with more, "repeat orders fail".
const (
	likelyTalk = 0.6
	sureTalk   = 0.9
)

// tellsMatter reports whether a clause tells of something that is not the conversation: it has words
// of its own, and no act about the conversation is likelier than that it states or wants something.
func (r *interpreter) tellsMatter(c *clause) bool {
	if c.courteous() {
		return false
	}
	own := 0
	for _, w := range c.words {
		if shapes.Content(w) && !slices.Contains(labelWords(r.asked), w) && !slices.Contains(r.wordsOf(spaced(r.in.ID)), w) {
			own++
		}
	}
	least := float32(likelyTalk)
	if own > 1 {
		least = sureTalk
	}
	talk := float32(0)
	for _, a := range aboutTheTalk {
		talk = max(talk, c.Acts[a])
	}
	return c.Mark != '?' && own > 0 && talk < max(least, c.Acts[message.ActState], c.Acts[message.ActRequest])
}

// statements returns those of some clauses that only state something, while a text is asked for: in
// "It does not print. When are you open?" the first is the answer.
func (r *interpreter) statements(of set) (told set) {
	for _, i := range of.members() {
		if r.freeText() && r.clauses[i].tells() {
			told |= only(i)
		}
	}
	return told
}

// cutText returns the value with the words of some clauses only.
func (r *interpreter) cutText(v message.Value, of set) message.Value {
	at := of.members()
	first, last := &r.clauses[at[0]], &r.clauses[at[len(at)-1]]
	if start := first.Start; start > v.Start {
		v.Start = start
	}
	if end := last.End; end < v.End {
		v.End = end
	}
	v.Start, v.End = bracketed([]rune(r.msg.Text), v.Start, v.End)
	v.Text = message.Trim(r.between(v.Start, v.End), " ,;:-\n\t")
	v.Text = message.TrimRight(v.Text, "!?")
	if r.asked != nil {
		v.Text = shapes.WithoutLead(shapeOf(r.asked), v.Text)
	}
	v.Value = v.Text
	return v
}

// textEvidence returns the evidence that some words are the text of a param.
func (r *interpreter) textEvidence(p *config.Param, text string, of set) float64 {
	if r.maySkip() && r.saysNone(p, of) {
		return 0
	}
	shape := shapeOf(p)
	if r.onlyCourteous(of) && !hasDigit(text) || shapeRulesOut(shape, text, of.count()) || text == "" {
		return 0
	}
	other := r.otherActs(shape, text, of)
	fits := shapes.LooksLike(shape, text)
	switch {
	case !fits && (p.Shape != "" || strict[shape]):
		if ok, wrong := accepts(p, text, r.st.env(r.in)); !ok && wrong != "" && other < likely {
			return spacelyText // it is refused, with the reason that the definition gives
		}
		return 0
	case other >= likely && !(fits && shape == shapes.Address && other < surely):
		return 0
	case !fits:
		return spacelyText
	}
	return fittingEvidence(shape, text)
}

// fittingEvidence returns the evidence for a text that has a shape, or needs none.
func fittingEvidence(shape, text string) float64 {
	switch {
	case shape == shapes.Sentence && isSentence(text):
		return toldText
	case shape != "":
		return shapedText
	}
	return anyText
}

// otherActs returns how likely it is that the clauses of a text do something else. A name or title
// is made of any words: "Skip Bayless", "Where the Wild Things Are".
func (r *interpreter) otherActs(shape, text string, of set) float64 {
	if (shape == shapes.Name || shape == shapes.Title) && properName(text) {
		return 0
	}
	worst, least := 0.0, 1.0
	for _, i := range of.members() {
		c := &r.clauses[i]
		other := 0.0
		for _, a := range notText {
			other = max(other, c.p(a))
		}
		if c.Stock != "" && r.systemStock(c) {
			other = 1
		}
		worst = max(worst, other)
		if least = min(least, other); c.any(message.ActStop, message.ActHuman, message.ActReset) {
			least = 1
		}
	}
	if shape == shapes.Sentence {
		return least // "I don't know why, but the alarm rings" describes something
	}
	return worst
}

// onlyCourteous reports whether some clauses have only anger, thanks and the like, which are no
// text.
func (r *interpreter) onlyCourteous(of set) bool {
	return !slices.ContainsFunc(of.members(), func(i int) bool { return !r.clauses[i].courteous() })
}

// shapeRulesOut reports whether a text of some clauses can have no such shape: a name or title
// has one clause and no remark, and a name is no list.
func shapeRulesOut(shape, text string, clauses int) bool {
	if shape != shapes.Name && shape != shapes.Title {
		return false
	}
	if clauses > 1 || remarksOn(text) {
		return true
	}
	return shape == shapes.Name && strings.Contains(message.Normal(text), ",") && strings.ToLower(text) == text
}

// saysNone reports whether the message says that there is none: "no note needed".
func (r *interpreter) saysNone(p *config.Param, of set) bool {
	for _, i := range of.members() {
		c := &r.clauses[i]
		if len(c.words) == 0 || len(c.words) > 5 {
			continue
		}
		label := labelWords(p)
		if nothing[c.words[0]] || c.words[0] == "no" && (len(c.words) <= 2 || slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains(label, w) })) {
			return true
		}
	}
	return false
}

// systemStock reports whether the clause is a phrase of a system intent, word for word.
func (r *interpreter) systemStock(c *clause) bool {
	in := r.def.Intent(c.Stock)
	return in != nil && in.System
}

// properName reports whether a text is written like a name or title, in capitalised words.
func properName(text string) bool {
	capitals, words := 0, strings.Fields(text)
	if len(words) < 2 || strings.ToUpper(text) == text {
		return false
	}
	for i, w := range words {
		c, _ := utf8.DecodeRuneInString(w)
		switch {
		case unicode.IsUpper(c):
			capitals++
		case i == 0 || len(w) > 3:
			return false
		}
	}
	return capitals > 1
}

// remarksOn reports whether a text is about the user, which no name and hardly any title is.
func remarksOn(text string) bool {
	words := wordsOf(text)
	return len(words) > 3 && strings.ToLower(text) == text && talkers[words[0]]
}

// nothing answers that there is none; talkers begin a sentence about the people who talk.
var (
	nothing = wordSet("nothing")
	talkers = wordSet("talkers")
)

// strict are the shapes that are clearly different from other texts.
var strict = map[string]bool{"address": true}
