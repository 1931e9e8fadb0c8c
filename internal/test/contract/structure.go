package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Structure returns what is wrong with the document itself: dangling references, operations that lack
// what a reader needs, invalid schemas and examples.
func (d *Document) Structure() []string {
	w := &walk{d: d, ids: map[string]bool{}}
	w.refs("", d.root)
	if version, _ := d.root["openapi"].(string); !strings.HasPrefix(version, "3.1.") {
		w.note("", "openapi is not 3.1")
	}
	schemas, _ := d.lookup("/components/schemas")
	all, _ := schemas.(object)
	for name := range all {
		w.schema(pointer("components", "schemas", name))
	}
	for i := range d.ops {
		w.operation(&d.ops[i])
	}
	slices.Sort(w.found)
	return w.found
}

type walk struct {
	d     *Document
	ids   map[string]bool
	found []string
}

func (w *walk) note(at, format string, args ...any) {
	w.found = append(w.found, at+": "+fmt.Sprintf(format, args...))
}

// refs looks at every reference. One to another document is left to the schema's compiler.
func (w *walk) refs(at string, v any) {
	switch v := v.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, "#") {
			if _, found := w.d.lookup(strings.TrimPrefix(ref, "#")); !found {
				w.note(at, "%s leads nowhere", ref)
			}
		}
		for k, e := range v {
			w.refs(at+pointer(k), e)
		}
	case []any:
		for i, e := range v {
			w.refs(fmt.Sprintf("%s/%d", at, i), e)
		}
	}
}

// schema compiles a schema and validates its examples.
func (w *walk) schema(at string) {
	if _, err := w.d.schema(at); err != nil {
		w.note(at, "%v", err)
		return
	}
	v, _ := w.d.lookup(at)
	s, _ := v.(object)
	examples, _ := s["examples"].([]any)
	for _, e := range examples {
		w.example(at, at, e)
	}
}

func (w *walk) example(at, schema string, v any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = w.d.check(schema, text)
	}
	if err != nil {
		w.note(at, "the example does not hold: %v", err)
	}
}

func (w *walk) operation(op *operation) {
	id, _ := op.def["operationId"].(string)
	if id == "" || w.ids[id] {
		w.note(op.at, "operationId %q is missing or taken", id)
	}
	w.ids[id] = true
	for _, key := range []string{"summary", "description"} {
		if text, _ := op.def[key].(string); text == "" {
			w.note(op.at, "no %s", key)
		}
	}
	if tags, _ := op.def["tags"].([]any); len(tags) == 0 || !w.declared(tags) {
		w.note(op.at, "no tags, or one that is not declared")
	}
	w.parameters(op)
	if body, ok := op.def["requestBody"].(object); ok {
		w.content(op.at+"/requestBody", body)
	}
	w.responses(op)
}

// declared reports whether the document declares all tags of an operation.
func (w *walk) declared(tags []any) bool {
	list, _ := w.d.root["tags"].([]any)
	for _, tag := range tags {
		if !slices.ContainsFunc(list, func(v any) bool {
			o, _ := v.(object)
			return o["name"] == tag
		}) {
			return false
		}
	}
	return true
}

// parameters compares the placeholders of the path with the described parameters.
func (w *walk) parameters(op *operation) {
	inPath := map[string]bool{}
	for i, p := range w.d.params(op) {
		name, _ := p.def["name"].(string)
		place, _ := p.def["in"].(string)
		if name == "" || !slices.Contains([]string{"path", "query", "header"}, place) {
			w.note(op.at, "parameter %d has no name or place", i)
		}
		if _, err := w.d.schema(p.at + "/schema"); err != nil {
			w.note(p.at, "%v", err)
		}
		if place == "path" {
			inPath[name] = true
			if p.def["required"] != true {
				w.note(p.at, "a part of the path is not required")
			}
		}
	}
	for part := range strings.SplitSeq(op.path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok && !inPath[strings.TrimSuffix(name, "}")] {
			w.note(op.at, "%s is not described", part)
		}
	}
}

// param is a parameter of an operation and where it is described.
type param struct {
	def object
	at  string
}

func (d *Document) params(op *operation) []param {
	list, _ := op.def["parameters"].([]any)
	out := make([]param, len(list))
	for i, p := range list {
		out[i].def, out[i].at = d.resolve(p, fmt.Sprintf("%s/parameters/%d", op.at, i))
	}
	return out
}

func (w *walk) responses(op *operation) {
	all, _ := op.def["responses"].(object)
	if all["default"] == nil {
		w.note(op.at, "no default response: errors are not described")
	}
	good := false
	for status, v := range all {
		good = good || strings.HasPrefix(status, "2") || status == "307" // a route may only redirect
		def, at := w.d.resolve(v, op.at+pointer("responses", status))
		if text, _ := def["description"].(string); text == "" {
			w.note(at, "no description")
		}
		w.content(at, def)
	}
	if !good {
		w.note(op.at, "no response of a success")
	}
}

// content looks at the media types of a body.
func (w *walk) content(at string, def object) {
	kinds, _ := def["content"].(object)
	for kind, v := range kinds {
		place := at + pointer("content", kind)
		media, _ := v.(object)
		if _, ok := media["schema"]; !ok {
			w.note(place, "no schema")
			continue
		}
		w.schema(place + "/schema")
		if e, ok := media["example"]; ok {
			w.example(place, place+"/schema", e)
		}
		events, _ := media["x-events"].(object)
		if kind == eventStream && len(events) == 0 {
			w.note(place, "the events are not described")
		}
		for name := range events {
			w.schema(place + pointer("x-events", name))
		}
	}
}
