package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// readIntents reads the agent's intents and then the system ones.
func (b *builder) readIntents() {
	for _, n := range b.root.Get("intents").Items() {
		id := b.words(n.Get("id"))
		if id == "" {
			continue
		}
		if first := b.agent.Intent(id); first != nil {
			b.problems.Add(n.Get("id"), fmt.Sprintf("intent %q is there already, at line %d", id, first.Pos.Line), "rename or remove one of them")
			continue
		}
		if slices.Contains(SystemIntents, id) {
			b.problems.Add(n.Get("id"), fmt.Sprintf("%q is a built-in intent", id), "change it under system:, or take another id")
			continue
		}
		in := &Intent{ID: id}
		b.agent.Intents = append(b.agent.Intents, in)
		b.intent(in, n)
	}
	b.systemIntents()
	b.readNotServed()
	for _, item := range b.root.Get("examples_from").Items() {
		b.sharedExamples(item)
	}
	b.undo()
	b.after()
	fallback := b.root.Get("classifier").Get("fallback")
	if id := b.agent.Classifier.Fallback; id != "" && b.agent.Intent(id) == nil {
		b.unknown(fallback, "intent", id, b.intentIDs())
	}
}

// systemIntents merges the file's `system:` into the built-in intents. Its examples add to the
// built-in ones if these are in the agent's language, else they replace them.
func (b *builder) systemIntents() {
	over, builtin := b.root.Get("system"), systemFile().Get("system")
	own := systemOf(b.agent.Language)
	for _, e := range over.Entries() {
		if !slices.Contains(SystemIntents, e.Key) {
			b.problems = append(b.problems, source.Problem{
				Code: source.Invalid, Pos: e.Pos, Path: e.Value.Path(), Severity: source.SeverityError,
				Message: fmt.Sprintf("unknown system intent %q", e.Key), Hint: naming.Suggest(e.Key, SystemIntents),
			})
		}
	}
	for _, id := range SystemIntents {
		n := builtin.Get(id)
		spoken := b.agent.English()
		if own != nil && own.Get("system").Has(id) {
			n, spoken = own.Get("system").Get(id), true
		}
		in := &Intent{ID: id, System: true, Description: n.Get("description").Text()}
		if o := over.Get(id); o != nil {
			b.agent.System = append(b.agent.System, in)
			b.intent(in, o)
		} else {
			in.Policy, in.Pos = b.agent.Policy, n.Pos()
			b.agent.System = append(b.agent.System, in)
		}
		if spoken || len(in.Examples) == 0 {
			given := in.Examples
			in.Examples = nil
			b.examples(in, n.Get("examples"))
			if b.agent.English() {
				in.Examples = append(in.Examples, given...)
			} else {
				in.Examples = append(given, in.Examples...) // the first example labels a button
			}
		}
	}
}

// undo resolves the declared inverses after all intents are read.
func (b *builder) undo() {
	for _, in := range b.agent.Intents {
		n := b.intents[in].Get("undo")
		id := b.words(n)
		if id == "" {
			continue
		}
		other := b.agent.Intent(id)
		switch {
		case other == nil:
			b.unknown(n, "intent", id, b.taskIDs())
		case other.System || other.AnswerOnly:
			b.problems.Add(n, fmt.Sprintf("%q is no task, so it takes nothing back", id), "name a task")
		case in.AnswerOnly:
			b.problems.Add(n, "an answer does nothing that could be taken back", "remove undo")
		case other == in:
			b.problems.Add(n, "a task cannot take itself back", "name another task, or remove undo")
		default:
			in.Undo = other
		}
	}
}

// after checks the intents that others may only follow, after all intents are read.
func (b *builder) after() {
	for _, in := range b.agent.Intents {
		for _, item := range b.intents[in].Get("after").Items() {
			id := b.words(item)
			if other := b.agent.Intent(id); other == nil || other.System || other.Internal {
				b.unknown(item, "task or answer", id, b.servedIDs())
			}
		}
	}
}

