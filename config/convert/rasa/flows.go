package rasa

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/source"
)

// maxFlowSteps bounds the plan of a flow: steps that several branches lead to are written in each.
const maxFlowSteps = 200

// flow is a flow of CALM.
type flow struct {
	id       string
	at       *source.Node
	intent   string   // id of the intent that it becomes; "" for none
	triggers []string // intents that start it
	task     *task    // nil: it is not written yet
	writing  bool
}

func (r *reader) readFlows(n *source.Node) {
	for _, e := range n.Entries() {
		f := &flow{id: e.Key, at: e.Value}
		for _, trigger := range e.Value.Get("nlu_trigger").Items() {
			f.triggers = append(f.triggers, word(trigger.Get("intent"))+word(trigger.Get("intent").Get("name")))
		}
		r.flows = append(r.flows, f)
	}
}

// flowOf returns the flow that an intent starts; nil for none.
func (r *reader) flowOf(intent string) *flow {
	return convert.Find(r.flows, func(f *flow) bool { return slices.Contains(f.triggers, intent) })
}

func (r *reader) convertFlows() {
	for _, f := range r.flows {
		if strings.HasPrefix(f.id, "pattern_") {
			r.lost(place(f.at), "the flow %s: the runtime repairs conversations by itself, in texts of its own", f.id)
			continue
		}
		f.intent = r.bot.FreeID(f.id)
		r.bot.Intents = append(r.bot.Intents, &convert.Intent{ID: f.intent, At: place(f.at)})
		for _, name := range f.triggers {
			r.intents[name] = f.intent
		}
	}
	for _, f := range r.flows {
		if f.intent != "" && f.task == nil {
			r.flow(f)
		}
	}
}

// flow makes an intent of a flow.
func (r *reader) flow(f *flow) {
	in := convert.Find(r.bot.Intents, func(o *convert.Intent) bool { return o.ID == f.intent })
	t := &task{source: f.id, in: in}
	f.task, f.writing = t, true
	in.Title, in.Description = convert.Spoken(f.id), convert.OneLine(word(f.at.Get("description")))
	if name := convert.OneLine(word(f.at.Get("name"))); name != "" {
		first := []rune(name)[:1]
		in.Title = strings.ToLower(string(first)) + strings.TrimPrefix(name, string(first))
	}
	w := &flowWriter{r: r, t: t, f: f, steps: f.at.Get("steps").Items(), active: map[*source.Node]bool{}, wrote: map[*source.Node]bool{}, front: true}
	guard := f.at.Get("if")
	in.Internal = strings.EqualFold(word(guard), "false")
	when := ""
	if guard != nil && !in.Internal {
		w.front = false
		if when = w.condition(guard); when == "" {
			in.Open = append(in.Open, r.bot.Report.Lost(place(guard), "the flow %s starts only if %s: begin the plan with this condition", f.id, word(guard)))
		}
	}
	in.Plan = w.from(w.steps, 0)
	if len(in.Plan) == 0 {
		in.Plan = []*convert.Step{r.bot.AllRight()}
	}
	if when != "" {
		in.Plan = []*convert.Step{{When: when, Then: in.Plan, Else: []*convert.Step{{Respond: "system.fallback"}}}}
	}
	if keeps := f.at.Get("persisted_slots"); keeps != nil {
		r.lost(place(keeps), "persisted_slots of the flow %s: write scope: session at these params", f.id)
	}
	w.walk(w.steps)
	if !in.Internal {
		r.flowExamples(f, t)
	}
	f.writing = false
	r.tasks = append(r.tasks, t)
}

