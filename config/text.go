package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Text is a parsed template: {name} or {name.field.0} is replaced by the value there,
// {{ and }} are braces.
type Text struct {
	Source string
	parts  []textPart
}

type textPart struct {
	literal string
	path    []string // nil: literal
}

// ParseText parses a template.
func ParseText(source string) (*Text, error) {
	t := &Text{Source: source}
	var literal strings.Builder
	for rest := source; rest != ""; {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			literal.WriteString(rest)
			break
		}
		literal.WriteString(rest[:i])
		brace := rest[i]
		rest = rest[i+1:]
		if rest != "" && rest[0] == brace {
			literal.WriteByte(brace)
			rest = rest[1:]
			continue
		}
		if brace == '}' {
			return nil, errors.New("a } without its {; write }} for a brace")
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, errors.New("a { without its }; write {{ for a brace")
		}
		path, ok := parsePath(inner)
		if !ok {
			return nil, fmt.Errorf("{%s} is not a placeholder; write {name} or {name.field.0}, or {{ for a brace", inner)
		}
		t.flush(&literal)
		t.parts = append(t.parts, textPart{path: path})
		rest = after
	}
	t.flush(&literal)
	return t, nil
}

func (t *Text) flush(literal *strings.Builder) {
	if literal.Len() > 0 {
		t.parts = append(t.parts, textPart{literal: literal.String()})
		literal.Reset()
	}
}

// MustText is ParseText for templates known at compile time; it panics on a bad one.
func MustText(source string) *Text {
	t, err := ParseText(source)
	if err != nil {
		panic(err)
	}
	return t
}

// Names returns the first path elements of the placeholders, sorted. A nil Text has none.
func (t *Text) Names() []string {
	if t == nil {
		return nil
	}
	set := map[string]bool{}
	for _, part := range t.parts {
		if part.path != nil {
			set[part.path[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Render fills the template. What is missing renders as "". Whole numbers have no
// decimal point; lists are joined with ", " and "and"; booleans are yes and no; a map is
// its JSON. A nil Text is "".
func (t *Text) Render(env map[string]any) string {
	if t == nil {
		return ""
	}
	var out strings.Builder
	for _, part := range t.parts {
		if part.path == nil {
			out.WriteString(part.literal)
			continue
		}
		if value, ok := Lookup(env, part.path); ok {
			out.WriteString(Display(value))
		}
	}
	return out.String()
}

// Display renders a JSON-normal value the way that Text does.
func Display(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return displayNumber(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		items := make([]string, len(v))
		for i, inner := range v {
			items[i] = Display(inner)
		}
		return JoinAnd(items)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "" // not JSON-normal: nothing that could be shown
	}
	return string(data)
}

// displayNumber avoids exponents up to the size where digits stop being exact.
func displayNumber(v float64) string {
	if math.Abs(v) < 1e21 && (v == 0 || math.Abs(v) > 1e-7) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// JoinAnd joins items as people list things: "a", "a and b", "a, b and c".
func JoinAnd(items []string) string { return joinWith(items, " and ") }

// JoinOr joins alternatives: "a", "a or b", "a, b or c".
func JoinOr(items []string) string { return joinWith(items, " or ") }

func joinWith(items []string, last string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	n := len(items) - 1
	return strings.Join(items[:n], ", ") + last + items[n]
}
