package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/rasanlu"
)

// convert makes the agent of what was read.
func (r *reader) convert() {
	r.made = made{
		params: map[string]*convert.Param{}, slots: map[string]string{}, intents: map[string]string{}, asks: map[string]string{}, asked: map[string]string{},
		confirmed: map[string]int{}, unasked: map[string]int{}, enums: map[string]string{},
	}
	r.learn()
	r.digression()
	for _, name := range r.intentNames() {
		r.intent(name)
	}
	r.convertFlows()
	r.informs()
	for _, tool := range r.bot.Tools {
		tool.Write = r.made.confirmed[tool.Name] > 0 && r.made.unasked[tool.Name] == 0
		if tool.Write {
			tool.Open = nil
		}
	}
	r.titles()
	r.convertTests()
	r.rest()
}

// titles asks for verb phrases, once.
func (r *reader) titles() {
	for _, t := range r.made.tasks {
		if !t.in.AnswerOnly {
			at, ok := placeOf(r.domain.intents, t.source)
			if in := r.nlu.intent(t.source); !ok && in != nil {
				at = in.at
			}
			if i := slices.IndexFunc(r.flows, func(f *flow) bool { return f.id == t.source }); i >= 0 {
				at = place(r.flows[i].at)
			}
			t.in.Open = append(t.in.Open, r.bot.Report.Decide(at, "the titles are the names of the intents, and users see them: write verb phrases, such as \"cancel an order\""))
			return
		}
	}
}

// intentNames lists the intents as the domain does, then those that only have examples.
func (r *reader) intentNames() []string {
	var out []string
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, in := range r.domain.intents {
		add(in.name)
	}
	for _, in := range r.nlu.intents {
		if parent, _, below := strings.Cut(in.name, "/"); below {
			add(parent)
			continue
		}
		add(in.name)
	}
	return out
}

// intent carries one intent over.
func (r *reader) intent(name string) {
	if name == nluFallback {
		r.fallback()
		return
	}
	if ruled[name] {
		return
	}
	if children := r.nlu.children(name); len(children) > 0 {
		r.retrieval(name, children)
		return
	}
	in := r.nlu.intent(name)
	if in == nil {
		in = &nluIntent{name: name}
		in.at, _ = placeOf(r.domain.intents, name)
	}
	if id := builtinOf(name); id != "" {
		r.builtin(id, in)
		return
	}
	if r.gives(in) && !r.acts(name) && r.flowOf(name) == nil {
		r.inform(in)
		return
	}
	c := r.choose(name)
	if len(in.examples) == 0 && r.flowOf(name) == nil {
		r.bot.Report.Add(in.at, convert.Left, "the intent %s has no examples, so no message can mean it", name)
		return
	}
	switch {
	case c.always != nil || len(c.when) > 0:
		r.task(in, c)
	case r.flowOf(name) != nil: // its examples go to the flow
	case r.domain.response("utter_"+name) != nil:
		r.task(in, chosen{always: &answer{names: []string{"utter_" + name}, at: in.at}})
	default:
		id := convert.Snake(name)
		r.made.intents[name] = "not_served." + id
		r.bot.NotServed = append(r.bot.NotServed, &convert.Group{Name: id, Examples: r.plainExamples(in), Open: []convert.Open{
			r.bot.Report.Decide(in.at, "no rule or story says what follows the intent %s: it is refused as not served", name),
		}})
	}
}

// acts reports whether an intent leads to something by itself, not only in the course of a story.
func (r *reader) acts(name string) bool {
	return slices.ContainsFunc(r.react.answers[name], func(a answer) bool { return a.rank <= opening && len(a.when) == 0 || a.form != "" })
}

// inform notes an intent that only answers questions.
func (r *reader) inform(in *nluIntent) {
	r.made.informs = append(r.made.informs, in.name)
	r.made.intents[in.name] = ""
	r.bot.Report.Add(in.at, convert.Carried, "%s only gives values: its examples teach the params of the tasks that ask for them", in.name)
	for _, a := range r.react.answers[in.name] {
		if a.chosen { // see restChoices
			continue
		}
		r.bot.Report.Add(a.at, convert.Left, "%q: there %s leads to %s; it only gives values here", a.story, in.name, a.what())
	}
}

// gives reports whether an intent is there to answer the questions of forms.
func (r *reader) gives(in *nluIntent) bool {
	for _, s := range r.domain.slots {
		for _, m := range s.mappings {
			if slices.Contains(m.intents, in.name) && (m.kind == "from_text" || m.kind == "from_entity") {
				return true
			}
		}
	}
	filling := 0
	for _, e := range in.examples {
		if slices.ContainsFunc(e.marks, func(m rasanlu.Mark) bool { return r.fillsSlot(m) }) {
			filling++
		}
	}
	return filling > 0 && 2*filling >= len(in.examples) || convert.Snake(in.name) == "inform"
}

