package config

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// Every key of the schema has a meaning and an example, and every text a key.
func TestReferenceIsComplete(t *testing.T) {
	d := describedKeys()
	for _, problem := range referencetest.Lacking(d.texts, d.area, "") {
		t.Error(problem)
	}
	for n, key := range d.at {
		if n.Get("description").Kind() == source.KindText {
			t.Errorf("schema.json describes %s: move the text to config/reference.yaml", key)
		}
		text, _ := d.texts.Of(key)
		if v := n.Get("default"); v != nil && v.Kind() != source.KindMap && text.Default != "" {
			t.Errorf("%s has a default in schema.json and in config/reference.yaml: keep the first", key)
		}
		for _, v := range text.Allowed {
			if !strings.Contains(string(schemaJSON), `"`+v.Value+`"`) {
				t.Errorf("%s: %q is not allowed by the schema", key, v.Value)
			}
		}
	}
	if len(d.area.Entries) < 150 {
		t.Errorf("only %d keys", len(d.area.Entries))
	}
	for _, e := range d.area.Entries {
		known := map[string]bool{}
		for _, v := range e.Allowed {
			known[v.Value] = true
		}
		for _, v := range d.enumOf(e.Key) {
			if !known[v] {
				t.Errorf("%s: %q has no meaning among the values", e.Key, v)
			}
		}
	}
}

// enumOf returns the values that the schema allows for a key.
func (d *described) enumOf(key string) []string {
	var out []string
	for n, at := range d.at {
		if at == key {
			for _, v := range n.Get("enum").Items() {
				out = append(out, v.Text())
			}
		}
	}
	return out
}

// Every example is valid where it stands, has its key, and what it says as an expression, a template
// or a pattern can be read.
func TestReferenceExamples(t *testing.T) {
	d := describedKeys()
	compiled := compileDescribed(t)
	for _, key := range d.at {
		text, from := d.texts.Of(key)
		if from != "" {
			continue
		}
		root, problems := source.Parse(key, []byte(text.Example))
		if len(problems) > 0 {
			t.Errorf("%s: %v", key, problems)
			continue
		}
		example := exampleOf(text.Example, key)
		if example == nil {
			t.Errorf("%s: the example %q does not have the key", key, text.Example)
			continue
		}
		if s := compiled[key]; s == nil {
			t.Errorf("%s has no schema", key)
		} else if err := s.Validate(example.Value()); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		neighbours(t, d, key, root)
		readable(t, key, example)
	}
}

// neighbours checks that the other keys of an example stand beside its key.
func neighbours(t *testing.T, d *described, key string, root *source.Node) {
	t.Helper()
	group := strings.TrimSuffix(strings.TrimSuffix(key, key[strings.LastIndexByte(key, '.')+1:]), ".")
	for _, beside := range root.Keys() {
		found := false
		for _, at := range d.at {
			found = found || at == strings.TrimPrefix(group+"."+beside, ".")
		}
		if !found {
			t.Errorf("%s: its example has the key %s, which is not beside it", key, beside)
		}
	}
}

// compileDescribed compiles the schema of every key from what editors get.
func compileDescribed(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON()))
	if err != nil {
		t.Fatal(err)
	}
	delete(doc.(map[string]any), "$id")
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	d := describedKeys()
	for n, key := range d.at {
		s, err := compiler.Compile(schemaURL + "#" + pointer(n))
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		out[key] = s
	}
	return out
}

// pointer is the JSON pointer of a node of the schema.
func pointer(n *source.Node) string { return "/" + strings.ReplaceAll(n.Path(), ".", "/") }

// readable reads expressions, templates and patterns of an example.
func readable(t *testing.T, key string, example *source.Node) {
	t.Helper()
	last := key[strings.LastIndexByte(key, '.')+1:]
	var err error
	switch {
	case example.Kind() != source.KindText:
		return
	case last == "when" || last == "expr":
		_, err = expr.Parse(example.Text(), nil, "")
	case last == "pattern" || last == "bare":
		_, err = expr.CompilePattern(example.Text())
	case last == "prompt" || last == "confirm" || last == "invalid" || last == "label" || last == "generate":
		_, err = phrase.ParseText(example.Text())
	}
	if err != nil {
		t.Errorf("%s: %v", key, err)
	}
}