// servedIDs are the ids of the agent's own intents that messages can begin.
func (b *builder) servedIDs() []string {
	var ids []string
	for _, in := range b.agent.Intents {
		if !in.Internal {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

func (b *builder) taskIDs() []string {
	var ids []string
	for _, in := range b.agent.Intents {
		if !in.AnswerOnly {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

func (b *builder) intentIDs() []string {
	var ids []string
	for _, in := range b.agent.Intents {
		ids = append(ids, in.ID)
	}
	return append(ids, SystemIntents...)
}

func (b *builder) intent(in *Intent, n *source.Node) {
	b.intents[in] = n
	in.Pos = n.Pos()
	if d := b.words(n.Get("description")); d != "" {
		in.Description = d
	}
	in.Title = b.words(n.Get("title"))
	in.AnswerOnly = b.flag(n.Get("answer_only"), false)
	in.Internal = b.flag(n.Get("internal"), false)
	in.After = b.wordList(n.Get("after"))
	in.Policy = b.policy(n, b.agent.Policy)
	b.intentParams(in, n.Get("params"))
	b.examples(in, n.Get("examples"))
	for _, item := range n.Get("examples_from").Items() {
		b.examplesFrom(in, item)
	}
	in.Plan = b.plan(n.Get("plan"))
	uniqueSteps(in, b)
}

func (b *builder) intentParams(in *Intent, n *source.Node) {
	for _, item := range n.Get("required").Items() {
		if p := b.intentParam(item, in, false); p != nil && !slices.Contains(in.Required, p) {
			in.Required = append(in.Required, p)
		} else if p != nil {
			b.problems.Add(item, fmt.Sprintf("param %q is listed twice", p.Name), "remove one of them")
		}
	}
	for _, group := range n.Get("one_of").Items() {
		var params []*Param
		for _, item := range group.Items() {
			if p := b.intentParam(item, in, false); p != nil && !slices.Contains(params, p) {
				params = append(params, p)
			}
		}
		if len(params) > 0 {
			in.OneOf = append(in.OneOf, params)
		}
	}
	for _, item := range n.Get("optional").Items() {
		p := b.intentParam(item, in, true)
		if p == nil {
			continue
		}
		if in.Param(p.Name) != nil {
			b.problems.Add(item, fmt.Sprintf("param %q is listed twice", p.Name), "list it under required, one_of or optional only")
			continue
		}
		in.Optional = append(in.Optional, p)
	}
}

// examples reads examples with their marked spans.
func (b *builder) examples(in *Intent, n *source.Node) {
	for _, item := range n.Items() {
		source := b.words(item)
		if strings.TrimSpace(source) == "" {
			continue
		}
		e, err := parseExample(source)
		if err != nil {
			b.fail(item, err)
			continue
		}
		e.Pos = item.Pos()
		b.checkSpans(in, e, item)
		in.Examples = append(in.Examples, e)
	}
}

// checkSpans checks that the intent has the params that an example marks. A system intent has no
// params and may mark any.
func (b *builder) checkSpans(in *Intent, e Example, at *source.Node) {
	for _, span := range e.Spans {
		p := in.Param(span.Param)
		if list, objects := in.ObjectsOf(span.Param); p == nil && list != nil {
			p = objects.Field(span.Param)
		}
		if p == nil && in.System {
			p = b.agent.Params[span.Param]
		}
		if p == nil && b.broken(b.intents[in].Get("params")) {
			continue // the param may be missing because of that error
		}
		if p == nil {
			b.unknown(at, "param of this intent", span.Param, paramNames(in))
			continue
		}
		if p.Type.Builtin == "" && !p.Type.accepts(span.Value) {
			b.problems.Warn(source.SpanType, at, fmt.Sprintf("%q is no value of type %s", span.Value, p.Type.Name), "mark the value alone, or extend the type")
		}
	}
}

func paramNames(in *Intent) []string {
	var names []string
	for _, p := range in.AllParams() {
		names = append(names, p.Name)
	}
	return names
}
