package rasa

import (
	"fmt"
	"slices"

	"github.com/slotway/slotway/config/convert"
)

// choice says how the bot goes on once a message answers its question with the value of a slot.
type choice struct {
	question string // the response that asked
	slot     string
	value    any
	names    []string // of actions
	at       convert.Place
	story    string
	carried  bool
}

// choiceOf returns the choice that an answer to a question is; nil for none.
func (r *reader) choiceOf(at *reading, a answer, entities []slotIs) *choice {
	if len(at.before) == 0 || a.form != "" || len(a.names) == 0 || len(entities) != 1 || entities[0].value == nil {
		return nil
	}
	question := at.before[len(at.before)-1]
	s := r.domain.slot(entities[0].slot)
	if !r.asks(question) || s == nil || r.react.goOn[question] {
		return nil
	}
	return &choice{question: question, slot: s.name, value: entities[0].value, names: a.names, at: a.at, story: a.story}
}

// chosen returns the steps that ask a question for a slot and go on by its value; ok is false if the
// stories know no values for it.
func (r *reader) chosen(names []string, t *task, at convert.Place) (plan []*convert.Step, ok bool) {
	last := names[len(names)-1]
	var list []*choice
	for _, c := range r.react.choices {
		if c.question == last && (len(list) == 0 || c.slot == list[0].slot) && !slices.ContainsFunc(list, func(o *choice) bool { return o.value == c.value }) {
			list = append(list, c)
		}
	}
	if len(list) == 0 || slices.Contains(t.formSlots, list[0].slot) {
		return nil, false
	}
	plan, _ = r.unsaid(names[:len(names)-1], t, at)
	p := r.paramIn(list[0].slot, t)
	if !slices.Contains(t.slots, list[0].slot) {
		t.slots = append(t.slots, list[0].slot)
		t.in.Optional = append(t.in.Optional, p.Name)
	}
	r.made.asks[last], r.made.asked[last] = p.Name, list[0].slot
	if texts := r.questions(r.domain.response(last), t); !slices.Equal(texts, p.Prompts) {
		if t.in.Own == nil {
			t.in.Own = map[string]convert.Own{}
		}
		t.in.Own[p.Name] = convert.Own{Prompts: texts}
	}
	var branches *convert.Step
	for i := len(list) - 1; i >= 0; i-- {
		c := list[i]
		c.carried = true
		step := &convert.Step{When: fmt.Sprintf("%s == %s", p.Name, literal(r.fixedValue(c.slot, c.value))), Then: r.branch(&follow{names: c.names, at: c.at}, t)}
		if branches != nil {
			step.Else = []*convert.Step{branches}
		}
		if len(step.Then) > 0 {
			branches = step
		}
	}
	plan = append(plan, &convert.Step{Ask: p.Name})
	if branches != nil && r.more(p, len(list)) {
		branches.Open = append(branches.Open, r.bot.Report.Decide(list[0].at, "the stories do not say what follows the other answers to %s", last))
	}
	if branches != nil {
		plan = append(plan, branches)
	}
	return plan, true
}

// more reports whether a param may have other values than the n that stories know.
func (r *reader) more(p *convert.Param, n int) bool {
	i := slices.IndexFunc(r.bot.Types, func(t *convert.Type) bool { return t.Name == p.Type })
	return i < 0 || p.Keep || len(r.bot.Types[i].Values) > n
}

// literal writes a value into an expression.
func literal(value any) string {
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(value)
}

// restChoices notes the choices that no plan offers.
func (r *reader) restChoices() {
	noted := map[string]bool{}
	for _, c := range r.react.choices {
		key := fmt.Sprint(c.question, c.slot, c.value, c.names)
		same := slices.ContainsFunc(r.react.choices, func(o *choice) bool {
			return o.carried && o.question == c.question && o.value == c.value && slices.Equal(o.names, c.names)
		})
		if same || noted[key] {
			continue
		}
		noted[key] = true
		r.bot.Report.Add(c.at, convert.Left, "%q: after %s, %s %v leads to %v; the plan that asks it does not go on so", c.story, c.question, c.slot, c.value, c.names)
	}
}
