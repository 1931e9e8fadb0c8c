package flow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow/diagram"
)

// The data attributes of nodes and edges.
const (
	AttrIntent = "intent"
	AttrStep   = "step"  // id of a plan step
	AttrParam  = "param" // the param that a question fills
	AttrPart   = "part"  // the part of a step that a node stands for: if, denied or an error code
	AttrWay    = "way"   // of an edge that leaves a step by more than one way: yes, no, denied or an error code
)

// The parts of steps and the ways out of them; an error code is both.
const (
	PartIf     = "if" // the condition of a step
	PartDenied = "denied"
	WayYes     = "yes"
	WayNo      = "no"
)

// Agent returns the diagrams of all tasks and answers, and of the system intents with a plan.
func Agent(a *config.Agent) []*diagram.Diagram {
	var out []*diagram.Diagram
	for _, in := range a.Intents {
		out = append(out, Of(a, in))
	}
	for _, in := range a.System {
		if len(in.Plan) > 0 {
			out = append(out, Of(a, in))
		}
	}
	return out
}

// Of returns the diagram of an intent.
func Of(a *config.Agent, in *config.Intent) *diagram.Diagram {
	b := &builder{
		agent: a, in: in, d: &diagram.Diagram{ID: in.ID, Title: in.ID, Caption: caption(in)},
		asks: map[string]string{}, later: map[string][]string{}, ids: map[string]int{},
	}
	b.findLater()
	kind := "task"
	switch {
	case in.AnswerOnly:
		kind = "answer in passing"
	case in.Internal:
		kind = "part of other tasks"
	}
	start := b.node(&diagram.Node{ID: "start", Shape: diagram.Start, Kind: kind, Text: in.Called()}, "", "", "")
	out := b.params([]loose{{from: start, main: true}})
	known := map[string]bool{}
	b.finish(b.steps(in.Plan, out, known))
	return b.d
}

// caption says what may interrupt a task.
func caption(in *config.Intent) string {
	if in.AnswerOnly {
		return "The task under way goes on afterwards."
	}
	switch in.Policy.Digression {
	case config.DigressionBlock:
		return "No other task may interrupt it; answers in passing may."
	case config.DigressionAsk:
		return "Other tasks may interrupt it; the agent then asks whether to go on."
	}
	return "Other tasks may interrupt it; it goes on afterwards."
}

// builder makes one diagram.
type builder struct {
	agent *config.Agent
	in    *config.Intent
	d     *diagram.Diagram
	asks  map[string]string   // by param: the node that asks for it first
	later map[string][]string // by param whose question depends on results: their names
	ids   map[string]int      // how often an id was used
	again []back              // edges to questions that may not be drawn yet
}

// back is an edge to the question for a param.
type back struct {
	from, param, label string
	attrs              []diagram.Attr
}

// loose is an edge whose end is not known yet.
type loose struct {
	from  *diagram.Node
	label string
	way   diagram.Way
	main  bool
	attrs []diagram.Attr
}

// node adds a node for a step or a param; its id is made unique.
func (b *builder) node(n *diagram.Node, step, param, part string) *diagram.Node {
	b.ids[n.ID]++
	if k := b.ids[n.ID]; k > 1 {
		n.ID = fmt.Sprintf("%s.%d", n.ID, k)
	}
	for _, a := range []diagram.Attr{{Name: AttrIntent, Value: b.in.ID}, {Name: AttrStep, Value: step}, {Name: AttrParam, Value: param}, {Name: AttrPart, Value: part}} {
		if a.Value != "" {
			n.Attrs = append(n.Attrs, a)
		}
	}
	b.d.Nodes = append(b.d.Nodes, n)
	return n
}

func wayAttrs(step, way string) []diagram.Attr {
	return []diagram.Attr{{Name: AttrStep, Value: step}, {Name: AttrWay, Value: way}}
}

// join leads all loose edges to a node.
func (b *builder) join(in []loose, to *diagram.Node) {
	for _, l := range in {
		way := l.way
		if way == "" {
			way = diagram.Next
		}
		b.d.Edges = append(b.d.Edges, &diagram.Edge{From: l.from.ID, To: to.ID, Label: l.label, Way: way, Main: l.main, Attrs: l.attrs})
	}
}

