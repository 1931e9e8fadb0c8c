package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// maxFlowSteps bounds the plan of a flow: steps that several branches lead to are written in each.
const maxFlowSteps = 200

// flow is a flow of CALM.
type flow struct {
	id       string
	at       *source.Node
	intent   string   // id of the intent that it becomes
	triggers []string // intents that start it
}

func (r *reader) readFlows(n *source.Node) {
	for _, e := range n.Entries() {
		f := &flow{id: e.Key, at: e.Value}
		for _, trigger := range e.Value.Get("nlu_trigger").Items() {
			name := word(trigger.Get("intent"))
			if name == "" {
				name = word(trigger.Get("intent").Get("name"))
			}
			f.triggers = append(f.triggers, name)
		}
		r.flows = append(r.flows, f)
	}
}

// flowOf returns the flow that an intent starts; nil for none.
func (r *reader) flowOf(intent string) *flow {
	i := slices.IndexFunc(r.flows, func(f *flow) bool { return slices.Contains(f.triggers, intent) })
	if i < 0 {
		return nil
	}
	return r.flows[i]
}

func (r *reader) convertFlows() {
	for _, f := range r.flows {
		if strings.HasPrefix(f.id, "pattern_") {
			r.left(f.at, "the flow %s: the runtime repairs conversations by itself", f.id)
			continue
		}
		f.intent = r.intentID(f.id)
		r.bot.Intents = append(r.bot.Intents, &convert.Intent{ID: f.intent})
		for _, name := range f.triggers {
			r.made.intents[name] = f.intent
		}
	}
	for _, f := range r.flows {
		if f.intent != "" {
			r.flow(f)
		}
	}
}

// flow makes an intent of a flow.
func (r *reader) flow(f *flow) {
	in := r.bot.Intents[slices.IndexFunc(r.bot.Intents, func(o *convert.Intent) bool { return o.ID == f.intent })]
	t := &task{source: f.id, in: in, fixed: map[string]any{}}
	in.Title, in.Description = convert.Spoken(f.id), oneLine(word(f.at.Get("description")))
	if name := word(f.at.Get("name")); name != "" {
		in.Title = strings.ToLower(oneLine(name[:1])) + convert.Spoken(name)[min(1, len(convert.Spoken(name))):]
	}
	if f.at.Has("if") {
		if guard := word(f.at.Get("if")); guard == "False" || guard == "false" {
			in.Internal = true
		} else {
			in.Open = append(in.Open, r.bot.Report.Decide(place(f.at.Get("if")), "the flow %s starts only if %s: begin the plan with a condition", f.id, guard))
		}
	}
	w := &flowWriter{r: r, t: t, f: f, steps: f.at.Get("steps").Items(), ids: map[string]int{}, active: map[int]bool{}, asked: map[string]bool{}, front: true}
	for i, s := range w.steps {
		if id := word(s.Get("id")); id != "" {
			w.ids[id] = i
		}
	}
	in.Plan = w.from(0)
	if len(in.Plan) == 0 {
		in.Plan = []*convert.Step{{Respond: r.response("utter_"+f.id+"_done", []string{"All right."}, nil)}}
	}
	if !in.Internal {
		r.flowExamples(f, t)
	}
	r.made.tasks = append(r.made.tasks, t)
	r.bot.Report.Count("intents", 1)
	r.bot.Report.Count("examples", len(in.Examples))
}

// flowPurpose matches the words before the verb in descriptions such as "This flow lets users send money".
var flowPurpose = pattern.Must(`(?i)^(this flow |this skill )?(lets|allows|enables|helps) (the |a )?(users?|customers?|people) (to )?`)

// flowExamples takes the examples of the intents that start a flow. A flow has none of its own: its name
// and description stand in.
func (r *reader) flowExamples(f *flow, t *task) {
	for _, name := range f.triggers {
		if in := r.nlu.intent(name); in != nil {
			for _, e := range in.examples {
				t.in.Examples = append(t.in.Examples, r.spans(e, t))
			}
		}
	}
	if len(t.in.Examples) > 0 {
		return
	}
	list := []string{t.in.Title}
	if purpose := flowPurpose.ReplaceAllString(t.in.Description, ""); purpose != t.in.Description {
		purpose = strings.TrimRight(strings.ToLower(purpose), ".")
		list = append(list, purpose, "I want to "+purpose)
	}
	for _, text := range list {
		t.in.Examples = append(t.in.Examples, config.Example{Text: text})
	}
	t.in.Open = append(t.in.Open, r.bot.Report.Decide(place(f.at), "a language model chose the flow %s by its description; write ten examples of what users say, with marked values", f.id))
}

