package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Template is a text that a tool sends, with {name} or {name.field.0} where arguments go. Any other
// brace is text, so that JSON and other languages need no escapes; {{name}} stands for a plain
// {name}.
type Template struct {
	Parts []TemplatePart
}

// TemplatePart is literal text, or a placeholder if Path is set.
type TemplatePart struct {
	Literal string
	Path    []string
	JSON    bool // {name|json}: the value as JSON, a text in quotes
}

// ParseTemplate parses a template. Every text is valid.
func ParseTemplate(source string) *Template {
	t := &Template{}
	literal := ""
	flush := func() {
		if literal != "" {
			t.Parts = append(t.Parts, TemplatePart{Literal: literal})
			literal = ""
		}
	}
	for source != "" {
		part, n, ok := placeholderAt(source)
		switch _, inner, escaped := placeholderAt(source[1:]); {
		case escaped && strings.HasPrefix(source, "{{") && strings.HasPrefix(source[1+inner:], "}"):
			literal, source = literal+source[1:1+inner], source[inner+2:]
		case ok:
			flush()
			t.Parts, source = append(t.Parts, part), source[n:]
		default:
			next := strings.IndexByte(source[1:], '{') + 1
			if next == 0 {
				next = len(source)
			}
			literal, source = literal+source[:next], source[next:]
		}
	}
	flush()
	return t
}

// placeholderAt parses the placeholder at the start of s; n is its length.
func placeholderAt(s string) (part TemplatePart, n int, ok bool) {
	if !strings.HasPrefix(s, "{") {
		return part, 0, false
	}
	inner, _, closed := strings.Cut(s[1:], "}")
	if !closed {
		return part, 0, false
	}
	name, format, formatted := strings.Cut(inner, "|")
	// Names of arguments may hold a dash, names of params may not.
	if _, ok := ParsePath(strings.ReplaceAll(name, "-", "_")); !ok || formatted && format != "json" {
		return part, 0, false
	}
	return TemplatePart{Path: strings.Split(name, "."), JSON: formatted}, len(inner) + 2, true
}

// Names returns the arguments that the template uses, sorted.
func (t *Template) Names() []string {
	set := map[string]bool{}
	for _, part := range t.Parts {
		if part.Path != nil {
			set[part.Path[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Value returns the value of a placeholder; nil for an absent argument. The error says that the
// path leads past an existing value, without quoting it.
func (p TemplatePart) Value(args map[string]any) (any, error) {
	if at, wrong := Astray(args, p.Path); wrong {
		return nil, fmt.Errorf("argument %s has no %s", strings.Join(p.Path[:at], "."), p.Path[at])
	}
	value, _ := Lookup(args, p.Path)
	return value, nil
}

// Astray reports a path that cannot be right: the value before its element number at exists, but is
// a map without that key, a list indexed by a name, or neither map nor list. A name that env lacks,
// nil, and an index past the end of a list are data, not mistakes.
func Astray(env map[string]any, path []string) (at int, wrong bool) {
	if len(path) < 2 {
		return 0, false
	}
	value := env[path[0]]
	for i, key := range path[1:] {
		switch v := value.(type) {
		case nil:
			return 0, false
		case []any:
			if !isIndex(key) {
				return i + 1, true
			}
		case map[string]any:
			if _, ok := v[key]; !ok {
				return i + 1, true
			}
		default:
			return i + 1, true
		}
		var ok bool
		if value, ok = member(value, key); !ok {
			return 0, false
		}
	}
	return 0, false
}
