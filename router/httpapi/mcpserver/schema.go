package mcpserver

import (
	"regexp"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/planner"
)

// jsonTypes are the JSON types of values that are not text. Values of other types are written as
// text, in any way a person would.
var jsonTypes = map[string]string{"boolean": "boolean", "number": "number", "integer": "integer"}

// paramSchema is the JSON Schema of a param's value. It tells a client what to send; the agent checks
// the value and says what is wrong with it.
func paramSchema(p *config.Param) map[string]any {
	one := valueSchema(p)
	if !p.List {
		return one
	}
	list := map[string]any{"type": "array", "items": one, "minItems": 1, "title": one["title"], "description": one["description"]}
	delete(one, "title")
	delete(one, "description")
	return list
}

func valueSchema(p *config.Param) map[string]any {
	s := map[string]any{"type": "string", "title": p.Label, "description": describe(p)}
	if p.Default != nil {
		s["default"] = p.Default
	}
	if kind := jsonTypes[p.Type.Builtin]; kind != "" && len(p.Type.Values) == 0 {
		s["type"] = kind
		if kind != "boolean" {
			bound(s, "minimum", p.Validation.Min)
			bound(s, "maximum", p.Validation.Max)
		}
		return s
	}
	if len(p.Type.Values) > 0 {
		values := make([]string, len(p.Type.Values))
		for i, v := range p.Type.Values {
			values[i] = v.Value
		}
		s["enum"] = values
		return s
	}
	if p.Type.Builtin == "email" {
		s["format"] = "email"
	}
	if p.Validation.MinLength > 0 {
		s["minLength"] = p.Validation.MinLength
	}
	if p.Validation.MaxLength > 0 {
		s["maxLength"] = p.Validation.MaxLength
	}
	if pattern := patternOf(p); pattern != "" {
		s["pattern"] = pattern
	}
	return s
}

// withOptions narrows the schema of a param to the values that a tool has listed. enumNames is the
// established key for titles.
func withOptions(schema map[string]any, param string, options []planner.Suggestion) map[string]any {
	var values, titles []string
	for _, o := range options {
		if o.Param == param && !slices.Contains(values, o.Text) {
			values, titles = append(values, o.Text), append(titles, o.Title)
		}
	}
	if len(values) < 2 {
		return schema
	}
	return map[string]any{"type": "string", "title": schema["title"], "description": schema["description"], "enum": values, "enumNames": titles}
}

func bound(s map[string]any, key string, limit *float64) {
	if limit != nil {
		s[key] = *limit
	}
}

// describe describes a param: its question if that has no placeholders, and an example.
func describe(p *config.Param) string {
	said := []string{p.Label + "."}
	for _, text := range []*phrase.Text{p.Prompt, p.Help} {
		if text != nil && len(text.Names()) == 0 {
			said = append(said, text.Render(nil))
		}
	}
	if p.Type.Example != "" {
		said = append(said, "For example "+p.Type.Example+".")
	}
	if form := exampleForms[p.Type.Builtin]; form != "" && len(p.Type.Patterns) == 0 {
		said = append(said, form)
	}
	return strings.Join(said, " ")
}

// exampleForms say how best to write values of time; words are understood, too.
var exampleForms = map[string]string{
	"date": "As 2026-03-31.", "time": "As 15:04.", "datetime": "As 2026-03-31 15:04.", "duration": "In words, such as 90 minutes.",
	"daterange": "In words, such as from March 3 to March 9.", "timerange": "In words, such as from 8 to 12.",
	"money": "With its currency, such as 12.50 EUR.", "percentage": "Such as 5%.", "ordinal": "Such as 2nd.",
}

// patternOf is the form of an answer: the type's bare pattern, else any of its patterns, else that of
// the param's validation. It is "" where the dialects differ: Go's (RE2) has flags, classes and anchors
// that ECMA 262 lacks, and a client that cannot compile a schema refuses the whole tool.
func patternOf(p *config.Param) string {
	var all []*regexp.Regexp
	switch {
	case p.Type.Bare != nil:
		all = []*regexp.Regexp{p.Type.Bare}
	case len(p.Type.Patterns) > 0:
		all = p.Type.Patterns
	case p.Validation.Pattern != nil:
		all = []*regexp.Regexp{p.Validation.Pattern}
	}
	sources := make([]string, len(all))
	for i, re := range all {
		if notECMA.MatchString(re.String()) {
			return ""
		}
		sources[i] = re.String()
		if len(all) > 1 {
			sources[i] = "(?:" + sources[i] + ")"
		}
	}
	return strings.Join(sources, "|")
}

// notECMA finds what means something else, or nothing, in ECMA 262: groups other than (?:...), POSIX
// classes, the escapes A z Q E C a p P x, and escaped hyphens.
var notECMA = regexp.MustCompile(`\(\?[^:]|\[\[:|\\[AzQECapPx-]`)
