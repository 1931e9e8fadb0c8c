package rasa

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// mostSteps bounds a plan: stories may come back to a question in each of its branches.
const mostSteps = 300

// way is a script from one of its items on.
type way struct {
	*script
	next int
}

// enter returns the ways of scripts that a plan comes to. A story that shows what a rule with a guard does is that
// rule's, and one that goes on after it has the same guard: it does not lift it.
func enter(list []*script) (ways []way) {
	for i, s := range list {
		rule := convert.Find(list[:i], func(o *script) bool { return o.guarded() && o.bare() != "" && strings.HasPrefix(s.bare(), o.bare()) })
		switch {
		case rule == nil || s.guarded():
		case rule.bare() == s.bare():
			s.as = rule
			continue
		default:
			s.items = slices.Concat(rule.items[:1], s.items) // the guard comes first
		}
		if s.entered++; len(s.items) == 0 {
			s.left++
		}
		ways = append(ways, way{s, 0})
	}
	return ways
}

// guarded reports whether a script has the condition of a rule.
func (s *script) guarded() bool {
	return slices.ContainsFunc(s.items, func(it item) bool { return it.guard })
}

// bare returns what a script does, without conditions.
func (s *script) bare() (text string) {
	for _, it := range s.items {
		if it.kind != slotStep {
			text += it.name + "\x00"
		}
	}
	return text
}

// comesOut reports whether each plan that comes to a script has all of its steps.
func (s *script) comesOut() bool {
	if s.as != nil {
		return s.as.comesOut()
	}
	return s.done || s.entered > 0 && s.left == s.entered
}

// plan writes what comes next on ways. Where they differ in conditions, the plan branches, the next condition in its
// else; where they differ in anything else, the first one counts, and the others do not come out.
func (r *reader) plan(ways []way, t *task) []*convert.Step {
	ways = slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return w.next == len(w.items) })
	if t.steps++; t.steps > mostSteps || len(ways) == 0 {
		return nil
	}
	first := max(slices.IndexFunc(ways, func(w way) bool { return w.items[w.next].kind == slotStep }), 0)
	next, at := ways[first].items[ways[first].next], ways[first].at
	var on, others []way
	for _, w := range ways {
		if it := w.items[w.next]; it.kind == next.kind && it.String() == next.String() {
			next.guard = next.guard || it.guard
			on = append(on, way{w.script, w.next + 1})
		} else {
			others = append(others, w)
		}
	}
	written := func() {
		for _, w := range on {
			if w.next == len(w.items) {
				w.left++
			}
		}
	}
	switch {
	case next.kind == otherStep:
		return nil
	case next.kind != slotStep:
		written()
		return r.step(next, at, on, t)
	}
	when, nothing := r.condition(next.is, t), t.top // else, so far
	var then []*convert.Step
	if when != "" {
		then = r.branch(on, t)
	}
	if len(then) == 0 {
		return r.plan(others, t)
	}
	written()
	step := &convert.Step{When: when, Then: then, Else: r.branch(others, t)}
	if (next.guard || nothing) && len(step.Else) == 0 { // as a bot without another rule
		step.Else = []*convert.Step{{Respond: "system.fallback"}}
	}
	return []*convert.Step{step}
}

// branch writes one of several ways on, which do not know of each other's results.
func (r *reader) branch(ways []way, t *task) []*convert.Step {
	defer t.keep()()
	return r.plan(ways, t)
}

// keep returns a function that forgets what one of several ways on knows.
func (t *task) keep() func() {
	saved, tool, sets, asking, asked := t.saved, t.toolOf, t.sets, t.asking, t.asked
	t.top, t.parted = false, true
	return func() { t.saved, t.toolOf, t.sets, t.asking, t.asked = saved, tool, sets, asking, asked }
}

// step writes a step and what follows it.
func (r *reader) step(it item, at convert.Place, on []way, t *task) []*convert.Step {
	var behind []*script
	if !slices.ContainsFunc(on, func(w way) bool { return w.next < len(w.items) }) {
		behind = r.behind(it.name)
	}
	answers := slices.DeleteFunc(slices.Clone(behind), func(s *script) bool { return !s.yes && !s.no })
	switch {
	case it.kind == loopStep && t.asking[it.name]:
		r.bot.Report.Add(at, convert.Lost, "the form %s begins again behind itself", it.name)
		return nil
	case it.kind == loopStep:
		return r.form(it.name, on, t)
	case len(answers) > 0 && r.canAsk(it.name, t):
		return r.question(it.name, answers, t)
	}
	t.top = false
	plan := r.does(it.name, t, at)
	r.follow(behind, t)
	return append(plan, r.plan(on, t)...)
}

