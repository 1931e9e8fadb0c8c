package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// yesIn returns how sure a clause is a yes to the open question: it says yes, or repeats what the question asks.
// A yes to a write has no words but those of a yes and of the question.
func (r *interpreter) yesIn(c *clause) float64 {
	yes := c.p(message.ActYes)
	switch {
	case strings.ContainsAny(c.text, "?？؟;"), c.Mark == '?':
		return 0
	case c.Stock == "affirm":
		return 1
	case r.echoes(c):
		return max(yes, 0.9)
	case c.does&againstYes != 0:
		return 0
	case r.confirming() && !r.says(c, r.politeYes()):
		return 0
	}
	return yes
}

// echoes reports whether a clause repeats the open confirmation: its verb, and only words of the question and of a yes.
func (r *interpreter) echoes(c *clause) bool {
	q := r.st.Open
	if q == nil || q.Kind != askConfirm || r.in == nil || len(c.words) < 2 || c.Mark == '?' || c.Stock == "cancel" || r.stopsByExample(c) {
		return false
	}
	if !r.holdsAll(c) || r.beginsAnew(c) || c.values != 0 && !r.isYes(c.words[0]) {
		return false // the request itself, sent again by somebody who has not seen the question
	}
	verb := r.questionVerb(q)
	return verb != "" && slices.Contains(c.words, verb) && r.says(c, r.politeYes(), r.questionWords(q), echoWords)
}

// isYes reports whether a word alone is one of the agent's yeses.
func (r *interpreter) isYes(word string) bool {
	yes := r.def.Intent("affirm")
	return yes != nil && slices.ContainsFunc(yes.Examples, func(e config.Example) bool { return message.Fold(e.Text) == word })
}

// says reports whether all words of a clause are among some.
func (r *interpreter) says(c *clause, among ...map[string]bool) bool {
	return !slices.ContainsFunc(c.words, func(w string) bool {
		return !slices.ContainsFunc(among, func(some map[string]bool) bool { return some[w] })
	})
}

// politeYes returns the words of the agent's yeses and thanks.
func (r *interpreter) politeYes() map[string]bool {
	if r.listed != nil {
		return r.listed
	}
	r.listed = map[string]bool{}
	for _, id := range []string{"affirm", "thanks"} {
		if in := r.def.Intent(id); in != nil {
			for _, e := range in.Examples {
				for _, w := range r.wordsOf(e.Text) {
					r.listed[w] = true
				}
			}
		}
	}
	return r.listed
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

// echoWords may stand around the words of a repeated question.
var echoWords = wordSet("echo_words")

var verbFillers = wordSet("verb_fillers")
