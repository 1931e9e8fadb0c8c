package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
)

// objectType is the built-in type of a list of objects. No file can name it, and no recogniser
// finds its values: the fields have types of their own.
const objectType = "object"

// Objects describes the elements of a param that is a list of objects. The dialogue asks for each
// element as for a task of its own, whose params are the fields.
type Objects struct {
	Element *Intent      // its params are the fields; its plan is empty
	Fields  []*Param     // in declared order; the first one says which element is meant
	More    *phrase.Text // the question after each element; a no ends the list
	Show    *phrase.Text // one element in words, over its fields
	Min     int          // fewest elements, at least 1
	Max     int          // most elements; 0: any number
}

// Key returns the field that says which element is meant.
func (o *Objects) Key() *Param { return o.Fields[0] }

// Field returns the field of that name, nil if there is none.
func (o *Objects) Field(name string) *Param { return named(o.Fields, name) }

// ObjectsOf returns the param of an intent whose elements have a field, and its description; nil if
// there is none.
func (in *Intent) ObjectsOf(field string) (*Param, *Objects) {
	for list := range in.paramLists {
		for _, p := range list {
			if p.Objects != nil && p.Objects.Field(field) != nil {
				return p, p.Objects
			}
		}
	}
	return nil, nil
}

// elementMark ends the id of an element's intent, so that no declared intent has it.
const elementMark = "[]"

// objects reads the fields of a param. Two entries with one declaration have one description, as
// they have one type.
func (b *builder) objects(d declared, p *Param, at *source.Node, base Policy) {
	n := d.get("fields")
	if n == nil {
		for _, key := range []string{"more", "show"} {
			if d.get(key) != nil {
				b.problems.Add(d.get(key), key+" is for lists of objects", "add fields, or remove "+key)
			}
		}
		return
	}
	b.strayFieldKeys(d, p)
	p.List = true
	if known := b.objectsAt[n]; known != nil {
		p.Type, p.Objects = known.Type, known.Objects
		return
	}
	o := &Objects{More: b.text(d.get("more")), Show: b.text(d.get("show")), Min: max(1, p.Validation.MinItems), Max: p.Validation.MaxItems}
	o.Element = &Intent{ID: p.Name + elementMark, Internal: true, Policy: base, Pos: at.Pos()}
	b.checkKeys(n, naming.IsName)
	for _, e := range n.Entries() {
		b.field(o, e, base)
	}
	if len(o.Fields) == 0 {
		b.problems.Add(n, "is empty", "add a field with its type")
		return
	}
	if o.Show == nil {
		o.Show = phrase.MustText(plainShow(o.Fields))
		b.texts = append(b.texts, o.Show)
	}
	p.Type, p.Objects = &Type{Name: "list of objects", Builtin: objectType}, o
	b.agent.Elements = append(b.agent.Elements, o.Element)
	b.intents[o.Element] = n
	b.objectsAt[n] = p
}

// field reads one field. With a default it is asked for only with `ask`.
func (b *builder) field(o *Objects, e source.Entry, base Policy) {
	n := e.Value
	if n.Kind() != source.KindMap {
		return
	}
	for _, key := range []string{"fields", "list", "scope", "ttl", "param_mapping"} {
		if n.Has(key) {
			b.problems.Add(n.Get(key), key+" does not go with a field of a list", "remove it")
		}
	}
	f := b.param(e.Key, declared{shared: n}, base, n.Has("default"))
	if f.Objects != nil || f.List || f.Scope != ScopePlan {
		return // reported
	}
	b.params[f] = n
	b.oneType(n, f)
	o.Fields = append(o.Fields, f)
	if f.Default == nil {
		o.Element.Required = append(o.Element.Required, f)
	} else {
		o.Element.Optional = append(o.Element.Optional, f)
	}
}

// strayFieldKeys reports keys that say nothing about a list of objects.
func (b *builder) strayFieldKeys(d declared, p *Param) {
	if n := d.get("list"); n != nil && !p.List {
		b.problems.Add(n, "fields make it a list", "write list: true, or remove list")
	}
	for _, key := range []string{"type", "shape", "clean", "default", "else", "param_mapping", "reprompt", "ttl"} {
		if n := d.get(key); n != nil {
			b.problems.Add(n, key+" does not go with fields", "give it to a field")
		}
	}
	if n := d.get("scope"); n.Text() == string(ScopeSession) {
		b.problems.Add(n, "a list of objects belongs to its task", "remove scope")
	}
	v := d.get("validation")
	for _, e := range v.Entries() {
		if !slices.Contains([]string{"min_items", "max_items", "invalid"}, e.Key) {
			b.problems.Add(e.Value, e.Key+" does not go with fields", "give it to a field; a list has min_items, max_items and invalid")
		}
	}
}

// plainShow is the text for one element without a `show`: numbers first, as in "2 pizza".
func plainShow(fields []*Param) string {
	var counts, others []string
	for _, f := range fields {
		part := "{" + f.Name + "}"
		if f.Type.Builtin == "number" || f.Type.Builtin == "integer" {
			counts = append(counts, part)
		} else {
			others = append(others, part)
		}
	}
	return strings.Join(append(counts, others...), " ")
}

// checkObjects checks the declarations of fields, and the texts of their lists.
func (b *builder) checkObjects() {
	for _, in := range b.agent.Elements {
		b.checkParams(in, b.scopeOf(in))
		b.lintFields(in)
		b.lintPatterns(in, b.intents[in])
	}
	for at, p := range b.objectsAt {
		s := b.scopeOf(p.Objects.Element)
		list := b.params[p]
		if list == nil {
			list = at
		}
		b.needText(list.Get("show"), p.Objects.Show, s)
		if p.Objects.More == nil {
			b.problems.Warn(source.NoPrompt, list, fmt.Sprintf("list %q has no question after an element", p.Name), "add more: such as \"Anything else?\"")
			p.Objects.More = phrase.MustText("Anything else?")
		}
	}
}

// elementText returns the text for one element of a list of objects, nil for any other param.
func (a *Agent) elementText(param string) *phrase.Text {
	if p := a.Params[param]; p != nil && p.Objects != nil {
		return p.Objects.Show
	}
	return nil
}

// lintFields supplies a plain question for a field without one.
func (b *builder) lintFields(in *Intent) {
	for _, f := range in.AllParams() {
		if f.Prompt == nil && f.Default == nil {
			b.problems.Warn(source.NoPrompt, b.params[f], fmt.Sprintf("field %q is asked for, but has no prompt", f.Name), "add prompt: the question")
		}
		if f.Prompt == nil {
			f.Prompt = phrase.MustText("What is the " + strings.ReplaceAll(f.Name, "_", " ") + "?")
		}
	}
}
