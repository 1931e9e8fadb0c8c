package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// yesIn returns how sure a clause is a yes to the open question: it says yes, or repeats what the
// question asks: "cancel it" to "Cancel order O-1?".
func (r *interpreter) yesIn(c *clause) float64 {
	if r.confirming() && (asking(c) || c.Join == "if" || c.Join == "unless") && !r.politely(c) {
		return 0
	}
	if c.Stock == "affirm" && !barred(c.words) {
		return 1
	}
	if c.any(message.ActNo, message.ActHold) && c.p(message.ActYes) < surely || barred(c.words) && !c.is(message.ActYes) {
		return 0
	}
	yes := c.p(message.ActYes)
	switch {
	case wholeYes[strings.Join(c.words, " ")]:
		return max(yes, 0.9)
	case r.echoes(c):
		return max(yes, 0.9)
	case barred(c.words), c.is(message.ActQuestion) && c.p(message.ActQuestion) > yes:
		return 0
	case r.confirming() && !r.clean(c):
		return 0 // it only sounds like a yes: asked again
	}
	return yes
}

// clean reports whether all words of a clause are words of a yes or of the question.
func (r *interpreter) clean(c *clause) bool {
	if asking(c) || barred(c.words) || c.Join == "if" {
		return false
	}
	asks := r.questionWords(r.st.Open)
	if r.otherDeed(c, asks) {
		return false
	}
	return !slices.ContainsFunc(c.words, func(w string) bool {
		if yesWords[w] || asks[w] {
			return false
		}
		for a := range asks {
			if len(w) >= kinLength && kin(a, w) {
				return false // "the cancellation"
			}
		}
		return !r.listedYes()[w]
	})
}

// otherDeed reports whether a clause names the thing in question beside another action: "proceed
// with the order" and "I want the order" are no yes to cancelling it, and an unsure yes to anything
// else.
func (r *interpreter) otherDeed(c *clause, asks map[string]bool) bool {
	verb := r.questionVerb(r.st.Open)
	deed, thing := false, false
	for i, w := range c.words {
		switch {
		case w == verb || len(w) >= kinLength && verb != "" && kin(verb, w):
			return false
		case asks[w] && !yesWords[w] && r.commands(c, i):
			return true // "yes, order it" to "Cancel order O-1?", "book it" to "Drop the book?"
		case deeds[w]:
			deed = true
		case asks[w] && !yesWords[w] && (w == "order" || !echoWords[w]): // "order" is a deed only where it is asked for
			thing = true
		case w == "to" && i+1 < len(c.words) && (c.words[i+1] == "me" || c.words[i+1] == "us"):
			thing = true // "get it to me"
		}
	}
	return deed && thing
}

// commands reports whether word i of a clause, which is a word of the question but not the task's
// verb, is used as a verb: it comes first behind a yes, and its object is only "it".
func (r *interpreter) commands(c *clause, i int) bool {
	w := c.words[i]
	if c.values != 0 || i > 0 && (!yesWords[c.words[i-1]] || articles[c.words[i-1]]) || i+1 < len(c.words) && !standsFor[c.words[i+1]] {
		return false
	}
	if i+1 < len(c.words) && r.asksInOrder(w, c.words[i+1]) {
		return false // "send it" to "... Shall I send it?"
	}
	return w != first(r.wordsOf(strings.ReplaceAll(r.in.ID, "_", " "))) && w != first(r.wordsOf(r.in.Called()))
}

// asksInOrder reports whether two words stand next to each other in the open confirmation.
func (r *interpreter) asksInOrder(first, second string) bool {
	step := findStep(r.in.Plan, r.st.Open.Step)
	if step == nil {
		return false
	}
	asked := r.wordsOf(step.Text.Source)
	for i, w := range asked[:max(0, len(asked)-1)] {
		if w == first && asked[i+1] == second {
			return true
		}
	}
	return false
}

// asking reports whether a clause with the words of a yes asks or orders something.
func asking(c *clause) bool {
	return strings.ContainsAny(c.text, "?？؟;") || c.Mark == '?' || len(c.words) > 1 && notYes[c.words[0]][c.words[1]]
}

// listedYes returns the words of the yeses that the agent lists.
func (r *interpreter) listedYes() map[string]bool {
	if r.listed != nil {
		return r.listed
	}
	words := map[string]bool{}
	r.listed = words
	if yes := r.def.Intent("affirm"); yes != nil {
		for _, e := range yes.Examples {
			for _, w := range r.wordsOf(e.Text) {
				words[w] = true
			}
		}
	}
	return words
}

