package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/config/source"
)

//go:embed reference.yaml
var referenceYAML []byte

// Reference explains every key of an agent's file.
func Reference() *reference.Area { return describedKeys().area }

// described is the schema with its texts.
type described struct {
	root  *source.Node // of schema.json, in its order
	texts *reference.Texts
	area  *reference.Area
	homes map[string]string       // the first path that leads to a definition with keys
	at    map[*source.Node]string // the path of each key's schema
}

var describedKeys = sync.OnceValue(func() *described {
	root, problems := source.Parse("schema.json", schemaJSON)
	if len(problems) > 0 {
		panic(fmt.Sprintf("embedded schema: %v", problems))
	}
	d := &described{
		root: root, texts: reference.MustTexts("config/reference.yaml", referenceYAML), homes: map[string]string{}, at: map[*source.Node]string{},
		area: &reference.Area{
			Name: "agent", Title: "The agent's file",
			Intro: "The keys of an agent's YAML. `slotway check FILE` names every mistake with its line, and `slotway schema` prints the JSON Schema for editors.",
		},
	}
	d.keys(root, "")
	return d
})

// keys adds the keys of an object of the schema, and those below them.
func (d *described) keys(object *source.Node, group string) {
	required := object.Get("required").Items()
	for _, e := range object.Get("properties").Entries() {
		key := strings.TrimPrefix(group+"."+e.Key, ".")
		d.at[e.Value] = key
		entry := d.texts.Fill("agent", "", key)
		entry.Required = slices.ContainsFunc(required, func(n *source.Node) bool { return n.Text() == e.Key })
		d.facts(entry, e.Value)
		d.area.Entries = append(d.area.Entries, entry)
		below, home := d.below(e.Value)
		entry.Named = d.has(e.Value, "additionalProperties")
		entry.Listed = d.has(e.Value, "items")
		switch {
		case below == nil:
		case home != "" && d.homes[home] != "":
			entry.Same = d.homes[home]
		default:
			if home != "" {
				d.homes[home] = key
			}
			d.keys(below, key)
		}
	}
}

// below returns the object whose keys are allowed below a key: its own, or that of its items or
// values. home is its definition, "" for none.
func (d *described) below(n *source.Node) (object *source.Node, home string) {
	for range 4 {
		name, target := d.target(n)
		switch {
		case target.Has("properties"):
			return target, name
		case d.has(n, "items"):
			n = target.Get("items")
		case d.has(n, "additionalProperties"):
			n = target.Get("additionalProperties")
		default:
			return nil, ""
		}
	}
	return nil, ""
}

// has reports whether a schema says what the items of a list or the values of a map are.
func (d *described) has(n *source.Node, what string) bool {
	_, target := d.target(n)
	return !target.Has("properties") && target.Get(what).Kind() == source.KindMap
}

// target follows a reference to a definition.
func (d *described) target(n *source.Node) (name string, to *source.Node) {
	name = strings.TrimPrefix(n.Get("$ref").Text(), "#/$defs/")
	if name == "" {
		return "", n
	}
	return name, d.root.Get("$defs").Get(name)
}

// facts adds what the schema knows: type, default, allowed values and limits.
func (d *described) facts(e *reference.Entry, n *source.Node) {
	if e.Type == "" {
		e.Type = d.kindOf(n)
	}
	if v := n.Get("default"); e.Default == "" && v != nil && v.Kind() != source.KindMap {
		e.Default = v.Text()
	}
	_, target := d.target(n)
	for _, holder := range []*source.Node{n, target, n.Get("items")} {
		if len(e.Allowed) > 0 {
			break
		}
		for _, v := range holder.Get("enum").Items() {
			e.Allowed = append(e.Allowed, reference.Value{Value: v.Text()})
		}
	}
	if e.Limits == "" {
		e.Limits = limitsOf(n)
	}
}

func limitsOf(n *source.Node) string {
	least, most := n.Get("minimum").Text(), n.Get("maximum").Text()
	switch {
	case least != "" && most != "":
		return least + " to " + most
	case least != "":
		return "at least " + least
	case n.Has("maxItems"):
		return "at most " + n.Get("maxItems").Text() + " items"
	case n.Has("maxLength"):
		return "at most " + n.Get("maxLength").Text() + " characters"
	}
	return ""
}

// refKinds name the definitions that are no objects.
var refKinds = map[string]string{
	"name": "name (letters, digits and _)", "id": "name (letters, digits and _ . : / # + -)", "ref": "name", "text": "text",
	"texts": "text, or list of texts", "strings": "map of texts", "duration": "duration, such as 90s, 10m, 1h30m or 30d", "scalar": "text or number",
}