// follow makes tasks of what is heard only behind an action, such as the yes to what it says: they are understood in
// the turn after it.
func (r *reader) follow(behind []*script, t *task) {
	if t.parted || t.in.Internal || t.in.After != nil {
		return
	}
	done := map[string]bool{}
	for _, s := range behind {
		for _, intent := range s.intents {
			list := slices.DeleteFunc(slices.Clone(behind), func(o *script) bool { return !slices.Contains(o.intents, intent) })
			next := &task{source: intent, later: true, asked: t.asked, marked: slices.Clone(t.slots), in: &convert.Intent{
				ID: r.bot.FreeID(t.in.ID + "/" + intent), At: s.at, Title: t.in.Title, After: []string{t.in.ID},
			}}
			r.examples(r.nlu.intent(intent), next)
			if done[intent] || len(next.in.Examples) == 0 {
				continue
			}
			if done[intent] = true; s.yes || s.no {
				next.asked++
			}
			r.bot.Intents = append(r.bot.Intents, next.in)
			if next.in.Plan = r.plan(enter(list), next); len(next.in.Plan) == 0 {
				r.bot.Intents = slices.DeleteFunc(r.bot.Intents, func(o *convert.Intent) bool { return o == next.in })
				continue
			}
			r.intents[intent] = cmp.Or(r.intents[intent], next.in.ID)
			r.tasks = append(r.tasks, next)
		}
	}
}

// canAsk reports whether an answer is a question that the plan can ask.
func (r *reader) canAsk(name string, t *task) bool {
	resp := r.domain.response(name)
	if resp == nil || t.asking[name] {
		return false
	}
	return slices.ContainsFunc(resp.variants, func(v variant) bool { return len(v.when) == 0 && v.text != "" })
}

// asks notes a question or a form on the way to what follows: neither comes behind itself.
func (t *task) asks(name string) {
	known := t.asking
	t.asking = map[string]bool{name: true}
	maps.Copy(t.asking, known)
}

// question asks for the yes or no that the stories answer.
func (r *reader) question(name string, answers []*script, t *task) []*convert.Step {
	t.asks(name)
	p := r.bot.Param(r.asks[name])
	if p == nil {
		id := r.bot.FreeParam(strings.TrimPrefix(strings.TrimPrefix(name, "utter_"), "ask_"))
		p = &convert.Param{Name: id, Type: "boolean", Label: "answer", Prompts: r.questions(r.domain.response(name), t)}
		r.asks[name] = id
		r.bot.Params = append(r.bot.Params, p)
	}
	t.in.Take(p.Name, false)
	t.asked++
	step := &convert.Step{When: p.Name + " == true"}
	for _, side := range []string{"yes", "no"} {
		list := slices.DeleteFunc(slices.Clone(answers), func(s *script) bool { return side == "yes" && !s.yes || side == "no" && !s.no })
		on := r.branch(enter(list), t)
		if len(on) == 0 {
			on = []*convert.Step{r.bot.AllRight()}
			step.Open = append(step.Open, r.bot.Report.Decide(place(r.domain.response(name).at), "no story that can be carried over says what follows a %s to %s", side, name))
		}
		if side == "yes" {
			step.Then = on
		} else {
			step.Else = on
		}
	}
	return []*convert.Step{{Ask: p.Name}, step}
}

// form writes a form and what follows it: what the stories that began it say, or its rules.
func (r *reader) form(name string, on []way, t *task) (plan []*convert.Step) {
	f, first := r.domain.form(name), t.top
	t.top = false
	t.asks(name)
	ends := r.scriptsOf(func(s *script) bool { return s.form == name && s.ends })
	on = append(enter(ends), on...)
	names := r.formSlots(f, t)
	for _, name := range names {
		if p := r.take(t, name, first); !first {
			plan = append(plan, t.in.Needs(p))
		}
	}
	r.ask(f.name, names, t)
	t.asked += len(names)
	if !slices.ContainsFunc(on, func(w way) bool { return w.next < len(w.items) }) {
		step := r.bot.AllRight()
		step.Open = append(step.Open, r.bot.Report.Lost(place(f.at), "no rule or story says what follows the form %s", f.name))
		return append(plan, step)
	}
	rest := r.plan(on, t)
	if len(rest) == 0 {
		rest = []*convert.Step{r.bot.AllRight()}
	}
	return append(plan, rest...)
}

// formSlots returns the slots that a form asks for, without those whose values follow from the intent.
func (r *reader) formSlots(f *form, t *task) (names []string) {
	for _, name := range f.slots {
		s := r.slot(name)
		if s.initial != nil { // it has a value already
			r.take(t, name, false)
			continue
		}
		if !s.byUser() && r.prompt(f.name, name) == nil {
			t.in.Open = append(t.in.Open, r.bot.Report.Lost(place(s.at), "no message fills %s of the form %s: the agent does not ask for it", name, f.name))
			continue
		}
		names = append(names, name)
	}
	return names
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
	if parent, _, below := strings.Cut(t.source, "/"); below && name == "utter_"+parent { // that of a retrieval intent
		name = cmp.Or(r.domain.response("utter_"+t.source), &response{name: name}).name
	}
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
	name = convert.Snake(name)
	same := func(o *convert.Response) bool { return slices.Equal(o.Texts, texts) && strings.HasPrefix(o.ID, name) }
	if known := convert.Find(r.bot.Responses, same); known != nil {
		return known.ID
	}
	return r.bot.Say(name, texts).Respond
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