// weak reports whether a yes consists of words that also begin other sentences.
func weak(c *clause) bool {
	return len(c.words) > 0 && !slices.ContainsFunc(c.words, func(w string) bool { return !weakYes[w] })
}

// restates reports whether a clause only repeats what is known, or has the words of a yes.
func (r *interpreter) restates(c *clause) bool {
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
	return r.clean(c) || !barred(c.words) && r.politely(c)
}

// politely reports whether a clause asks, with the words of a yes, for what was confirmed: "could
// you please do that".
func (r *interpreter) politely(c *clause) bool {
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

// echoes reports whether a clause repeats the open confirmation: its verb, and only words of the
// question.
func (r *interpreter) echoes(c *clause) bool {
	q := r.st.Open
	if q == nil || q.Kind != askConfirm || r.in == nil || len(c.words) < 2 || c.Mark == '?' || c.Stock == "cancel" || r.stopsByExample(c) {
		return false
	}
	if c.values != 0 && !slices.ContainsFunc(c.words, func(w string) bool { return agreeing[w] }) {
		return false // the request itself, sent again by somebody who has not seen the question
	}
	asks := r.questionWords(q)
	verb := r.questionVerb(q)
	if verb == "" || !slices.Contains(c.words, verb) || barred(c.words) || r.beginsAnew(c) {
		return false
	}
	return !slices.ContainsFunc(c.words, func(w string) bool { return !asks[w] && !echoWords[w] })
}

// beginsAnew reports whether a clause introduces a thing as new although the question does not:
// "send a wreath" to "Send W-1?" is the request that led to the question, sent again.
func (r *interpreter) beginsAnew(c *clause) bool {
	step := findStep(r.in.Plan, r.st.Open.Step)
	if step == nil {
		return false
	}
	put := r.wordsOf(step.Text.Source)
	return slices.ContainsFunc(c.words, func(w string) bool { return (w == "a" || w == "an" || w == "another") && !slices.Contains(put, w) })
}

// stopsByExample reports whether a clause is a phrase that ends the task, apart from a "just".
func (r *interpreter) stopsByExample(c *clause) bool {
	stop := r.def.Intent("cancel")
	if stop == nil {
		return false
	}
	said := strings.Join(slices.DeleteFunc(slices.Clone(c.words), func(w string) bool { return w == "just" || w == "please" || w == "ok" }), " ")
	return slices.ContainsFunc(stop.Examples, func(e config.Example) bool {
		return message.Fold(e.Text) == said || r.gloss != nil && strings.Join(r.wordsOf(e.Text), " ") == said
	})
}

// questionWords returns the words of the open confirmation.
func (r *interpreter) questionWords(q *openQuestion) map[string]bool {
	if r.asksOf == q && q != nil {
		return r.asks
	}
	known := map[string]bool{}
	r.asksOf, r.asks = q, known
	step := findStep(r.in.Plan, q.Step)
	if step == nil {
		return known
	}
	for _, w := range r.wordsOf(step.Text.Source + " " + step.Text.Render(r.st.env(r.in)) + " " + strings.ReplaceAll(r.in.ID, "_", " ") + " " + r.in.Called()) {
		known[w] = true
	}
	for _, v := range r.msg.Values {
		if r.in.Param(v.Param) != nil && v.Source != sourceText {
			for _, w := range r.wordsOf(v.Text) {
				known[w] = true
			}
		}
	}
	return known
}

// questionVerb returns the first word of the confirmation, which names the action.
func (r *interpreter) questionVerb(q *openQuestion) string {
	step := findStep(r.in.Plan, q.Step)
	if step == nil {
		return ""
	}
	if r.gloss != nil {
		return r.foreignVerb(step.Text.Source)
	}
	for _, w := range wordsOf(step.Text.Source) {
		if !echoWords[w] && !verbFillers[w] {
			return w
		}
	}
	return ""
}

// barred reports whether a word in said prevents a yes.
func barred(said []string) bool {
	for i, w := range said {
		if (yesBars[w] || strings.HasSuffix(w, "n't")) && !(i > 0 && freeNext[w][said[i-1]]) {
			return true
		}
	}
	return false
}