// typeKinds name the types of JSON Schema as people write them.
var typeKinds = map[string]string{
	"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "object": "map", "array": "list",
}

// kindOf says in words which values a schema allows.
func (d *described) kindOf(n *source.Node) string {
	name, target := d.target(n)
	if kind := refKinds[name]; kind != "" {
		return kind
	}
	types := target.Get("type").Items()
	if t := target.Get("type"); t.Kind() == source.KindText {
		types = []*source.Node{t}
	}
	var kinds []string
	for _, t := range types {
		kinds = append(kinds, d.typeOf(target, t.Text()))
	}
	if len(kinds) == 0 {
		return "any value"
	}
	return naming.JoinOr(kinds)
}

// typeOf names one type of a schema with what is in it.
func (d *described) typeOf(n *source.Node, kind string) string {
	inner, each := n.Get("items"), "list of "
	if kind == "object" {
		inner, each = n.Get("additionalProperties"), "map from names to "
	}
	if (kind != "array" && kind != "object") || inner.Kind() != source.KindMap {
		return typeKinds[kind]
	}
	of, _, _ := strings.Cut(d.kindOf(inner), ",")
	of, _, _ = strings.Cut(of, " (")
	words := strings.Split(of, " ")
	for i, word := range words {
		if plural, ok := plurals[word]; ok {
			words[i] = plural
		}
	}
	return each + strings.Join(words, " ")
}

// plurals are the words of kinds, for what is in a list or a map.
var plurals = map[string]string{"text": "texts", "map": "maps", "name": "names", "number": "numbers", "list": "lists"}

// SchemaJSON returns the JSON Schema (draft 2020-12) of an agent definition with descriptions and
// examples, for editors.
func SchemaJSON() []byte {
	d := describedKeys()
	var out strings.Builder
	d.write(&out, d.root, "")
	out.WriteByte('\n')
	return []byte(out.String())
}

// quoteJSON returns a text as JSON, with < and > as they are.
func quoteJSON(text string) string { return string(mustJSON(text)) }

func mustJSON(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // JSON-normal values always encode
	}
	return bytes.TrimSpace(out.Bytes())
}

// write writes a node of the schema as JSON, with the texts of the keys.
func (d *described) write(out *strings.Builder, n *source.Node, indent string) {
	inner := indent + " "
	switch n.Kind() {
	case source.KindList:
		for i, item := range n.Items() {
			out.WriteString([]string{"[", ","}[min(i, 1)] + "\n" + inner)
			d.write(out, item, inner)
		}
		out.WriteString("\n" + indent + "]")
	case source.KindMap:
		d.writeMap(out, n, indent)
	case source.KindText:
		out.WriteString(quoteJSON(n.Text()))
	default:
		out.WriteString(n.Text())
	}
}

func (d *described) writeMap(out *strings.Builder, n *source.Node, indent string) {
	inner, written := indent+" ", 0
	begin := func(key string) {
		out.WriteString([]string{"{", ","}[min(written, 1)] + "\n" + inner + quoteJSON(key) + ": ")
		written++
	}
	for _, e := range n.Entries() {
		begin(e.Key)
		d.write(out, e.Value, inner)
	}
	if key := d.at[n]; key != "" {
		text, _ := d.texts.Of(key)
		begin("description")
		out.WriteString(quoteJSON(describe(text)))
		if example := exampleOf(text.Example, key); example.Kind() != source.KindNull {
			begin("examples")
			out.WriteString("[" + string(mustJSON(example.Value())) + "]")
		}
	}
	if written == 0 {
		out.WriteByte('{')
		out.WriteByte('}')
		return
	}
	out.WriteString("\n" + indent + "}")
}

// describe joins what an editor shows about a key.
func describe(t reference.Text) string {
	parts := []string{t.Meaning}
	for _, v := range t.Allowed {
		parts = append(parts, strconv.Quote(v.Value)+": "+v.Meaning+".")
	}
	if t.Default != "" {
		parts = append(parts, "Default: "+t.Default+".")
	}
	return strings.Join(parts, " ")
}

// exampleOf returns the value of a key in its example, which is YAML as it stands beside the key's
// neighbours; nothing if the example does not have the key.
func exampleOf(example, key string) *source.Node {
	root, problems := source.Parse("example", []byte(example))
	if len(problems) > 0 {
		return nil
	}
	return root.Get(key[strings.LastIndexByte(key, '.')+1:])
}
