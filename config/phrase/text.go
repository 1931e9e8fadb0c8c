package phrase

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
)

// Text is a parsed template: {name} or {name.field.0} is replaced by the value there,
// {name|format} by the value in one of formats. {{ and }} are braces.
//
// A group in [brackets] with a placeholder is left out if one of its placeholders is empty: nil, ""
// or an empty list. Brackets without a placeholder are text, and so are those of a link,
// [name](address); \[ and \] are always plain brackets. A group [if CONDITION: words] is kept if its
// condition holds, whatever its placeholders are.
//
// In an agent's text, a param of a built-in type is put into words of the agent's language: a date
// becomes "Friday, 27 November 2026", and so for times, ranges, durations, money, lists and
// booleans. A value that does not fit its type is shown unchanged.
type Text struct {
	Source string
	parts  []textPart
	words  *Language      // of the agent; nil: English, and plain
	facts  map[string]any // further names for a built-in response
}

// textPart is literal text, a placeholder or a group in brackets.
type textPart struct {
	literal string
	path    []string  // of a placeholder
	format  string    // of a placeholder: one of formats; "": by its kind
	kind    string    // of a placeholder: the built-in type of its param; "": none
	forms   [2]string // of the format count: the words for one and for more
	element *Text     // of a placeholder: shows one element of its list of objects; nil: none
	group   []textPart
	when    *expr.Expr // of a group: its condition; nil: its placeholders must have values
}

// counted begins the format that puts a number before its noun.
const counted = "count:"

// maxGroups limits nested brackets; deeper ones are text.
const maxGroups = 4

// ParseText parses a template.
func ParseText(source string) (*Text, error) {
	p := textParser{rest: source}
	parts, _, err := p.parts(0)
	if err != nil {
		return nil, err
	}
	return &Text{Source: source, parts: parts}, nil
}

// MustText is ParseText for templates known at compile time; it panics on an invalid one.
func MustText(source string) *Text {
	t, err := ParseText(source)
	if err != nil {
		panic(err)
	}
	return t
}

// Names returns the first path elements of the placeholders, sorted. A nil Text has none.
func (t *Text) Names() []string { return t.names(true) }

// NeededNames returns Names without the placeholders in brackets.
func (t *Text) NeededNames() []string { return t.names(false) }

// names returns the names of the placeholders, with or without those in brackets.
func (t *Text) names(bracketed bool) []string {
	if t == nil {
		return nil
	}
	set := map[string]bool{}
	collectNames(t.parts, bracketed, set)
	return slices.Sorted(maps.Keys(set))
}

func collectNames(parts []textPart, bracketed bool, set map[string]bool) {
	for _, part := range parts {
		if part.path != nil {
			set[part.path[0]] = true
		}
		if bracketed {
			collectNames(part.group, true, set)
			for _, name := range part.when.Names() {
				set[name] = true
			}
		}
	}
}

// Bind sets the text's language and the built-in types of the params that its placeholders name:
// kindOf returns the type of a param, "" for none.
func (t *Text) Bind(kindOf func(param string) string, w *Language) {
	t.words = w
	bindParts(t.parts, kindOf)
}

func bindParts(parts []textPart, kindOf func(string) string) {
	for i := range parts {
		if p := &parts[i]; len(p.path) == 1 {
			p.kind = kindOf(p.path[0])
		}
		bindParts(parts[i].group, kindOf)
	}
}

// BindLists sets how the text shows params that are lists of objects: elementOf returns the text for
// one element of a param, nil if it is no such list.
func (t *Text) BindLists(elementOf func(param string) *Text) { bindLists(t.parts, elementOf) }

func bindLists(parts []textPart, elementOf func(string) *Text) {
	for i := range parts {
		if p := &parts[i]; len(p.path) == 1 {
			p.element = elementOf(p.path[0])
		}
		bindLists(parts[i].group, elementOf)
	}
}

// SetFacts adds names that the text may use besides the values that Render gets.
func (t *Text) SetFacts(facts map[string]any) { t.facts = facts }

// textParser parses a template from left to right.
type textParser struct{ rest string }