// flowExamples takes the examples of the intents that start a flow. A flow has none of its own: its name and
// description stand in.
func (r *reader) flowExamples(f *flow, t *task) {
	for _, name := range f.triggers {
		r.examples(r.nlu.intent(name), t)
	}
	if len(t.in.Examples) > 0 {
		return
	}
	t.in.Examples = []config.Example{{Text: t.in.Title}}
	if t.in.Description != "" && !strings.EqualFold(t.in.Description, t.in.Title) {
		t.in.Examples = append(t.in.Examples, config.Example{Text: t.in.Description})
	}
	t.in.Open = append(t.in.Open, r.bot.Report.Decide(place(f.at), "a language model chose the flow %s by its description; write ten examples of what users say, with marked values", f.id))
}

// flowWriter writes the plan of a flow.
type flowWriter struct {
	r      *reader
	t      *task
	f      *flow
	steps  []*source.Node
	active map[*source.Node]bool // steps on the way to the current one
	wrote  map[*source.Node]bool
	front  bool // only questions came so far: their slots are required params
	count  int
}

// from writes the steps of a list, the flow's or a branch's, from the i-th on.
func (w *flowWriter) from(list []*source.Node, i int) []*convert.Step {
	if i >= len(list) {
		return nil
	}
	step := list[i]
	if w.count++; w.active[step] || w.count > maxFlowSteps {
		w.r.lost(place(step), "the flow %s goes back to a step or has very many ways: the plan ends here", w.f.id)
		return nil
	}
	w.active[step] = true
	defer delete(w.active, step)

	plan := w.one(step)
	if step.Has("link") { // nothing comes after it
		return plan
	}
	return append(plan, w.next(step.Get("next"), list, i+1)...)
}

// next writes what follows a step: another one by its name, branches, or the following one of its list.
func (w *flowWriter) next(n *source.Node, list []*source.Node, following int) []*convert.Step {
	switch name := word(n); {
	case n == nil:
		return w.from(list, following)
	case name == "END":
		return nil
	case name != "":
		at := slices.IndexFunc(w.steps, func(s *source.Node) bool { return word(s.Get("id")) == name })
		if at < 0 {
			w.r.lost(place(n), "the flow %s has no step %s", w.f.id, name)
			return nil
		}
		return w.from(w.steps, at)
	}
	w.front = false
	return w.branches(n.Items(), list, following)
}

// branches writes conditions, the first first.
func (w *flowWriter) branches(ways, list []*source.Node, following int) []*convert.Step {
	if len(ways) == 0 {
		return w.from(list, following)
	}
	head := ways[0]
	if head.Has("else") {
		return w.then(head.Get("else"))
	}
	when := w.condition(head.Get("if"))
	back := w.t.keep()
	step := &convert.Step{When: when, Then: w.then(head.Get("then"))}
	back()
	back = w.t.keep()
	step.Else = w.branches(ways[1:], list, following)
	back()
	if when == "" {
		step.When = "false"
		step.Open = append(step.Open, w.r.bot.Report.Lost(place(head), "write this condition of the flow %s: %s", w.f.id, word(head.Get("if"))))
	}
	if len(step.Then) == 0 {
		step.Then = []*convert.Step{{End: true}}
	}
	return []*convert.Step{step}
}

// then writes a branch: the name of a step, or steps.
func (w *flowWriter) then(n *source.Node) []*convert.Step {
	switch {
	case word(n) != "":
		return w.next(n, nil, 0)
	case n.Kind() == source.KindMap: // a slip that Rasa forgives
		return w.from([]*source.Node{n}, 0)
	}
	return w.from(n.Items(), 0)
}

// walk goes over the steps of the source and notes those that were not written.
func (w *flowWriter) walk(list []*source.Node) {
	for _, s := range list {
		if !w.wrote[s] {
			w.r.left(s, "a step of the flow %s that nothing leads to: %s", w.f.id, strings.Join(s.Keys(), ", "))
			continue
		}
		for _, way := range s.Get("next").Items() {
			w.walk(way.Get("then").Items())
			w.walk(way.Get("else").Items())
		}
	}
}

