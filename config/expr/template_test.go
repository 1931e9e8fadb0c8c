package expr

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestTemplateBraces: only {name} in the form of a path is a placeholder; every other brace
// stays as it is written.
func TestTemplateBraces(t *testing.T) {
	for source, want := range map[string]string{
		"":                           "",
		"plain":                      "plain",
		"{id}":                       "<id>",
		"--id={id}":                  "--id=<id>",
		"{order.lines.0.id}":         "<order/lines/0/id>",
		"{order-id}":                 "<order-id>",
		`{"id": {id|json}, "o": {}}`: `{"id": <id!>, "o": {}}`,
		`{"a":{"b":{"c":"{id}"}}}`:   `{"a":{"b":{"c":"<id>"}}}`,
		"{{id}}":                     "{id}",
		"{{id} {id}":                 "{<id> <id>",
		"{{.Name}}":                  "{{.Name}}",
		".[] | {id: .x, y}":          ".[] | {id: .x, y}",
		"{print $1}":                 "{print $1}",
		"a { b } c {":                "a { b } c {",
		"{id|yaml}{":                 "{id|yaml}{",
		"{}":                         "{}",
		"{{{{id}}}}":                 "{{{id}}}",
	} {
		var b strings.Builder
		for _, p := range ParseTemplate(source).Parts {
			b.WriteString(p.Literal)
			if p.Path != nil {
				b.WriteString("<" + strings.Join(p.Path, "/"))
				if p.JSON {
					b.WriteString("!")
				}
				b.WriteString(">")
			}
		}
		if b.String() != want {
			t.Errorf("%s\n got %s\nwant %s", source, b.String(), want)
		}
	}
	if got := ParseTemplate("{b} {a.x} {b.y}").Names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("names %v", got)
	}
}

// TestAstray separates a path that cannot be right from data that is not there.
func TestAstray(t *testing.T) {
	var env map[string]any
	if err := json.Unmarshal([]byte(`{"o": {"id": "1", "by": null, "lines": [{"n": 1}], "none": []}, "s": "text"}`), &env); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"o": "", "gone": "", "gone.x": "", "o.id": "", "o.by": "", "o.by.name": "", "o.lines.0.n": "", "o.lines.7.n": "", "o.none.0.n": "",
		"o.idd": "idd", "o.id.x": "x", "s.x": "x", "o.lines.n": "n", "o.lines.0.m": "m",
	} {
		elements := strings.Split(path, ".")
		at, wrong := Astray(env, elements)
		if wrong != (want != "") || wrong && elements[at] != want {
			t.Errorf("%s: element %d, wrong %v, want %q", path, at, wrong, want)
		}
	}
}
