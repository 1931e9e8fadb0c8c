package cascade

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// firstMask is the first rune of the private use area, the class of the first type.
const firstMask = '\uE000'

// maskedBuiltins are the built-in types whose values look the same to the model.
var maskedBuiltins = map[string]bool{"email": true, "phone": true, "url": true, "money": true, "zip": true}

// maskClasses numbers the types whose spans are masked, by param, and gives the words
// that announce each param.
func maskClasses(agent *config.Agent) (map[string]rune, map[string][]string) {
	types := map[string]string{}
	named := map[string][]string{}
	add := func(p *config.Param) {
		if p == nil || p.Type == nil {
			return
		}
		named[p.Name] = message.WordsOf(p.Name + "_" + p.Type.Name)
		if len(p.Type.Patterns) > 0 || p.Type.Bare != nil || maskedBuiltins[p.Type.Builtin] {
			types[p.Name] = p.Type.Name
		}
	}
	for _, p := range agent.Params {
		add(p)
	}
	for _, in := range slices.Concat(agent.Intents, agent.System) {
		for _, p := range slices.Concat(in.Required, slices.Concat(in.OneOf...), in.Optional) {
			add(p)
		}
	}
	var names []string
	for _, name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	classes := map[string]rune{}
	for param, name := range types {
		i, _ := slices.BinarySearch(names, name)
		classes[param] = firstMask + rune(i)
	}
	return classes, named
}

// masksOf returns the masks of an example: what is recognised in it, and what is marked.
func (c *Classifier) masksOf(e config.Example) []mask {
	values := c.extract.Extract(classifier.Input{Text: e.Text}, nil)
	for _, s := range e.Spans {
		values = append(values, message.Value{Param: s.Param, Start: s.Start, End: s.End, Source: "pattern"})
	}
	slices.SortStableFunc(values, func(a, b message.Value) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return c.masks(e.Text, values)
}

// masks turns values, by start, into masks that do not overlap.
func (c *Classifier) masks(text string, values []message.Value) []mask {
	var out []mask
	spans := byteSpans(text, values)
	for i, v := range values {
		class, ok := c.classes[v.Param]
		if !ok || v.Source == "text" || v.Source == "option" || v.Source == "enum" {
			continue
		}
		start, end := spans[i].start, spans[i].end
		if start < end && (len(out) == 0 || start >= out[len(out)-1].end) {
			out = append(out, mask{start, end, class})
		}
	}
	return out
}

// silent reports whether the pieces hold only values, figures, courtesy and the names of the
// values' params, which speak for no intent.
func (c *Classifier) silent(in classifier.Input, pieces []piece, values []message.Value) bool {
	wishes := in.Asked == nil && in.Active == "" // an option may also be a wish, as "refund" may
	spans := byteSpans(in.Text, values)
	for _, p := range pieces {
		if p.mask || extract.Filler(p.key) || !strings.ContainsFunc(p.key, unicode.IsLetter) {
			continue
		}
		if !c.covered(p, values, spans, wishes) {
			return false
		}
	}
	return true
}

func (c *Classifier) covered(p piece, values []message.Value, spans []byteSpan, wishes bool) bool {
	for i, v := range values {
		if v.Source == "text" || v.Source == "tagger" && v.Confidence < firmTagged {
			continue
		}
		if slices.Contains(c.words[v.Param], p.key) {
			return true
		}
		if v.Source == "enum" && wishes {
			continue
		}
		if spans[i].start <= p.start && p.end <= spans[i].end {
			return true
		}
	}
	return false
}
