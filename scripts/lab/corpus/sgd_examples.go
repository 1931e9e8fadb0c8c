package main

import (
	"maps"
	"slices"
	"strings"
)

// examples adds the training utterances that ask for the intent or give values for it. A reply to a
// question or a confirmation teaches values only. Answers, courtesies and questions about results
// are no examples of a task.
func (c *sgdConverter) examples(in *intent, recorded string) {
	seen := map[string]bool{}
	for _, e := range c.s.examples {
		gives := slices.Contains(e.Acts, "INFORM") && len(e.Params) > 0
		if e.Intent != recorded || !(e.Starts || gives) || seen[e.Text] {
			continue
		}
		seen[e.Text] = true
		x := example{text: e.Text, spans: c.spans(in, e)}
		if !e.Starts {
			x.asked = c.asked(in, e, x.spans)
		}
		in.examples = append(in.examples, x)
	}
}

// asked returns the param of the intent that an utterance replies to: the one asked for, or the one
// that a reply to a confirmation changes; "" if nothing was asked.
func (c *sgdConverter) asked(in *intent, e sgdExample, spans []span) string {
	for _, slot := range e.Given.Asked {
		if name := c.name("param", slot); in.has(name) {
			return name
		}
	}
	if e.Given.Confirming.Open && len(spans) > 0 {
		return spans[0].param
	}
	return ""
}

// speechActs maps utterances to built-in intents, if they do nothing but one of these.
var speechActs = map[string]string{
	"AFFIRM": "affirm", "SELECT": "affirm", "AFFIRM_INTENT": "affirm", "NEGATE": "deny", "NEGATE_INTENT": "deny",
	"THANK_YOU": "thanks", "GOODBYE": "goodbye", "GOODBYE THANK_YOU": "goodbye", "NEGATE THANK_YOU": "goodbye",
	"GOODBYE NEGATE": "goodbye", "GOODBYE SELECT": "goodbye", "GOODBYE NEGATE_INTENT": "goodbye",
}

// courtesies adds the training utterances that answer or take leave to the built-in intents, and
// makes one intent of the questions about results, which the recorded bot answers in passing.
func (c *sgdConverter) courtesies() {
	seen := map[string]bool{}
	about := &intent{id: c.prefix + "details", describe: "tell more about what was found", success: "Let me see."}
	for _, e := range c.s.examples {
		acts := slices.Sorted(slices.Values(e.Acts))
		id := speechActs[strings.Join(acts, " ")]
		switch {
		case seen[e.Text]:
		case id != "":
			c.b.system[id] = append(c.b.system[id], example{text: e.Text})
		case slices.Equal(acts, []string{"REQUEST"}):
			about.examples = append(about.examples, example{text: e.Text})
		}
		seen[e.Text] = true
	}
	if len(about.examples) > 0 {
		c.b.intents = append(c.b.intents, about)
	}
}

// spans returns the marked values of the intent's params, and values that are spelled in the text
// but not marked.
func (c *sgdConverter) spans(in *intent, e sgdExample) []span {
	var out []span
	for _, s := range e.Spans {
		if name := c.name("param", s.Param); in.has(name) {
			out = append(out, span{param: name, start: s.Start, end: s.End})
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(e.Params)) {
		name, value := c.name("param", slot), e.Params[slot]
		p := c.b.param(name)
		if p == nil || !in.has(name) || slices.ContainsFunc(out, func(s span) bool { return s.param == name }) {
			continue
		}
		if start, end, ok := locate(e.Text, p.spellings(value)); ok && !overlaps(out, start, end) {
			out = append(out, span{name, value, start, end})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return a.start - b.start })
	return out
}

func overlaps(spans []span, start, end int) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.start < end && start < s.end })
}

// spellings returns the ways to write a value of the param.
func (p *param) spellings(value string) []string {
	switch p.kind {
	case "integer":
		out := []string{value}
		for word, n := range numerals {
			if n == value {
				out = append(out, word)
			}
		}
		slices.Sort(out)
		return out
	case "enum":
		for _, v := range p.values {
			if v.value == value {
				return append([]string{v.value}, v.synonyms...)
			}
		}
	}
	return nil
}