// one writes a step of a flow.
func (w *flowWriter) one(s *source.Node) []*convert.Step {
	w.wrote[s] = true
	if s.Has("collect") {
		return w.collect(s)
	}
	w.front = w.front && s.Has("noop")
	switch {
	case s.Has("action"):
		name := word(s.Get("action"))
		if slices.Contains(steering, name) {
			w.r.steered(name, place(s))
			return nil
		}
		return w.r.does(name, w.t, place(s))
	case word(s.Get("link")) == "pattern_human_handoff":
		return []*convert.Step{{Handoff: "people", Open: []convert.Open{w.r.bot.Report.Decide(place(s), "name the queue of the people who take over")}}}
	case s.Has("link"), s.Has("call"):
		return w.run(s, word(s.Get("link"))+word(s.Get("call")))
	case s.Has("set_slots"):
		return w.set(s.Get("set_slots"))
	case s.Has("noop"):
	default:
		w.r.lost(place(s), "a step of the flow %s: %s", w.f.id, strings.Join(s.Keys(), ", "))
	}
	return nil
}

// run writes another flow as a task within this one. Slots belong to the whole conversation in Rasa, so
// those that both flows know go there and come back.
func (w *flowWriter) run(s *source.Node, name string) []*convert.Step {
	other := convert.Find(w.r.flows, func(f *flow) bool { return f.id == name && f.intent != "" })
	if other == nil {
		w.r.lost(place(s), "the flow %s goes on with %s, which is no flow of the bot", w.f.id, name)
		return nil
	}
	if other.task == nil {
		w.r.flow(other)
	}
	if other.writing {
		w.r.lost(place(s), "the flow %s goes on with %s, which leads back to it", w.f.id, name)
		return nil
	}
	step := &convert.Step{Run: other.intent}
	for _, slot := range other.task.slots {
		p := w.r.param(slot)
		if p.Session {
			w.r.take(w.t, slot, false)
			continue
		}
		if slices.Contains(w.t.slots, slot) && !other.task.fresh[slot] {
			step.With = append(step.With, convert.Arg{Name: p.Name, Value: "$" + p.Name})
		}
		if s.Has("call") {
			w.r.take(w.t, slot, false)
			step.Saves = append(step.Saves, convert.Arg{Name: p.Name, Value: p.Name})
		}
	}
	w.t.asked += other.task.asked
	w.t.ran, w.t.runs = other.task, step
	return []*convert.Step{step}
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
			w.r.take(w.t, e.Key, false)
			w.r.setTo(step, e.Key, e.Value.Value())
		}
	}
	if len(step.With) == 0 {
		return nil
	}
	return []*convert.Step{step}
}

// collect asks for a slot. What is asked before anything else is a required param.
func (w *flowWriter) collect(s *source.Node) []*convert.Step {
	name := word(s.Get("collect"))
	fresh, _ := s.Get("ask_before_filling").Bool()
	front := w.front && !fresh
	p := w.r.take(w.t, name, front)
	w.t.asked++
	if reset, given := s.Get("reset_after_flow_ends").Bool(); given && !reset && p.Type != "boolean" { // a yes counts once
		p.Session = true
	}
	if resp := w.r.domain.response(word(s.Get("utter"))); resp != nil {
		w.r.bot.Ask(w.t.in, p, w.r.questions(resp, w.t), place(s))
	}
	if len(p.Prompts) == 0 {
		w.r.ask(w.f.id, []string{name}, w.t)
	}
	for _, rejection := range s.Get("rejections").Items() {
		p.Open = append(p.Open, w.r.bot.Report.Lost(place(rejection), "%s was refused if %s: write it as validation.expr, the other way round", name, word(rejection.Get("if"))))
	}
	if front {
		return nil
	}
	w.front = false
	if fresh {
		if w.t.fresh == nil {
			w.t.fresh = map[string]bool{}
		}
		w.t.fresh[name] = true
	}
	return []*convert.Step{w.t.in.Needs(p)}
}
