package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// unsure offers the likeliest tasks if the best is neither sure enough to begin nor so unlikely
// that the message is about something else, or if the best two are too close (rule 19). A task
// under way repeats its own question instead.
func (r *interpreter) unsure(q request, e float64) []reading {
	if r.st.Active != nil || r.st.Open != nil && r.st.Open.Kind != askIntent || e < r.def.Classifier.Reject && !q.close || r.onlyReplies(q) {
		return nil
	}
	if q.asks && e < r.def.Classifier.Threshold {
		return nil // near the domain, but outside it
	}
	options := []*config.Intent{q.in}
	if q.second != nil && !q.second.NotServed && (q.close || e < r.def.Classifier.Threshold) {
		options = append(options, q.second)
	}
	return r.offerTasks(q, options, e)
}

// onlyReplies reports whether a request is only a reply: "wait", "yes finally", "that is wrong". It
// asks for no task, however close its words are to one.
func (r *interpreter) onlyReplies(q request) bool {
	return !q.exact && !slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		c := &r.clauses[i]
		return c.values != 0 || c.any(message.ActRequest, message.ActQuestion, message.ActState) || !c.any(message.ActYes, message.ActNo, message.ActHold, message.ActCorrect, message.ActChoose)
	})
}

// offerTasks asks which task is meant.
func (r *interpreter) offerTasks(q request, tasks []*config.Intent, e float64) []reading {
	var options []Option
	for _, in := range tasks {
		options = append(options, Option{Value: in.ID, Label: title(in)})
	}
	if open := r.st.Open; open != nil && sameOptions(options, open.Options) {
		return nil // it was offered already
	}
	of := q.clauses | r.context(q.clauses)
	evidence := e * 0.9
	if e >= r.def.Classifier.Reject {
		evidence = max(evidence, least[kindTask]) // what the agent's policy offers is offered
	}
	return []reading{{
		Rule: "unsure", kind: kindTask, evidence: evidence, clauses: of, values: r.valuesIn(of),
		perform: func(r *interpreter) {
			kept := r.bring(tasks) // an order number said along with it is not asked for again
			r.take(nil, r.allValues())
			r.clarifyAgain(options, clarifyResponse(options))
			r.offering(func(c *Choose) { c.brought = kept })
		},
	}}
}

// clarifyResponse returns the question for one task or for two.
func clarifyResponse(options []Option) string {
	if len(options) == 1 {
		return "clarify_one"
	}
	return "clarify"
}

// sameOptions reports whether two offers have the same options, in any order.
func sameOptions(a, b []Option) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(o Option) bool {
		return !slices.ContainsFunc(b, func(p Option) bool { return same(p.Value, o.Value) })
	})
}

// clarifyAgain asks "A or B?" once more, or offers a person after the last round.
func (r *interpreter) clarifyAgain(options []Option, response string) {
	r.st.Unclear++
	r.st.Open = nil
	r.spoke = true
	if r.st.Unclear > r.def.Policy.ClarifyMax {
		r.st.Unclear = 0
		r.st.Agenda = append(r.st.Agenda, Offer{
			position: position{agenda: true},
			Prompt:   render(r.st, "handoff_offer", nil), kind: askHandoff,
		})
		return
	}
	prompt := render(r.st, response, map[string]any{"options": labels(options)})
	r.st.Agenda = append(r.st.Agenda, Choose{position: position{agenda: true}, Prompt: prompt, Options: options, kind: askIntent})
}

// offering adds to the last offer, unless the reply offered a person instead.
func (r *interpreter) offering(add func(*Choose)) {
	last := len(r.st.Agenda) - 1
	if last < 0 {
		return
	}
	if c, ok := r.st.Agenda[last].(Choose); ok {
		add(&c)
		r.st.Agenda[last] = c
	}
}

// The tags of an option that stands for a reading of an earlier message.
const (
	meansYes  = "=yes"
	meansStop = "=stop"
	meansText = "=text"
)

// askWhich asks the user which of two close readings is meant. The question under way, and the
// answer to it, wait behind.
func (r *interpreter) askWhich(a, b reading) reading {
	options := []Option{{Value: r.meaning(a), Label: a.title}, {Value: r.meaning(b), Label: b.title}}
	return reading{
		Rule: "which", kind: kindHold, evidence: a.evidence, score: a.score, clauses: a.clauses | b.clauses, values: a.values | b.values,
		perform: func(r *interpreter) {
			behind := r.st.Open
			text := ""
			if v := r.wholeText(); v != nil {
				text = v.Text
			}
			r.clarifyAgain(options, "clarify")
			r.offering(func(c *Choose) { c.behind, c.said = behind, text })
		},
	}
}

// meaning is a reading as it is stored in an option.
func (r *interpreter) meaning(x reading) string {
	switch x.Rule {
	case "yes":
		return meansYes
	case "stop":
		return meansStop
	case "text":
		return meansText
	}
	return x.Intent
}

// meant is a way to understand an earlier message.
type meant struct{ tag string }

func meaningOf(value any) (meant, bool) {
	tag, _ := value.(string)
	return meant{tag}, tag == meansYes || tag == meansStop || tag == meansText
}

// carryOut performs the chosen reading of the earlier message.
func (r *interpreter) carryOut(m meant) {
	q := r.lastOpen
	if q == nil || q.Behind == nil {
		r.spoke = true
		return
	}
	r.st.Open = q.Behind
	r.asked = r.askedParam()
	switch m.tag {
	case meansYes:
		r.affirm()
	case meansStop:
		r.stopActive()
	case meansText:
		if r.asked != nil && q.Said != "" {
			r.fill(r.in, r.asked, message.Value{Param: r.asked.Name, Value: q.Said, Text: q.Said, Source: sourceText})
		}
		r.again()
	}
}
