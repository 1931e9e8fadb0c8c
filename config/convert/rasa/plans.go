package rasa

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// mostSteps bounds a plan: stories may come back to a question in each of its branches.
const mostSteps = 300

// spot is a place in a script.
type spot struct {
	*script
	at int
}

func pathsOf(list []*script) (out []spot) {
	for _, s := range list {
		out = append(out, spot{script: s})
	}
	return out
}

// rest returns the items that are left.
func (p spot) rest() []item { return p.items[p.at:] }

// leading returns the conditions that come next.
func (p spot) leading() []item {
	end := p.at
	for end < len(p.items) && p.items[end].kind == slotStep {
		end++
	}
	return p.items[p.at:end]
}

// same returns what the items do, as text.
func same(items []item) string { return fmt.Sprint(items) }

// plan writes the steps of several scripts that are known to begin alike. Where they differ in conditions,
// the plan branches; where they differ in anything else, the first one counts, and the others are not written.
func (r *reader) plan(paths []spot, t *task) (plan []*convert.Step) {
	for len(paths) > 0 {
		if t.steps++; t.steps > mostSteps {
			return plan
		}
		if branches, ok := r.branches(&paths, t); ok {
			return append(plan, branches...)
		}
		head := paths[0].rest()
		if len(head) == 0 {
			for _, p := range paths {
				p.written = p.written || len(p.rest()) == 0
			}
			return plan
		}
		var on []spot
		for _, p := range paths {
			if rest := p.rest(); len(rest) > 0 && same(rest[:1]) == same(head[:1]) {
				on = append(on, spot{p.script, p.at + 1})
			}
		}
		last := !slices.ContainsFunc(on, func(p spot) bool { return len(p.rest()) > 0 })
		switch it := head[0]; {
		case it.kind == otherStep:
			return plan // none of them is written
		case it.kind == loopStep:
			return append(plan, r.form(it.name, on, t)...)
		case last && len(r.says.answers[it.name]) > 0 && r.canAsk(it.name, t):
			for _, p := range on {
				p.written = true
			}
			return append(plan, r.question(it.name, t)...)
		default:
			t.top = false
			plan = append(plan, r.does(it.name, t, paths[0].script.at)...)
		}
		paths = on
	}
	return plan
}

// branches writes conditions that come next. ok is false if there are none, or if they make no difference:
// then they are passed over.
func (r *reader) branches(paths *[]spot, t *task) (plan []*convert.Step, ok bool) {
	var keys []string
	by := map[string][]spot{}
	for _, p := range *paths {
		key := same(p.leading())
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], spot{p.script, p.at + len(p.leading())})
	}
	none := same([]item{})
	if len(keys) == 1 {
		conditions := (*paths)[0].leading()
		needless := !slices.ContainsFunc(conditions, func(it item) bool { return it.guard || !it.is.any })
		if needless {
			*paths = by[keys[0]]
			return nil, false
		}
	}
	fallback := by[none]
	for i := len(keys) - 1; i >= 0; i-- {
		group := by[keys[i]]
		if keys[i] == none || len(fallback) == 0 || same(group[0].rest()) != same(fallback[0].rest()) {
			continue
		}
		if group[0].at > 0 && group[0].items[group[0].at-1].guard { // a story that shows the same does not lift it
			by[keys[i]], fallback = append(group, fallback...), nil
			continue
		}
		fallback = append(fallback, group...) // a branch that does what is done anyway is none
		keys = slices.Delete(keys, i, i+1)
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == none })
	if len(keys) == 0 {
		*paths = fallback
		return nil, false
	}
	return r.nest(keys, by, fallback, t), true
}

// nest writes one condition with the next ones in its else.
func (r *reader) nest(keys []string, by map[string][]spot, fallback []spot, t *task) []*convert.Step {
	if len(keys) == 0 {
		return r.branch(fallback, t)
	}
	group := by[keys[0]]
	first := group[0]
	var list []slotIs
	guard := false
	for at := first.at - 1; at >= 0 && first.items[at].kind == slotStep; at-- {
		list = append(list, first.items[at].is)
		guard = guard || first.items[at].guard
	}
	slices.Reverse(list)
	when := r.condition(list, t)
	nothing := t.top // else, so far
	if when == "" {
		return r.nest(keys[1:], by, fallback, t) // the scripts are not written
	}
	then := r.branch(group, t)
	if len(then) == 0 {
		return r.nest(keys[1:], by, fallback, t)
	}
	step := &convert.Step{When: when, Then: then, Else: r.nest(keys[1:], by, fallback, t)}
	if (guard || nothing) && len(step.Else) == 0 { // as a bot without another rule
		step.Else = []*convert.Step{{Respond: "system.fallback"}}
	}
	return []*convert.Step{step}
}

// branch writes one of several ways, which do not know of each other's results.
func (r *reader) branch(paths []spot, t *task) []*convert.Step {
	defer t.keep()()
	return r.plan(paths, t)
}