// finish ends the flow where edges are still loose: a step that nothing follows ends it, and a
// branch without a step leads to an end of its own.
func (b *builder) finish(out []loose) {
	var open []loose
	for _, l := range out {
		if l.label == "" && l.way == "" && l.from.Shape != diagram.Confirm && l.from.Shape != diagram.Start {
			l.from.Ends = true
			continue
		}
		open = append(open, l)
	}
	if len(open) > 0 {
		b.join(open, b.end())
	}
	for _, k := range b.again {
		to, ok := b.asks[k.param]
		if !ok || to == k.from {
			continue
		}
		b.d.Edges = append(b.d.Edges, &diagram.Edge{From: k.from, To: to, Label: k.label, Way: diagram.Again, Attrs: k.attrs})
	}
}

func (b *builder) end() *diagram.Node {
	return b.node(&diagram.Node{ID: "end", Shape: diagram.End, Ends: true, Title: "The task ends."}, "", "", "")
}

// findLater finds the questions that wait for a result: their condition names one.
func (b *builder) findLater() {
	saved := map[string]bool{}
	config.Walk(b.in.Plan, func(s *config.Step) {
		for _, name := range s.Writes {
			saved[name] = true
		}
	})
	for _, p := range b.in.AllParams() {
		if p.When == nil {
			continue
		}
		for _, name := range p.When.Names() {
			if saved[name] && b.in.Param(name) == nil {
				b.later[p.Name] = append(b.later[p.Name], name)
			}
		}
	}
}

// due returns the params whose question waits for results that are known now, and forgets them.
func (b *builder) due(known map[string]bool) []*config.Param {
	var out []*config.Param
	for _, p := range b.asked() {
		names, waits := b.later[p.Name]
		if waits && !slices.ContainsFunc(names, func(n string) bool { return !known[n] }) {
			out = append(out, p)
		}
	}
	for _, p := range out {
		delete(b.later, p.Name)
	}
	return out
}

// asked returns the params that are asked for without a step, apart from alternatives.
func (b *builder) asked() []*config.Param {
	out := slices.Clone(b.in.Required)
	for _, p := range b.in.Optional {
		if p.Ask {
			out = append(out, p)
		}
	}
	return out
}

// params draws the questions before the plan, in the order in which they are asked.
func (b *builder) params(in []loose) []loose {
	for _, p := range b.in.Required {
		in = b.unlessLater(p, in)
	}
	in = b.alternatives(in)
	for _, p := range b.in.Optional {
		if p.Ask {
			in = b.unlessLater(p, in)
		}
	}
	return in
}

func (b *builder) unlessLater(p *config.Param, in []loose) []loose {
	if _, waits := b.later[p.Name]; waits {
		return in
	}
	return b.question(p, in)
}

// alternatives draws the groups of params; one complete group suffices.
func (b *builder) alternatives(in []loose) []loose {
	switch len(b.in.OneOf) {
	case 0:
		return in
	case 1:
		for _, p := range b.in.OneOf[0] {
			in = b.question(p, in)
		}
		return in
	}
	fork := b.node(&diagram.Node{ID: "one_of", Shape: diagram.Decision, Text: "one of these is enough", Title: "The agent asks for the group of params that is filled the most."}, "", "", "one_of")
	b.join(in, fork)
	var out []loose
	for i, group := range b.in.OneOf {
		at := []loose{{from: fork, way: diagram.Or, main: i == 0}}
		for _, p := range group {
			at = b.question(p, at)
		}
		for j := range at {
			at[j].main = i == 0
		}
		out = append(out, at...)
	}
	return out
}

// question draws the question for a param, behind its condition.
func (b *builder) question(p *config.Param, in []loose) []loose {
	var skip []loose
	if p.When != nil {
		dec := b.node(&diagram.Node{ID: "when:" + p.Name, Shape: diagram.Decision, Kind: "if", Text: p.When.Source}, "", "", "")
		b.join(in, dec)
		in = []loose{{from: dec, label: "yes", way: diagram.Yes, main: true}}
		skip = []loose{{from: dec, label: "no", way: diagram.No}}
	}
	n := b.node(b.questionNode(p), "", p.Name, "")
	b.join(in, n)
	b.digression(p, n)
	return append([]loose{{from: n, main: true}}, skip...)
}

func (b *builder) questionNode(p *config.Param) *diagram.Node {
	n := &diagram.Node{ID: "param:" + p.Name, Shape: diagram.Question, Kind: "asks", Text: p.Label, Title: b.aboutQuestion(p)}
	if p.Validation.Tool != "" {
		n.Kind += ", checks with " + p.Validation.Tool
	}
	if p.Prompt != nil && p.Prompt.Source != "" {
		n.Detail = "“" + p.Prompt.Source + "”"
	}
	if b.asks[p.Name] == "" {
		b.asks[p.Name] = n.ID
	}
	return n
}