// flowWriter writes the plan of a flow.
type flowWriter struct {
	r      *reader
	t      *task
	f      *flow
	steps  []*source.Node
	ids    map[string]int
	active map[int]bool    // steps on the way to the current one
	asked  map[string]bool // slots that the flow asks for
	front  bool            // only questions came so far: their slots are required params
	count  int
}

// from writes the steps from the i-th on.
func (w *flowWriter) from(i int) []*convert.Step {
	if i < 0 || i >= len(w.steps) {
		return nil
	}
	step := w.steps[i]
	if w.count++; w.active[i] || w.count > maxFlowSteps {
		w.r.left(step, "the flow %s goes back to a step or has very many ways: the plan ends here", w.f.id)
		return nil
	}
	w.active[i] = true
	defer delete(w.active, i)
	if plan, ok := w.confirm(step, i); ok {
		return plan
	}
	plan := w.one(step)
	return append(plan, w.next(step.Get("next"), i+1)...)
}

// next writes what follows a step.
func (w *flowWriter) next(n *source.Node, following int) []*convert.Step {
	switch {
	case n == nil:
		return w.from(following)
	case word(n) == "END":
		return nil
	case word(n) != "":
		at, ok := w.ids[word(n)]
		if !ok {
			w.r.left(n, "the flow %s has no step %s", w.f.id, word(n))
			return nil
		}
		return w.from(at)
	}
	w.front = false
	return w.branches(n.Items(), following)
}

// branches writes conditions, the first first.
func (w *flowWriter) branches(list []*source.Node, following int) []*convert.Step {
	if len(list) == 0 {
		return w.from(following)
	}
	head := list[0]
	if head.Has("else") {
		return w.then(head.Get("else"))
	}
	// Each way begins with what is known here.
	saved, tool, confirmed := w.t.saved, w.t.toolOf, w.t.confirm
	when := w.condition(head.Get("if"))
	yes := w.then(head.Get("then"))
	w.t.saved, w.t.toolOf, w.t.confirm = saved, tool, confirmed
	no := w.branches(list[1:], following)
	w.t.saved, w.t.toolOf, w.t.confirm = saved, tool, confirmed
	step := &convert.Step{When: when, Then: yes, Else: no}
	if when == "" {
		step.When = "false"
		step.Open = append(step.Open, w.r.bot.Report.Decide(place(head), "write this condition of the flow %s: %s", w.f.id, word(head.Get("if"))))
	}
	if len(yes) == 0 {
		yes = []*convert.Step{{End: true}}
		step.Then = yes
	}
	return []*convert.Step{step}
}

// then writes a branch: the name of a step, or steps.
func (w *flowWriter) then(n *source.Node) []*convert.Step {
	if word(n) != "" {
		return w.next(n, -1)
	}
	list := n.Items()
	if n.Kind() == source.KindMap { // a slip that Rasa forgives
		list = []*source.Node{n}
	}
	var plan []*convert.Step
	for _, s := range list {
		if w.count++; w.count > maxFlowSteps {
			return plan
		}
		plan = append(plan, w.one(s)...)
		if next := s.Get("next"); next != nil {
			return append(plan, w.next(next, -1)...)
		}
	}
	return plan
}

// one writes a step of a flow.
func (w *flowWriter) one(s *source.Node) []*convert.Step {
	switch {
	case s.Has("collect"):
		return w.collect(s)
	case s.Has("action"):
		w.front = false
		name := word(s.Get("action"))
		if slices.Contains(steering, name) {
			return nil
		}
		if strings.HasPrefix(name, "utter_") || w.r.domain.response(name) != nil || w.last(s) {
			return w.r.steps([]string{name}, w.t, place(s))
		}
		return []*convert.Step{w.r.call(name, w.t, place(s))} // what follows says what came of it
	case s.Has("link"), s.Has("call"):
		w.front = false
		name := word(s.Get("link")) + word(s.Get("call"))
		i := slices.IndexFunc(w.r.flows, func(f *flow) bool { return f.id == name && f.intent != "" })
		if i < 0 || w.r.flows[i] == w.f {
			w.r.left(s, "the flow %s goes on with %s", w.f.id, name)
			return nil
		}
		return []*convert.Step{{Run: w.r.flows[i].intent}}
	case s.Has("set_slots"):
		w.front = false
		return w.set(s.Get("set_slots"))
	case s.Has("noop"):
	default:
		w.r.left(s, "a step of the flow %s: %s", w.f.id, strings.Join(s.Keys(), ", "))
	}
	return nil
}

