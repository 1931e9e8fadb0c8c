package config

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/slotway/slotway/config/source"
)

// notServedPrefix is the namespace of the groups under `not_served`.
const notServedPrefix = "not_served."

// notServedResponse is the built-in text for a group without a text.
const notServedResponse = systemPrefix + "not_served"

// readNotServed reads the groups of requests that the agent recognises but does not serve. Each
// becomes an answer: it competes with the tasks, says its text, and does nothing.
func (b *builder) readNotServed() {
	for i, n := range b.root.Get("not_served").Items() {
		if n.Kind() != source.KindMap {
			continue
		}
		id := notServedPrefix + cmp.Or(b.words(n.Get("name")), strconv.Itoa(i+1))
		if first := b.agent.Intent(id); first != nil {
			b.problems.Add(cmp.Or(n.Get("name"), n), fmt.Sprintf("%q is there already, at line %d", id, first.Pos.Line), "rename one of them")
			continue
		}
		b.examples(b.notServed(id, n), n.Get("examples"))
	}
}

// notServed adds a group.
func (b *builder) notServed(id string, n *source.Node) *Intent {
	in := &Intent{ID: id, AnswerOnly: true, NotServed: true, Policy: b.agent.Policy, Pos: n.Pos()}
	b.intents[in] = n
	b.agent.NotServed = append(b.agent.NotServed, in)
	in.Plan = []*Step{b.refusal(in, n)}
	return in
}

// refusal returns the one step of a group: its own text, else the built-in one.
func (b *builder) refusal(in *Intent, n *source.Node) *Step {
	s := &Step{ID: "refuse", Kind: StepRespond, Response: notServedResponse, Pos: n.Pos()}
	b.steps[s] = n
	at := n.Get("response")
	variants := b.textList(at)
	if len(variants) == 0 {
		return s
	}
	if b.agent.Responses[in.ID] != nil {
		b.problems.Add(at, fmt.Sprintf("response %q is declared under responses, too", in.ID), "remove it there, or name the group otherwise")
		return s
	}
	s.Response, s.Pos, b.steps[s] = in.ID, at.Pos(), at
	b.agent.Responses[in.ID] = &Response{ID: in.ID, Variants: variants, Pos: s.Pos}
	return s
}

// checkNotServed checks that a session can fill the texts, and that the examples can be told apart.
func (b *builder) checkNotServed() {
	for _, in := range b.agent.NotServed {
		n := b.intents[in]
		if own := b.agent.Responses[in.ID]; own != nil {
			b.needTexts(own, n.Get("response"), n, b.scopeOf(in))
		}
		if len(in.Examples) < leastExamples {
			b.problems.Warn(source.FewExamples, n, fmt.Sprintf("%q has %d examples", in.ID, len(in.Examples)), "give at least 3, better 10, as people really say it")
		}
	}
}