// keep returns a function that forgets what one of several ways on knows.
func (t *task) keep() func() {
	saved, tool, sets, asking, asked := t.saved, t.toolOf, t.sets, t.asking, t.asked
	t.top = false
	return func() { t.saved, t.toolOf, t.sets, t.asking, t.asked = saved, tool, sets, asking, asked }
}

// canAsk reports whether an answer is a question that the plan can ask.
func (r *reader) canAsk(name string, t *task) bool {
	resp := r.domain.response(name)
	if resp == nil || t.asking[name] {
		return false
	}
	return slices.ContainsFunc(resp.variants, func(v variant) bool { return len(v.when) == 0 && v.channel == "" && v.text != "" })
}

// question asks for the yes or no that the stories answer.
func (r *reader) question(name string, t *task) []*convert.Step {
	t.asking = maps.Clone(t.asking)
	if t.asking == nil {
		t.asking = map[string]bool{}
	}
	t.asking[name] = true
	p := r.bot.Param(r.asks[name])
	if p == nil {
		id := r.bot.FreeParam(strings.TrimPrefix(strings.TrimPrefix(name, "utter_"), "ask_"))
		p = &convert.Param{Name: id, Type: "boolean", Label: "answer", Prompts: r.questions(r.domain.response(name), t)}
		r.asks[name] = id
		r.bot.Params = append(r.bot.Params, p)
	}
	t.in.Take(p.Name, false)
	t.asked++
	var yes, no []spot
	for _, s := range r.says.answers[name] {
		if s.yes {
			yes = append(yes, spot{script: s})
		}
		if s.no {
			no = append(no, spot{script: s})
		}
	}
	step := &convert.Step{When: p.Name + " == true", Then: r.branch(yes, t), Else: r.branch(no, t)}
	if len(step.Then) == 0 {
		step.Then = []*convert.Step{r.bot.AllRight()}
		step.Open = append(step.Open, r.bot.Report.Decide(place(r.domain.response(name).at), "no story that can be carried over says what follows a yes to %s", name))
	}
	if len(step.Else) == 0 {
		step.Else = []*convert.Step{r.bot.AllRight()}
		step.Open = append(step.Open, r.bot.Report.Decide(place(r.domain.response(name).at), "no story that can be carried over says what follows a no to %s", name))
	}
	return []*convert.Step{{Ask: p.Name}, step}
}

// form writes a form and what follows it: what the stories that began it say, or its rules.
func (r *reader) form(name string, on []spot, t *task) (plan []*convert.Step) {
	f, first := r.domain.form(name), t.top
	t.top = false
	after := pathsOf(r.says.endings[name])
	for _, p := range on {
		if len(p.rest()) > 0 {
			after = append(after, p)
		}
		p.written = p.written || len(p.rest()) == 0
	}
	names := r.formSlots(f, t)

	var params []string
	for _, name := range names {
		params = append(params, r.take(t, name, first).Name)
	}
	r.ask(f.name, names, t)
	t.asked += len(names)
	for _, name := range params {
		if !first {
			plan = append(plan, t.in.Needs(name))
		}
	}
	if set := r.fixedValues(t); set != nil {
		plan = append(plan, set)
	}

	if len(after) == 0 {
		step := r.bot.AllRight()
		step.Open = append(step.Open, r.bot.Report.Lost(place(f.at), "no rule or story says what follows the form %s", f.name))
		return append(plan, step)
	}
	rest := r.plan(after, t)
	if len(rest) == 0 {
		rest = []*convert.Step{r.bot.AllRight()}
	}
	return append(plan, rest...)
}

// formSlots returns the slots that a form asks for, without those whose values follow from the intent.
func (r *reader) formSlots(f *form, t *task) (names []string) {
	for _, name := range f.slots {
		s := r.slot(name)
		if value, ok := s.trigger(t.source); ok {
			r.take(t, name, false)
			t.fixed[name] = value
			continue
		}
		if s.initial != nil && s.initial.Kind() != source.KindNull { // it has a value already
			r.take(t, name, false)
			continue
		}
		if !s.byUser() && len(r.prompts(name)) == 0 {
			t.in.Open = append(t.in.Open, r.bot.Report.Lost(place(s.at), "only an action fills %s of the form %s: the agent does not ask for it", name, f.name))
			continue
		}
		names = append(names, name)
	}
	return names
}

// trigger returns the value that an intent gives to a slot.
func (s *slot) trigger(intent string) (any, bool) {
	for _, m := range s.mappings {
		if m.kind == "from_trigger_intent" && slices.Contains(m.intents, intent) {
			return m.value.Value(), m.value.Value() != nil
		}
	}
	return nil, false
}

// fixedValues sets the slots whose values follow from the intent; nil for none.
func (r *reader) fixedValues(t *task) *convert.Step {
	set := &convert.Step{Set: true}
	for _, name := range slices.Sorted(maps.Keys(t.fixed)) {
		r.setTo(set, name, t.fixed[name])
	}
	t.fixed = map[string]any{}
	if len(set.With) == 0 {
		return nil
	}
	return set
}