// last reports whether the flow ends with a step.
func (w *flowWriter) last(s *source.Node) bool {
	if next := s.Get("next"); next != nil {
		return word(next) == "END"
	}
	return len(w.steps) > 0 && w.steps[len(w.steps)-1] == s
}

// set sets slots.
func (w *flowWriter) set(list *source.Node) []*convert.Step {
	step := &convert.Step{Set: true}
	for _, item := range list.Items() {
		for _, e := range item.Entries() {
			if e.Value.Kind() == source.KindNull {
				w.r.left(e.Value, "the flow %s forgets the slot %s: values end with their task", w.f.id, e.Key)
				continue
			}
			if !slices.Contains(w.t.slots, e.Key) {
				w.t.slots = append(w.t.slots, e.Key)
				w.t.in.Optional = append(w.t.in.Optional, w.r.param(e.Key).Name)
			}
			step.With = append(step.With, convert.Arg{Name: w.r.param(e.Key).Name, Value: w.r.fixedValue(e.Key, e.Value.Value())})
		}
	}
	if len(step.With) == 0 {
		return nil
	}
	return []*convert.Step{step}
}

// confirm writes a question for a last yes: a yes/no slot whose no only says something and ends the flow,
// and whose yes calls an action.
func (w *flowWriter) confirm(s *source.Node, i int) ([]*convert.Step, bool) {
	name := word(s.Get("collect"))
	slot := w.r.domain.slot(name)
	list := s.Get("next").Items()
	if slot == nil || slot.kind != "bool" || len(list) != 2 || !list[1].Has("else") {
		return nil, false
	}
	yes, no := list[0].Get("then"), list[1].Get("else")
	switch condition := strings.TrimPrefix(strings.Join(strings.Fields(word(list[0].Get("if"))), " "), "slots."); condition {
	case name, name + " == true", name + " is true", name + " = true":
	case "not " + name, "not slots." + name, name + " == false", name + " is false", name + " is not true", name + " != true":
		yes, no = no, yes
	default:
		return nil, false
	}
	if !w.calls(yes, map[string]bool{}) || w.calls(no, map[string]bool{}) || !w.r.goesOn(slot) {
		return nil, false
	}
	w.front = false
	step := &convert.Step{Confirm: fmt.Sprintf("Shall I do it: %s?", w.t.in.Title)}
	for _, resp := range w.r.prompts(name) {
		if texts := w.r.questions(resp, w.t); len(texts) > 0 {
			step.Confirm = texts[0]
		}
	}
	for _, denied := range w.then(no) {
		if denied.Respond != "" && step.Denied == "" {
			step.Denied = denied.Respond
		}
	}
	w.r.made.lastYes = append(w.r.made.lastYes, name)
	w.t.confirm = true
	return append([]*convert.Step{step}, w.then(yes)...), true
}

// calls reports whether a branch leads to a custom action.
func (w *flowWriter) calls(n *source.Node, seen map[string]bool) bool {
	if id := word(n); id != "" {
		i, ok := w.ids[id]
		if !ok || seen[id] {
			return false
		}
		seen[id] = true
		for _, s := range w.steps[i:] {
			if w.calls(s, seen) {
				return true
			}
			if s.Has("next") {
				return false
			}
		}
		return false
	}
	if action := word(n.Get("action")); action != "" && !strings.HasPrefix(action, "utter_") && w.r.domain.response(action) == nil {
		return true
	}
	for _, e := range n.Entries() {
		if (e.Key == "next" || e.Key == "then" || e.Key == "else") && w.calls(e.Value, seen) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items(), func(item *source.Node) bool { return w.calls(item, seen) })
}
