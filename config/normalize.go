package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
)

// Normalizer is one step from the text that a user typed to the value.
type Normalizer struct {
	Op  string // one of normalizers
	Arg string
	New string // of replace: what stands in the place of Arg
}

// normalizers are the steps, each with an example where it takes text.
var normalizers = map[string]string{
	"upper": "", "lower": "", "digits": "", // keep the digits only
	"trim":    "trim:#",      // remove these characters at both ends
	"remove":  "remove: -.",  // remove these characters anywhere
	"replace": "replace:/=-", // put the second text in the place of the first
	"prefix":  "prefix:#",    // put the text in front if it is missing
}

// Normalize applies steps to a text, in order.
func Normalize(text string, steps []Normalizer) string {
	for _, n := range steps {
		switch n.Op {
		case "upper":
			text = strings.ToUpper(text)
		case "lower":
			text = strings.ToLower(text)
		case "trim":
			text = strings.Trim(text, n.Arg)
		case "remove":
			text = keep(text, func(r rune) bool { return !strings.ContainsRune(n.Arg, r) })
		case "digits":
			text = keep(text, func(r rune) bool { return r >= '0' && r <= '9' })
		case "replace":
			text = strings.ReplaceAll(text, n.Arg, n.New)
		case "prefix":
			if !strings.HasPrefix(text, n.Arg) {
				text = n.Arg + text
			}
		}
	}
	return text
}

// keep returns the characters of a text that a test lets through.
func keep(text string, wanted func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if wanted(r) {
			return r
		}
		return -1
	}, text)
}

// normalizers reads a list of steps.
func (b *builder) normalizers(list *source.Node) []Normalizer {
	var steps []Normalizer
	for _, n := range list.Items() {
		if s := b.words(n); s != "" {
			steps = b.normalizer(n, s, steps)
		}
	}
	return steps
}

func (b *builder) normalizer(n *source.Node, text string, steps []Normalizer) []Normalizer {
	op, arg, hasArg := strings.Cut(text, ":")
	example, known := normalizers[op]
	step := Normalizer{Op: op, Arg: arg}
	split := true
	if op == "replace" {
		step.Arg, step.New, split = strings.Cut(arg, "=")
	}
	switch {
	case !known:
		b.unknown(n, "normalisation", op, slices.Sorted(maps.Keys(normalizers)))
	case example == "" && hasArg:
		b.problems.Add(n, op+" takes no text", "write "+op)
	case example != "" && (step.Arg == "" || !split):
		b.problems.Add(n, op+" needs text to work with", fmt.Sprintf("write %q", example))
	default:
		return append(steps, step)
	}
	return steps
}

// clean reads the steps for a free text; a type that describes its values has steps of its own.
func (b *builder) clean(n *source.Node, p *Param) {
	if n != nil && p.Type.Builtin != "text" {
		b.problems.Add(n, fmt.Sprintf("clean is for free text, and param %q has type %s", p.Name, typeLabel(p)), "remove clean, or give a type of your own with normalize")
		return
	}
	p.Clean = b.normalizers(n)
	var touched strings.Builder
	for _, step := range p.Clean {
		touched.WriteString(step.Arg + step.New)
	}
	if once := p.Cleaned(touched.String()); p.Cleaned(once) != once {
		b.problems.Add(n, "the steps change a cleaned value again, as one writes what another one changes", "let each step leave alone what the others write")
	}
}

// mostRounds bounds how often the steps of a param follow each other: one may remove what stood
// between two characters that an earlier one replaces.
const mostRounds = 4

// Cleaned returns a value as the param keeps it: its texts with the steps of Clean. A value that is
// cleaned stays as it is, since it passes here again with each correction.
func (p *Param) Cleaned(value any) any {
	if len(p.Clean) == 0 {
		return value
	}
	switch v := value.(type) {
	case string:
		for range mostRounds {
			next := Normalize(v, p.Clean)
			if next == v {
				break
			}
			v = next
		}
		return v
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = p.Cleaned(e)
		}
		return all
	}
	return value
}
