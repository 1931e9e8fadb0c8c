package flow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow/diagram"
)

// kinds has a row for each kind of step but `when`.
var kinds = map[config.StepKind]func(*builder, *config.Step, []loose) []loose{
	config.StepAsk:      (*builder).ask,
	config.StepChoose:   (*builder).choose,
	config.StepCall:     (*builder).call,
	config.StepConfirm:  (*builder).confirm,
	config.StepRespond:  (*builder).respond,
	config.StepGenerate: (*builder).generate,
	config.StepSet:      (*builder).set,
	config.StepHandoff:  (*builder).handoff,
	config.StepRun:      (*builder).run,
	config.StepEnd:      (*builder).stop,
}

// plain adds the node of a step and leads to it.
func (b *builder) plain(s *config.Step, in []loose, n diagram.Node) *diagram.Node {
	n.ID = "step:" + s.ID
	added := b.node(&n, s.ID, s.Param, "")
	b.join(in, added)
	return added
}

// other draws a step of a kind that has no row.
func (b *builder) other(s *config.Step, in []loose) []loose {
	return after(s, b.plain(s, in, diagram.Node{Shape: diagram.Assign, Text: string(s.Kind)}))
}

func (b *builder) ask(s *config.Step, in []loose) []loose {
	p := b.agent.Param(b.in.ID, s.Param)
	if p == nil {
		return b.other(s, in)
	}
	n := *b.questionNode(p)
	first := b.asks[p.Name] == n.ID
	added := b.plain(s, in, n)
	if first {
		b.asks[p.Name] = added.ID
	}
	b.digression(p, added)
	return after(s, added)
}

func (b *builder) choose(s *config.Step, in []loose) []loose {
	label := s.Param
	if p := b.agent.Param(b.in.ID, s.Param); p != nil {
		label = p.Label
	}
	n := b.plain(s, in, diagram.Node{
		Shape: diagram.Question, Kind: "offers a choice", Text: label, Detail: "from " + strings.Join(s.From.Names(), ", "),
		Title: "One element is chosen without a question; none is passed over.",
	})
	if b.asks[s.Param] == "" {
		b.asks[s.Param] = n.ID
	}
	return after(s, n)
}

func (b *builder) call(s *config.Step, in []loose) []loose {
	n := diagram.Node{Shape: diagram.Call, Kind: "calls", Text: s.Tool}
	if t := b.agent.Tools[s.Tool]; t != nil {
		n.Title = t.Describe
		if t.Effect == config.EffectWrite {
			n.Shape, n.Kind = diagram.Write, "calls, writes"
		}
	}
	if s.Save != "" {
		n.Detail = "saves " + s.Save
	}
	added := b.plain(s, in, n)
	return after(s, added, b.failures(s, added)...)
}

// run draws a sub-task as one node; its own diagram shows what it does.
func (b *builder) run(s *config.Step, in []loose) []loose {
	n := diagram.Node{Shape: diagram.Run, Kind: "runs", Text: s.Run, Title: "The sub-task has a diagram of its own."}
	if sub := b.agent.Intent(s.Run); sub != nil {
		n.Text = sub.Called()
		if b.agent.Writes(sub) {
			n.Shape, n.Kind = diagram.Write, "runs, writes"
		}
	}
	if len(s.Saves) > 0 {
		n.Detail = "saves " + strings.Join(slices.Sorted(maps.Keys(s.Saves)), ", ")
	}
	added := b.plain(s, in, n)
	return after(s, added, b.failures(s, added)...)
}

// failures draws the ways after errors and returns those that go on. Codes with one reaction are one
// way.
func (b *builder) failures(s *config.Step, call *diagram.Node) []loose {
	var reactions []string
	codes := map[string][]string{}
	for _, code := range slices.Sorted(maps.Keys(s.OnError)) {
		key := fmt.Sprint(*s.OnError[code])
		if codes[key] == nil {
			reactions = append(reactions, key)
		}
		codes[key] = append(codes[key], code)
	}
	var out []loose
	for _, key := range reactions {
		out = append(out, b.failure(s, call, s.OnError[codes[key][0]], codes[key])...)
	}
	return out
}

