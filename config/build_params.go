package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/shapes"
	"github.com/slotway/slotway/config/source"
)

// declared is the declaration of a param, with the keys that an intent overrides. An overridden key
// is replaced as a whole: the intent's validation replaces the shared one.
type declared struct{ over, shared *source.Node }

func (d declared) get(key string) *source.Node {
	if n := d.over.Get(key); n != nil {
		return n
	}
	return d.shared.Get(key)
}

// sharedParams reads the params declared at the top level, with the agent's policy.
func (b *builder) sharedParams() {
	b.agent.Params = map[string]*Param{}
	for _, e := range b.root.Get("params").Entries() {
		p := b.param(e.Key, declared{shared: e.Value}, b.agent.Policy, false)
		b.params[p] = e.Value
		b.agent.Params[e.Key] = p
	}
}

// intentParam reads one entry of required, one_of or optional: the name of a shared param, or a
// declaration of the intent's own. skippable is the default of its `skippable`. Agent.Params lists a param that an intent declares too; a name
// has one type in the whole agent.
func (b *builder) intentParam(n *source.Node, in *Intent, skippable bool) *Param {
	name := b.words(n)
	if n.Kind() == source.KindMap {
		name = b.words(n.Get("name"))
	}
	if name == "" {
		return nil
	}
	shared := b.root.Get("params").Get(name)
	if n.Kind() != source.KindMap {
		if known := in.Param(name); known != nil {
			return known
		}
		if shared == nil {
			b.unknown(n, "param", name, b.paramNames(in))
			return nil
		}
	} else if first := in.Param(name); first != nil {
		b.problems.Add(n, fmt.Sprintf("param %q is declared twice in this intent", name), "keep one declaration and name it elsewhere")
		return first
	}
	d := declared{shared: shared}
	if n.Kind() == source.KindMap {
		d.over = n
	}
	p := b.param(name, d, in.Policy, skippable)
	b.params[p] = n
	b.oneType(n, p)
	return p
}

func (b *builder) oneType(n *source.Node, p *Param) {
	first := b.agent.Params[p.Name]
	if first == nil {
		b.agent.Params[p.Name] = p
		return
	}
	if first.Type != p.Type || first.List != p.List {
		at := n
		if t := n.Get("type"); t != nil {
			at = t
		}
		b.problems.Add(at, fmt.Sprintf("param %q has type %s here and %s elsewhere", p.Name, typeLabel(p), typeLabel(first)), "give it one type, or another name")
	}
}

func typeLabel(p *Param) string {
	if p.List && p.Objects == nil {
		return "list of " + p.Type.Name
	}
	return p.Type.Name
}

