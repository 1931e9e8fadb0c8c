package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseYAMLValues(t *testing.T) {
	const source = `
text: hello
quoted: "12"
id: 00123456789
long: 12345678901234567890
number: 2.50
whole: -3
yes: yes
flag: true
none: ~
empty:
list: [a, 1, {b: c}]
base: &base {x: 1, y: 2}
merged: {<<: *base, y: 3}
again: *base
`
	node, problems := Parse("f.yaml", []byte(source))
	if problems != nil {
		t.Fatal(problems)
	}
	want := map[string]any{
		"text": "hello", "quoted": "12", "id": "00123456789", "long": "12345678901234567890",
		"number": 2.5, "whole": -3.0, "yes": "yes", "flag": true, "none": nil, "empty": nil,
		"list":   []any{"a", 1.0, map[string]any{"b": "c"}},
		"base":   map[string]any{"x": 1.0, "y": 2.0},
		"merged": map[string]any{"x": 1.0, "y": 3.0},
		"again":  map[string]any{"x": 1.0, "y": 2.0},
	}
	if diff := cmp.Diff(want, node.Value()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got := strings.Join(node.Keys()[:4], " "); got != "text quoted id long" {
		t.Errorf("keys in order: %s", got)
	}
	inner := node.Get("list").Items()[2].Get("b")
	if got := inner.Pos().String() + " " + inner.Path(); got != "f.yaml:12:18 list[2].b" {
		t.Errorf("place = %s", got)
	}
}

func TestParseYAMLProblems(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"repeated":  {"a: 1\nb:\n  c: 1\n  c: 2\n", `f:4:3: b.c: key "c" is there already, at line 3; remove or rename one of them`},
		"tab":       {"a:\n\tb: 1\n", "spaces, not tabs"},
		"colon":     {"a: b: c\n", `put text that holds ": " in quotes`},
		"bracket":   {"a: [b\nc: d\n", "bracket"},
		"two":       {"a: 1\n---\nb: 2\n", "f:3:1: a second document"},
		"binary":    {"a: \x00", "UTF-8"},
		"latin":     {"a: \xe9", "UTF-8"},
		"map key":   {"? {a: b}\n: c\n", "a key must be text"},
		"anchor":    {"a: *b\n", "declare it with &"},
		"bad merge": {"a:\n  <<: 3\n", "<< merges a map"},
		"bomb":      {bomb(), "nested deeper"},
		"cycle":     {"a: &a [*a, *a]\n", "nested deeper"},
		"merges":    {"a: &a {<<: [*a, *a]}\n", "nested deeper"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, problems := Parse("f", []byte(c.source)); !strings.Contains(problems.Error(), c.want) {
				t.Errorf("problems = %v, want %q", problems, c.want)
			}
		})
	}
}

// bomb is the billion laughs.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		prev := "*a" + string(rune('0'+i-1))
		b.WriteString("a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat(prev+", ", 8) + prev + "]\n")
	}
	return b.String()
}

func TestParseYAMLDocs(t *testing.T) {
	docs, problems := ParseAll("f", []byte("a: 1\n---\nb: 2\n---\n"))
	if problems != nil || len(docs) != 3 {
		t.Fatalf("%d documents, %v", len(docs), problems)
	}
	if docs[1].Get("b").Pos().Line != 3 || docs[2].Kind() != KindNull {
		t.Errorf("second at %v, third is %s", docs[1].Get("b").Pos(), docs[2].Kind())
	}
	if ps := docs[1].UnknownKeys("bb"); len(ps) != 1 || ps[0].Hint != `did you mean "bb"?` {
		t.Errorf("unknown keys: %v", ps)
	}
}

func TestNilNode(t *testing.T) {
	var n *Node
	if n.Kind() != KindNull || n.Get("a").Get("b").Text() != "" || n.Value() != nil || n.Path() != "" || n.UnknownKeys("a") != nil {
		t.Error("a nil node is not nothing")
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{"a: 1", "- [a, {b: c}]", "&a [*a]", "a: |\n  b\n", "? a\n: b", "<<: [*a]", "a: !!int 3\n---\n..."} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, problems := ParseAll("f", data)
		for _, doc := range docs {
			_ = doc.Value()
		}
		for _, p := range problems {
			if p.Pos.Line < 1 || p.Hint == "" {
				t.Errorf("problem without a place or a remedy: %+v", p)
			}
		}
	})
}