// setTo adds a value to a step that sets params, if the slot's type allows it.
func (r *reader) setTo(set *convert.Step, slot string, value any) {
	p := r.param(slot)
	if known, ok := r.bot.Value(p, value); ok {
		set.With = append(set.With, convert.Arg{Name: p.Name, Value: known})
		return
	}
	r.lost(place(r.slot(slot).at), "%s cannot be set to %v: its type is %s", slot, value, p.Type)
}

// does writes an action: an answer, or the call of a custom action and what it says.
func (r *reader) does(name string, t *task, at convert.Place) []*convert.Step {
	if resp := r.domain.response(name); resp != nil {
		return r.say(resp, t)
	}
	if name == "action_default_fallback" {
		return []*convert.Step{{Respond: "system.fallback"}}
	}
	if strings.HasPrefix(name, "utter_") {
		r.lost(at, "%s: no response has this name", name)
		return nil
	}
	call := r.call(name, t, at)
	said := &convert.Step{When: "len(" + t.saved + ".responses) > 0", Respond: r.response(t.toolOf+"_said", []string{"{" + t.saved + ".responses.0}"})}
	return []*convert.Step{call, said}
}

// say returns the steps that say a response: variants under a condition first.
func (r *reader) say(resp *response, t *task) []*convert.Step {
	resp.said = true
	var texts []string
	var branches []*convert.Step
	for _, v := range resp.variants {
		text := r.template(v.text, t, v.at)
		switch {
		case v.channel != "":
			r.left(v.at, "the variant of %s for the channel %s", resp.name, v.channel)
		case text == "":
		case len(v.when) > 0:
			when := r.condition(v.when, t)
			if when == "" {
				r.lost(place(v.at), "a variant of %s under a condition on slots that the plan does not know", resp.name)
				continue
			}
			same := slices.IndexFunc(branches, func(b *convert.Step) bool { return b.When == when })
			if same < 0 {
				branches = append(branches, &convert.Step{When: when, Respond: r.response(resp.name, []string{text})})
				continue
			}
			known := r.bot.Response(branches[same].Respond)
			known.Texts = append(known.Texts, text)
		default:
			texts = append(texts, text)
		}
	}

	var rest []*convert.Step
	if len(texts) > 0 {
		rest = []*convert.Step{{Respond: r.response(resp.name, texts)}}
	}
	for _, b := range slices.Backward(branches) {
		rest = []*convert.Step{{When: b.When, Then: []*convert.Step{{Respond: b.Respond}}, Else: rest}}
	}
	return rest
}

// response declares a response, once for each wording.
func (r *reader) response(name string, texts []string) string {
	id := convert.Snake(name)
	for n := 2; ; n++ {
		known := r.bot.Response(id)
		if known == nil {
			r.bot.Responses = append(r.bot.Responses, &convert.Response{ID: id, Texts: texts})
			return id
		}
		if slices.Equal(known.Texts, texts) {
			return id
		}
		id = fmt.Sprintf("%s_%d", convert.Snake(name), n)
	}
}

// call returns the step that calls a custom action with all that the task knows. After a question its tool
// is a write: it is called once for what was answered.
func (r *reader) call(action string, t *task, at convert.Place) *convert.Step {
	for _, name := range t.marked {
		r.take(t, name, false)
	}
	t.marked = nil
	tool := r.tool(action, at)
	step := &convert.Step{Call: tool.Name, Save: tool.Name + "_result"}
	for _, name := range t.slots {
		step.With = append(step.With, convert.Arg{Name: slotID(name), Value: "$" + r.param(name).Name})
	}
	for _, name := range slices.Sorted(maps.Keys(t.sets)) {
		if slices.ContainsFunc(step.With, func(a convert.Arg) bool { return a.Name == slotID(name) }) {
			continue
		}
		step.With = append(step.With, convert.Arg{Name: slotID(name), Value: "$" + t.sets[name]})
	}
	t.saved, t.toolOf = step.Save, tool.Name
	tool.Write = tool.Write || t.asked > 0
	return step
}

// tool declares the tool for a custom action.
func (r *reader) tool(action string, at convert.Place) *convert.Tool {
	name := convert.Snake(strings.TrimPrefix(action, "action_"))
	if known := r.bot.Tool(name); known != nil {
		return known
	}
	url := strings.TrimSuffix(r.server, "/webhook")
	if url == "" {
		url = "${ACTIONS_URL}"
	}
	t := &convert.Tool{Name: name, At: at, Description: "The custom action " + action, Result: map[string]any{
		"slots": map[string]any{}, "responses": []any{"(Here " + action + " answers.)"},
	}}
	t.Note = fmt.Sprintf("To call the action server: kind: rasa_action, url: %q, action: %s.", url, action)
	for _, declared := range r.domain.actions {
		if declared.name == action {
			at = place(declared.at)
		}
	}
	r.bot.Tools = append(r.bot.Tools, t)
	r.bot.Report.Add(at, convert.Carried, "%s is the tool %s, which gives a fixed answer until it is connected", action, name)
	return t
}