// parts parses to the end, or to the bracket that closes the current group.
func (p *textParser) parts(depth int) (parts []textPart, closed bool, err error) {
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, textPart{literal: literal.String()})
			literal.Reset()
		}
	}
	for p.rest != "" {
		i := strings.IndexAny(p.rest, `{}[]\`)
		if i < 0 {
			literal.WriteString(p.rest)
			p.rest = ""
			break
		}
		literal.WriteString(p.rest[:i])
		c := p.rest[i]
		p.rest = p.rest[i+1:]
		switch {
		case c == '\\':
			literal.WriteByte(p.escaped())
		case c == ']' && depth > 0:
			flush()
			return parts, true, nil
		case c == '[' && depth < maxGroups:
			when, err := p.condition()
			if err != nil {
				return nil, false, err
			}
			inner, closed, err := p.parts(depth + 1)
			if err != nil {
				return nil, false, err
			}
			flush()
			if when == nil {
				parts = append(parts, p.grouped(inner, closed)...)
			} else if closed {
				parts = append(parts, textPart{group: inner, when: when})
			} else {
				return nil, false, fmt.Errorf("[if %s: has no ] at its end", when.Source)
			}
		case c == '[' || c == ']':
			literal.WriteByte(c)
		case strings.HasPrefix(p.rest, string(c)):
			literal.WriteByte(c)
			p.rest = p.rest[1:]
		default:
			part, err := p.placeholder(c)
			if err != nil {
				return nil, false, err
			}
			flush()
			parts = append(parts, part)
		}
	}
	flush()
	return parts, false, nil
}

// escaped returns what a backslash stands for: the bracket after it, else itself.
func (p *textParser) escaped() byte {
	if p.rest != "" && (p.rest[0] == '[' || p.rest[0] == ']') {
		c := p.rest[0]
		p.rest = p.rest[1:]
		return c
	}
	return '\\'
}

// grouped returns the parts in brackets as one group, or as text with brackets around it.
func (p *textParser) grouped(inner []textPart, closed bool) []textPart {
	optional := slices.ContainsFunc(inner, func(part textPart) bool { return part.path != nil || part.group != nil })
	switch {
	case !closed:
		return append([]textPart{{literal: "["}}, inner...)
	case !optional || strings.HasPrefix(p.rest, "("):
		return append(append([]textPart{{literal: "["}}, inner...), textPart{literal: "]"})
	}
	return []textPart{{group: inner}}
}

// condition reads the condition of a group that begins with "if"; nil if it has none.
func (p *textParser) condition() (*expr.Expr, error) {
	rest, ok := strings.CutPrefix(p.rest, "if ")
	end := conditionEnd(rest)
	if !ok {
		return nil, nil
	}
	if end < 0 {
		if part, _, _ := strings.Cut(rest, "]"); strings.Contains(part, "==") || strings.ContainsAny(part, "<>") || strings.Contains(part, "!=") {
			return nil, fmt.Errorf("[if %s] has no colon; write [if CONDITION: text]", part)
		}
		return nil, nil // words such as "if you like"
	}
	when, err := expr.Parse(rest[:end], nil, "")
	if err != nil {
		return nil, fmt.Errorf("[if %s: ...]: %w", rest[:end], err)
	}
	p.rest = rest[end+1:]
	return when, nil
}

// conditionEnd returns the index of the colon that ends a condition, outside of quotes and of its own
// brackets; -1 if the text's bracket closes before that.
func conditionEnd(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case strings.IndexByte(`"'`, c) >= 0:
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth < 0 {
				return -1
			}
		case c == ':' && depth == 0:
			return i
		}
	}
	return -1
}

func (p *textParser) placeholder(brace byte) (textPart, error) {
	if brace == '}' {
		return textPart{}, errors.New("a } without its {; write }} for a brace")
	}
	inner, after, closed := strings.Cut(p.rest, "}")
	if !closed {
		return textPart{}, errors.New("a { without its }; write {{ for a brace")
	}
	p.rest = after
	name, format, formatted := strings.Cut(inner, "|")
	path, ok := expr.ParsePath(name)
	if !ok {
		return textPart{}, fmt.Errorf("{%s} is not a placeholder; write {name}, {name.field.0} or {name|format}, or {{ for a brace", inner)
	}
	part := textPart{path: path, format: format}
	if words, counts := strings.CutPrefix(format, counted); counts || format == "count" {
		one, more, two := strings.Cut(words, ",")
		part.format, part.forms = "count", [2]string{strings.TrimSpace(one), strings.TrimSpace(more)}
		if !two || part.forms[0] == "" || part.forms[1] == "" {
			return textPart{}, fmt.Errorf("{%s} needs the words for one and for more; write {%s|count:night,nights}", inner, name)
		}
	}
	if formatted && !slices.Contains(formats, part.format) {
		return textPart{}, naming.Unknown("format", format, formats)
	}
	return part, nil
}

// Paths returns the paths of placeholders that are longer than a name.
func (t *Text) Paths() [][]string {
	if t == nil {
		return nil
	}
	return longPaths(t.parts, nil)
}

func longPaths(parts []textPart, paths [][]string) [][]string {
	for _, part := range parts {
		if len(part.path) > 1 {
			paths = append(paths, part.path)
		}
		paths = longPaths(part.group, paths)
	}
	return paths
}