// Exhausted says what follows when a user gives no answer.
var Exhausted = map[config.OnExhausted]string{
	config.ExhaustedHandoff: "it offers a person", config.ExhaustedCancel: "the task ends",
	config.ExhaustedDefault: "it takes the default", config.ExhaustedSkip: "it goes on without the value",
}

func (b *builder) aboutQuestion(p *config.Param) string {
	parts := []string{"Param " + p.Name}
	if p.Prompt != nil {
		parts = append(parts, p.Prompt.Source)
	}
	parts = append(parts, fmt.Sprintf("Asked at most %d times, then %s", p.Policy.MaxRetries+1, Exhausted[p.Policy.OnExhausted]))
	return strings.Join(parts, "\n")
}

// digression draws which tasks may interrupt a question, where the param limits them.
func (b *builder) digression(p *config.Param, question *diagram.Node) {
	if p.Interruptions == nil {
		return
	}
	text := "nothing may interrupt"
	if len(p.Interruptions) > 0 {
		text = "only " + strings.Join(p.Interruptions, ", ") + " may interrupt"
	}
	n := b.node(&diagram.Node{ID: "digression:" + p.Name, Shape: diagram.Digression, Text: text}, "", p.Name, "digression")
	b.d.Edges = append(b.d.Edges, &diagram.Edge{From: question.ID, To: n.ID, Way: diagram.Digress})
	if len(p.Interruptions) > 0 {
		b.d.Edges = append(b.d.Edges, &diagram.Edge{From: n.ID, To: question.ID, Label: "then back", Way: diagram.Digress})
	}
}

// steps draws a list of steps. known are the results that the steps before have saved.
func (b *builder) steps(list []*config.Step, in []loose, known map[string]bool) []loose {
	for _, s := range list {
		if len(in) == 0 {
			return nil // never reached: check says so
		}
		in = b.step(s, in, known)
		for _, name := range s.Writes {
			known[name] = true
		}
		for _, p := range b.due(known) {
			if len(in) > 0 {
				in = b.question(p, in)
			}
		}
	}
	return in
}

// step draws one step and returns the ways on from it.
func (b *builder) step(s *config.Step, in []loose, known map[string]bool) []loose {
	if s.Kind == config.StepWhen {
		return b.block(s, in, known)
	}
	var skip []loose
	if s.When != nil {
		ends := s.End || s.Kind == config.StepHandoff || s.Kind == config.StepEnd
		dec := b.decision(s, in)
		in = []loose{{from: dec, label: "yes", way: diagram.Yes, main: !ends, attrs: wayAttrs(s.ID, WayYes)}}
		skip = []loose{{from: dec, label: "no", way: diagram.No, main: ends, attrs: wayAttrs(s.ID, WayNo)}}
	}
	draw, ok := kinds[s.Kind]
	if !ok {
		draw = (*builder).other
	}
	return append(draw(b, s, in), skip...)
}

func (b *builder) decision(s *config.Step, in []loose) *diagram.Node {
	dec := b.node(&diagram.Node{ID: "if:" + s.ID, Shape: diagram.Decision, Kind: "if", Text: s.When.Source, Title: s.When.Source}, s.ID, "", PartIf)
	b.join(in, dec)
	return dec
}

// block draws a condition with steps of its own.
func (b *builder) block(s *config.Step, in []loose, known map[string]bool) []loose {
	dec := b.decision(s, in)
	other := maps.Clone(known)
	yes := b.steps(s.Then, []loose{{from: dec, label: "yes", way: diagram.Yes, main: !s.End, attrs: wayAttrs(s.ID, WayYes)}}, known)
	no := b.steps(s.Else, []loose{{from: dec, label: "no", way: diagram.No, main: s.End, attrs: wayAttrs(s.ID, WayNo)}}, other)
	maps.Copy(known, other)
	if s.End {
		b.finishBranch(yes)
		return no
	}
	return append(yes, no...)
}

// finishBranch ends the task after a branch.
func (b *builder) finishBranch(out []loose) {
	var open []loose
	for _, l := range out {
		if l.label == "" && l.way == "" {
			l.from.Ends = true
		} else {
			open = append(open, l)
		}
	}
	if len(open) > 0 {
		b.join(open, b.end())
	}
}

// after ends the flow at a node if the step says so, else leads on from it.
func after(s *config.Step, n *diagram.Node, more ...loose) []loose {
	if s.End {
		n.Ends = true
		return more
	}
	return append([]loose{{from: n, main: true}}, more...)
}
