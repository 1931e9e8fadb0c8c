package cascade

import (
	"slices"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// chatting lists the acts of clauses that belong to no task.
var chatting = []message.Act{
	message.ActGreet, message.ActThanks, message.ActBye, message.ActPraise, message.ActSmalltalk, message.ActHold,
}

// beside reports whether a clause only accompanies the request: it is courtesy, or it has no act
// and resembles no task of the agent.
func (c *Classifier) beside(text string, cl *message.Clause, pieces []piece) bool {
	if chatty(&cl.Acts) || c.greets(text, cl, pieces) || cl.Stock != "" && c.system[cl.Stock] {
		return true
	}
	w := c.weight(text, cl, pieces)
	return w == 0 || certainty(cl.Ranking)*w < besideSure && most(&cl.Acts, aboutTasks) < maybeTask
}

// greets reports whether a clause without an act begins with a greeting or thanks: "good evening to
// all of you".
func (c *Classifier) greets(text string, cl *message.Clause, pieces []piece) bool {
	own := within(pieces, len(head(text, cl.Start)), len(head(text, cl.End)))
	for n := min(longestLead, len(own)); n > 0; n-- {
		if lead := looseLeads[join(own[:n])]; lead == "greet" || lead == "thanks" {
			return most(&cl.Acts, aboutTasks) < maybeTask
		}
	}
	return false
}

// leadsUp reports whether pieces only announce a question: "i have a quick question", "sorry to
// bother you", "let me know".
func (c *Classifier) leadsUp(pieces []piece) bool {
	return !slices.ContainsFunc(pieces, func(p piece) bool { return p.mask || !c.small(p.key) })
}

// small reports whether a word is a function word or about asking.
func (c *Classifier) small(word string) bool {
	if c.gloss == nil {
		return linear.Function(word) || message.English().Has("asking", word)
	}
	english, _ := c.gloss.Lead([]string{word})
	return len(english) > 0 && !slices.ContainsFunc(english, func(w string) bool { return !linear.Function(w) && !message.English().Has("asking", w) })
}

// chatty reports whether a clause is courtesy or small talk and belongs to no task.
func chatty(a *message.Acts) bool {
	about := most(a, aboutTasks)
	other := most(a, chatting)
	return courtesy(a) || other-about >= clearlySays
}

// most returns the greatest probability of some acts.
func most(a *message.Acts, of []message.Act) (p float32) {
	for _, act := range of {
		p = max(p, a[act])
	}
	return p
}

const leastTrimmed = 2 // words that are left in front of it

// trimmed drops thanks that close a clause without a mark before them. A table lists the words that
// may begin thanks; the model of acts decides whether they do: "how do i say thanks in french"
// closes with none.
func (c *Classifier) trimmed(text string, pieces []piece) []piece {
	if !c.english {
		return pieces
	}
	for i := len(pieces) - 1; i >= leastTrimmed; i-- {
		if !message.English().Has("closer", pieces[i].key) {
			continue
		}
		from := i
		if pieces[i].key == "appreciate" || !pieces[i-1].mask && pieces[i-1].key == "many" {
			from-- // "i appreciate it", "many thanks"
		}
		a := acts.Of(text[pieces[from].start:pieces[len(pieces)-1].end], 0)
		if !courtesy(&a) {
			return pieces
		}
		if from > leastTrimmed && pieces[from-1].key == "and" {
			from--
		}
		if from < leastTrimmed {
			return pieces
		}
		return c.trimmed(text, pieces[:from])
	}
	return pieces
}

// courteousTasks returns the tasks whose examples are mostly greetings, thanks and the like. Some
// agents have them in place of the system intents. They do not compete with a request.
func courteousTasks(agent *config.Agent) map[string]bool {
	out := map[string]bool{}
	if !agent.English() {
		return out
	}
	for _, in := range agent.Intents {
		n, some := 0, in.Examples[:min(len(in.Examples), fewExamples)]
		for _, e := range some {
			if a := acts.Of(e.Text, 0); chatty(&a) {
				n++
			}
		}
		if 2*n > len(some) {
			out[in.ID] = true
		}
	}
	return out
}

const fewExamples = 12 // from which it shows what a task is about