func (b *builder) paramNames(in *Intent) []string {
	names := slices.Collect(maps.Keys(b.agent.Params))
	for _, p := range in.AllParams() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (b *builder) param(name string, d declared, base Policy, skippable bool) *Param {
	p := &Param{
		Name: name, Label: b.words(d.get("label")), When: b.expr(d.get("when")), Type: b.agent.Types["text"], List: b.flag(d.get("list"), false), Scope: ScopePlan,
		Prompt: b.text(d.get("prompt")), Reprompt: b.textList(d.get("reprompt")), Help: b.text(d.get("help")),
		Validation: b.validation(d.get("validation"), name),
		Ask:        b.flag(d.get("ask"), false), Skippable: b.flag(d.get("skippable"), skippable),
		Interruptions: b.wordList(d.get("interruptions")),
		Policy:        b.policy(d.over, b.policy(d.shared, base)),
	}
	if p.Label == "" {
		p.Label = strings.ReplaceAll(name, "_", " ")
	}
	at := d.over
	if at == nil {
		at = d.shared
	}
	if t := d.get("type"); t != nil {
		p.Type = b.useType(t)
	} else if at.Kind() == source.KindMap && d.get("fields") == nil {
		b.problems.Add(at, fmt.Sprintf("param %q has no type", name), "add type: text, or another of the types")
	}
	if d.get("interruptions").Kind() == source.KindList && p.Interruptions == nil {
		p.Interruptions = []string{} // an empty list: nothing may interrupt
	}
	if s := d.get("scope").Text(); s != "" {
		p.Scope = Scope(s)
	}
	ttl := d.get("ttl")
	p.TTL = ParamTTL{Turns: b.whole(ttl.Get("turns"), 0), Time: b.duration(ttl.Get("time"), 0)}
	b.objects(d, p, at, p.Policy)
	b.sources(d.get("param_mapping"), p)
	b.shape(d.get("shape"), p)
	b.clean(d.get("clean"), p)
	b.otherwise(d.get("else"), p)
	b.defaultValue(d, p, at)
	return p
}

func (b *builder) sources(n *source.Node, p *Param) {
	for _, item := range n.Items() {
		s := Source{From: item.Get("from").Text(), Key: b.words(item.Get("key")), Initial: b.flag(item.Get("initial"), false)}
		switch {
		case s.From == "tool" && !item.Has("key"):
			b.problems.Add(item, "from: tool needs a key", "add key: the saved result's path, such as order.id")
		case s.Initial && s.From != "text":
			b.problems.Add(item.Get("initial"), "initial does not go with from: "+s.From, "write from: text, or remove initial")
			s.Initial = false
		case s.Initial && (p.Type.Builtin != "text" || p.List):
			b.problems.Add(item.Get("initial"), fmt.Sprintf("a whole message is text, and param %q has type %s", p.Name, typeLabel(p)), "remove initial, or give it type: text")
			s.Initial = false
		}
		p.ParamMapping = append(p.ParamMapping, s)
		b.agent.FromTools = b.agent.FromTools || s.From == "tool"
	}
}

// shape reads the shape of a free text; values of other types are checked by their type.
func (b *builder) shape(n *source.Node, p *Param) {
	s := n.Text()
	if !slices.Contains(shapes.Names, s) {
		return
	}
	if p.Type.Builtin != "text" {
		b.problems.Add(n, fmt.Sprintf("a shape is for free text, and param %q has type %s", p.Name, typeLabel(p)), "remove shape, or give it type: text")
		return
	}
	p.Shape = s
}

// otherwise reads what happens to an answer outside an enumeration.
func (b *builder) otherwise(n *source.Node, p *Param) {
	if n.Text() != ElseKeep {
		return
	}
	if len(p.Type.Values) == 0 {
		b.problems.Add(n, fmt.Sprintf("type %s of param %q has no values that an answer could miss", p.Type.Name, p.Name), "remove else, or give the type values")
		return
	}
	p.Else = ElseKeep
}

// validation reads the validation of a param. There, the param's own name means the value under
// test, since the param itself has no value yet.
func (b *builder) validation(n *source.Node, own string) Validation {
	v := Validation{
		Tool: b.words(n.Get("tool")), With: b.args(n.Get("with")), Expr: b.exprOf(n.Get("expr"), own),
		Pattern: b.pattern(n.Get("pattern"), `^(?:%s)$`), Invalid: b.text(n.Get("invalid")),
		MinLength: b.whole(n.Get("min_length"), 0), MaxLength: b.whole(n.Get("max_length"), 0),
		MinItems: b.whole(n.Get("min_items"), 0), MaxItems: b.whole(n.Get("max_items"), 0),
	}
	if v.MaxItems > 0 && v.MinItems > v.MaxItems {
		b.problems.Add(n.Get("min_items"), "is above max_items", "lower it")
	}
	for key, a := range v.With {
		v.With[key] = a.Renamed(own, expr.ValueName)
	}
	if f, ok := n.Get("min").Number(); ok {
		v.Min = &f
	}
	if f, ok := n.Get("max").Number(); ok {
		v.Max = &f
	}
	if v.MaxLength > 0 && v.MinLength > v.MaxLength {
		b.problems.Add(n.Get("min_length"), "is above max_length", "lower it")
	}
	if v.Min != nil && v.Max != nil && *v.Min > *v.Max {
		b.problems.Add(n.Get("min"), "is above max", "lower it")
	}
	if v.With != nil && v.Tool == "" {
		b.problems.Add(n.Get("with"), "there is no tool that takes these arguments", "add tool or remove with")
	}
	return v
}

// defaultValue reads the default and checks it against the type and the validation; tools and
// expressions check it in the conversation.
func (b *builder) defaultValue(d declared, p *Param, at *source.Node) {
	n := d.get("default")
	if p.Objects != nil {
		return
	}
	if n == nil || n.Kind() == source.KindNull {
		if p.Policy.OnExhausted == ExhaustedDefault && (d.get("on_exhausted") != nil || d.get("policy").Has("on_exhausted")) {
			b.problems.Add(at, fmt.Sprintf("on_exhausted is default, but param %q has none", p.Name), "add default, or another on_exhausted")
		}
		return
	}
	p.Default = n.Value()
	items := []any{p.Default}
	if p.List {
		list, ok := p.Default.([]any)
		if !ok {
			b.problems.Add(n, "the default of a list must be a list", "write [...]")
			return
		}
		items = list
	}
	for _, v := range items {
		if why := misfit(p, v); why != "" {
			b.problems.Add(n, "the default is not valid: "+why, "write a value that the type allows")
		}
	}
}