func (b *builder) failure(s *config.Step, call *diagram.Node, on *config.OnError, codes []string) []loose {
	label := strings.Join(codes, ", ")
	if slices.Contains(codes, "*") {
		label = "any other error"
		if len(s.OnError) == 1 {
			label = "any error"
		}
	}
	way := loose{from: call, label: label, way: diagram.Failed, attrs: wayAttrs(s.ID, codes[0])}
	if on.Respond != "" {
		n := b.say(on.Respond, fmt.Sprintf("said:%s:%s", s.ID, codes[0]), s.ID, codes[0])
		b.join([]loose{way}, n)
		way = loose{from: n}
	}
	asks := false
	for _, name := range on.Forget {
		if b.in.Param(name) == nil {
			continue
		}
		asks = true
		b.again = append(b.again, back{from: way.from.ID, param: name, label: thenLabel(way.label, "asks again"), attrs: way.attrs})
	}
	switch {
	case on.End && way.from != call:
		way.from.Ends = true
		return nil
	case on.End:
		b.join([]loose{way}, b.end())
		return nil
	case asks:
		return nil
	}
	return []loose{way}
}

// thenLabel joins the label of a way with what follows.
func thenLabel(label, then string) string {
	if label == "" {
		return then
	}
	return label + ": " + then
}

func (b *builder) confirm(s *config.Step, in []loose) []loose {
	text := ""
	if s.Text != nil {
		text = s.Text.Source
	}
	n := b.plain(s, in, diagram.Node{Shape: diagram.Confirm, Kind: "asks for a yes", Text: text, Title: text})
	way := []loose{{from: n, label: "denied", way: diagram.Denied, attrs: wayAttrs(s.ID, PartDenied)}}
	if s.Denied != "" {
		no := b.say(s.Denied, "said:"+s.ID+":denied", s.ID, PartDenied)
		b.join(way, no)
		no.Ends = true
	} else {
		no := b.node(&diagram.Node{ID: "said:" + s.ID + ":denied", Shape: diagram.Question, Kind: "asks", Text: "what should be different", Title: "The task ends if nothing should be.", Ends: true}, s.ID, "", PartDenied)
		b.join(way, no)
		b.d.Edges = append(b.d.Edges, &diagram.Edge{From: no.ID, To: n.ID, Label: "a change", Way: diagram.Again})
	}
	if s.End {
		b.join([]loose{{from: n, label: "yes", way: diagram.Yes, main: true, attrs: wayAttrs(s.ID, WayYes)}}, b.end())
		return nil
	}
	return []loose{{from: n, label: "yes", way: diagram.Yes, main: true, attrs: wayAttrs(s.ID, WayYes)}}
}

// say adds the node of a response.
func (b *builder) say(id, node, step, part string) *diagram.Node {
	n := &diagram.Node{ID: node, Shape: diagram.Say, Kind: "says", Text: id}
	if r := b.agent.Response(id); r != nil && len(r.Variants) > 0 {
		n.Detail, n.Title = r.Variants[0].Source, r.Variants[0].Source
	}
	return b.node(n, step, "", part)
}

func (b *builder) respond(s *config.Step, in []loose) []loose {
	n := b.say(s.Response, "step:"+s.ID, s.ID, "")
	b.join(in, n)
	return after(s, n)
}

func (b *builder) generate(s *config.Step, in []loose) []loose {
	n := diagram.Node{Shape: diagram.Say, Kind: "generates"}
	if s.Text != nil {
		n.Text, n.Title = s.Text.Source, s.Text.Source
	}
	if s.Response != "" {
		n.Detail = "without a model: " + s.Response
	}
	return after(s, b.plain(s, in, n))
}

func (b *builder) set(s *config.Step, in []loose) []loose {
	return after(s, b.plain(s, in, diagram.Node{Shape: diagram.Assign, Kind: "sets", Text: strings.Join(slices.Sorted(maps.Keys(s.Set)), ", ")}))
}

func (b *builder) handoff(s *config.Step, in []loose) []loose {
	n := b.plain(s, in, diagram.Node{Shape: diagram.Handoff, Kind: "hands over to", Text: s.Queue})
	n.Ends = true
	return nil
}

func (b *builder) stop(s *config.Step, in []loose) []loose {
	n := b.plain(s, in, diagram.Node{Shape: diagram.End})
	n.Ends = true
	return nil
}