// fillsSlot reports whether a marked value goes into a slot.
func (r *reader) fillsSlot(m rasanlu.Mark) bool {
	return slices.ContainsFunc(r.domain.slots, func(s *slot) bool {
		entity, _ := s.entity()
		return entity == m.Entity && (r.inForm(s.name) || s.byUser() || len(s.mappings) == 0)
	})
}

func (r *reader) inForm(slot string) bool {
	return slices.ContainsFunc(r.domain.forms, func(f *form) bool { return slices.Contains(f.slots, slot) })
}

func (r *reader) plainExamples(in *nluIntent) []string {
	var out []string
	for _, e := range in.examples {
		if text := strings.Join(strings.Fields(e.text), " "); !slices.Contains(out, text) && !strings.HasPrefix(text, "/") {
			out = append(out, text)
		}
	}
	return out
}

// task carries an intent with a plan over.
func (r *reader) task(in *nluIntent, c chosen) {
	t := &task{source: in.name, fixed: map[string]any{}, in: &convert.Intent{ID: r.intentID(in.name), Title: convert.Spoken(in.name), Own: map[string]convert.Own{}}}
	r.made.intents[in.name] = t.in.ID
	first := c.always
	if first == nil {
		first = &c.when[0]
	}
	t.form = first.form
	r.formSlots(t)
	if c.always != nil || t.form != "" || len(c.when) > 0 {
		r.otherSlots(in, t, c)
	}
	r.plan(t, c)
	for _, e := range in.examples {
		if x := r.spans(e, t); !strings.HasPrefix(x.Text, "/") && !slices.ContainsFunc(t.in.Examples, func(o config.Example) bool { return o.Text == x.Text }) {
			t.in.Examples = append(t.in.Examples, x)
		}
	}
	if len(t.in.Plan) == 0 {
		id := r.response("utter_"+in.name, []string{"This answer was not carried over."}, nil)
		t.in.Plan = []*convert.Step{{Respond: id, Open: []convert.Open{r.bot.Report.Decide(in.at, "what %s answers is not in the files", in.name)}}}
	}
	if len(t.in.Examples) == 0 {
		t.in.Open = append(t.in.Open, r.bot.Report.Decide(in.at, "the intent %s has no examples", in.name))
	}
	r.bot.Report.Count("intents", 1)
	r.bot.Report.Count("examples", len(t.in.Examples))
	r.bot.Intents = append(r.bot.Intents, t.in)
	r.made.tasks = append(r.made.tasks, t)
	if in.name == outOfScope && r.made.intents[nluFallback] == "" && len(r.react.answers[nluFallback]) == 0 && len(t.slots) == 0 {
		r.bot.Fallback = t.in.ID
	}
}

// intentID returns the id of an intent: its name in small letters. A slash stays, as in faq/hours.
func (r *reader) intentID(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = convert.Snake(parts[i])
	}
	id := strings.Join(parts, "/")
	for slices.ContainsFunc(r.bot.Intents, func(o *convert.Intent) bool { return o.ID == id }) || slices.Contains(config.SystemIntents, id) {
		id += "_2"
	}
	return id
}

// otherSlots makes optional params of the entities in the examples, if the plan uses them.
func (r *reader) otherSlots(in *nluIntent, t *task, c chosen) {
	used := t.form != ""
	var texts strings.Builder
	lists := [][]string{}
	conditions := []slotIs{}
	if c.always != nil {
		lists = append(lists, c.always.names)
	}
	for _, a := range c.when {
		lists, conditions = append(lists, a.names), append(conditions, a.when...)
	}
	for _, names := range lists {
		for _, name := range names {
			if resp := r.domain.response(name); resp != nil {
				for _, v := range resp.variants {
					texts.WriteString(v.text + fmt.Sprint(v.when))
				}
			} else if !strings.HasPrefix(name, "utter_") {
				used = true
			}
		}
	}
	var dropped []string
	for _, e := range in.examples {
		for _, m := range e.marks {
			if r.slotFor(m, t) != "" || m.Entity == "" {
				continue
			}
			name := r.slotOfEntity(m)
			if !used && !strings.Contains(texts.String(), name) && !slices.ContainsFunc(conditions, func(c slotIs) bool { return c.slot == name }) {
				if !slices.Contains(dropped, name) {
					dropped = append(dropped, name)
				}
				continue
			}
			t.slots = append(t.slots, name)
			t.in.Optional = append(t.in.Optional, r.param(name).Name)
		}
	}
	if len(dropped) > 0 {
		r.bot.Report.Add(in.at, convert.Left, "the marks of %s in the examples of %s: its answer does not use them", strings.Join(dropped, ", "), in.name)
	}
	for _, c := range conditions { // set by an earlier message
		if !slices.Contains(t.slots, c.slot) && r.made.params[c.slot] != nil {
			t.slots = append(t.slots, c.slot)
			t.in.Optional = append(t.in.Optional, r.param(c.slot).Name)
		}
	}
}
