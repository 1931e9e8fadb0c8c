package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// markup matches [value](param), [value](param:normal form) and Rasa's [value]{"entity": "param",
// "value": "normal form"}. Other brackets are text.
var markup = regexp.MustCompile(`\[([^\[\]]+)\](?:\(([A-Za-z_][A-Za-z0-9_]*)(?::([^()]*))?\)|(\{[^{}]*\}))`)

// parseExample splits an example into its text and its spans.
func parseExample(source string) (Example, error) {
	var e Example
	var text strings.Builder
	end := 0
	for _, m := range markup.FindAllStringSubmatchIndex(source, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return source[m[2*i]:m[2*i+1]]
		}
		text.WriteString(source[end:m[0]])
		end = m[1]
		span := Span{Param: group(2), Value: group(3), Start: utf8.RuneCountInString(text.String())}
		if js := group(4); js != "" {
			var tag struct{ Entity, Value string }
			if err := json.Unmarshal([]byte(js), &tag); err != nil || tag.Entity == "" {
				return e, errors.New(`the braces after a span are not {"entity": "param"}; write [value](param)`)
			}
			span.Param, span.Value = tag.Entity, tag.Value
		}
		text.WriteString(group(1))
		span.End = utf8.RuneCountInString(text.String())
		if span.Value == "" {
			span.Value = group(1)
		}
		e.Spans = append(e.Spans, span)
	}
	text.WriteString(source[end:])
	e.Text = text.String()
	if i := strings.Index(e.Text, "]("); i >= 0 {
		return e, fmt.Errorf("a span is marked badly near %q; write [value](param)", around(e.Text, i))
	}
	return e, nil
}

func around(s string, i int) string {
	from, to := max(0, i-10), min(len(s), i+12)
	return strings.ToValidUTF8(s[from:to], "")
}
