package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
)

// types reads the declared types and adds the built-in ones; keepUsedTypes later drops those
// without a param. A declared type with a built-in name narrows that type.
func (b *builder) types() {
	b.agent.Types = map[string]*Type{}
	for _, name := range BuiltinTypes {
		b.agent.Types[name] = &Type{Name: name, Builtin: name}
	}
	for _, e := range b.root.Get("types").Entries() {
		b.agent.Types[e.Key] = b.readType(e.Key, e.Value)
	}
}

func (b *builder) readType(name string, n *source.Node) *Type {
	t := &Type{Name: name, Fuzzy: b.whole(n.Get("fuzzy"), 0), Example: b.scalarText(n.Get("example"))}
	if slices.Contains(BuiltinTypes, name) {
		t.Builtin = name
	}
	for _, item := range n.Get("patterns").Items() {
		if re := b.pattern(item, ""); re != nil {
			t.Patterns = append(t.Patterns, re)
		}
	}
	t.Bare = b.pattern(n.Get("bare"), `^(?:%s)$`)
	t.Normalize = b.normalizers(n.Get("normalize"))
	b.values(n.Get("values"), t)
	if t.Builtin == "" && t.Bare == nil && len(t.Values) == 0 && !n.Has("bare") {
		t.Bare, _ = bareOf(t.Patterns, t.Example)
		t.Tail = tailOf(t.Patterns, t.Normalize, t.Example)
	}
	if t.Builtin == "" && !n.Has("patterns") && !n.Has("values") && !n.Has("bare") && n.Kind() == source.KindMap {
		b.problems.Add(n, "has neither patterns, bare nor values", "say what its values look like, or use a built-in type such as text")
	}
	if t.Fuzzy > 0 && !n.Has("values") {
		b.problems.Add(n.Get("fuzzy"), "fuzzy applies to values only", "remove it or list values")
	}
	return t
}

// pattern compiles a pattern; wrap, if not "", is a pattern around it, with %s in its place.
func (b *builder) pattern(n *source.Node, wrap string) *regexp.Regexp {
	if n.Kind() != source.KindText || n.Text() == "" {
		return nil
	}
	re, err := expr.CompilePattern(n.Text())
	switch {
	case err != nil:
		b.fail(n, err)
		return nil
	case re.MatchString(""):
		if wrap == "" {
			b.problems.Add(n, "the pattern matches the empty text, so it is found in every message", "use + in place of *, or make a part required")
			return nil
		}
	case re.NumSubexp() > 1 && wrap == "":
		b.problems.Add(n, fmt.Sprintf("the pattern has %d groups, but group 1 is the value", re.NumSubexp()), "write (?:...) for the other groups")
		return nil
	}
	if wrap != "" {
		return regexp.MustCompile(fmt.Sprintf(wrap, n.Text())) // it compiles, since its inner part did
	}
	return re
}

// values reads an enumeration: a value is text, or a map with synonyms.
func (b *builder) values(n *source.Node, t *Type) {
	owner := map[string]string{}
	for _, item := range n.Items() {
		v := EnumValue{Value: b.scalarText(item)}
		places := []*source.Node{item}
		if item.Kind() == source.KindMap {
			v.Value = b.scalarText(item.Get("value"))
			places = []*source.Node{item.Get("value")}
			for _, s := range item.Get("synonyms").Items() {
				v.Synonyms = append(v.Synonyms, b.scalarText(s))
				places = append(places, s)
			}
		}
		if v.Value == "" {
			continue
		}
		t.Values = append(t.Values, v)
		for _, p := range places {
			key := spellingKey(p.Text())
			if first, taken := owner[key]; taken && key != "" && first != v.Value {
				b.problems.Add(p, fmt.Sprintf("%q reads as %q, so no answer can tell them apart", p.Text(), first), "remove one of them, or give it another name")
				continue
			}
			owner[key] = v.Value
		}
	}
}

// commands are the built-in intents that steer a conversation: their words are no values.
var commands = []string{"cancel", "reset", "help", "repeat", "skip", "human", "correct", "resume"}

// commandValues reports values that are a word by which people steer a conversation. Nobody could
// choose them.
func (b *builder) commandValues() {
	for _, e := range b.root.Get("types").Entries() {
		for _, item := range e.Value.Get("values").Items() {
			if item.Kind() == source.KindMap {
				item = item.Get("value")
			}
			for _, id := range commands {
				in := b.agent.Intent(id)
				said := strings.ToLower(b.scalarText(item))
				if in != nil && (said == id || slices.ContainsFunc(in.Examples, func(x Example) bool { return x.Text == said && !strings.Contains(said, " ") })) {
					b.problems.Add(item, fmt.Sprintf("%q is what people say to the agent itself (%s), so nobody can choose it", item.Text(), id), "give the value a name of its own")
				}
			}
		}
	}
}

// useType resolves the name of a type; it reports an unknown one and takes it for text.
func (b *builder) useType(n *source.Node) *Type {
	name := n.Text()
	t := b.agent.Types[name]
	if t == nil {
		known := slices.Sorted(maps.Keys(b.agent.Types))
		if name != "" {
			b.unknown(n, "type", name, known)
		}
		t = b.agent.Types["text"]
	}
	b.usedTypes[t.Name] = true
	return t
}

// keepUsedTypes drops the built-in types without a param.
func (b *builder) keepUsedTypes() {
	declared := b.root.Get("types")
	for name := range b.agent.Types {
		if b.usedTypes[name] {
			continue
		}
		if !declared.Has(name) {
			delete(b.agent.Types, name)
		}
	}
}
