package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/config/source"
)

// ErrText reports a text that cannot stand in an example.
var ErrText = errors.New("the text holds brackets that an example would read as a marked value")

// Marked writes an example as a file has it: [O-12345](order_id).
func Marked(e config.Example) (string, error) {
	if strings.Contains(e.Text, "](") || strings.ContainsAny(e.Text, "\n\r\t") {
		return "", ErrText
	}
	spans := slices.Clone(e.Spans)
	slices.SortFunc(spans, func(a, b config.Span) int { return a.Start - b.Start })
	runes := []rune(e.Text)
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(runes) {
			return "", fmt.Errorf("the mark of %s lies outside the text", s.Param)
		}
		value := string(runes[s.Start:s.End])
		if strings.ContainsAny(value, "[]") {
			return "", ErrText
		}
		b.WriteString(string(runes[at:s.Start]) + "[" + value + "](" + s.Param)
		if s.Value != "" && s.Value != value {
			if strings.ContainsAny(s.Value, "()") {
				return "", ErrText
			}
			b.WriteString(":" + s.Value)
		}
		b.WriteString(")")
		at = s.End
	}
	b.WriteString(string(runes[at:]))
	return b.String(), nil
}

// plain matches texts that need no quotes wherever they stand, in [ ] too.
var plain = pattern.Must(`^[\pL_$][\pL\pN_$/ '’.!-]*[\pL\pN_.!]$`)

// taken matches words that some readers of YAML take for something else than text.
var taken = pattern.Must(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)

// Scalar writes a text as YAML: without quotes where it stays the same text.
func Scalar(text string) string {
	if plain.MatchString(text) && !taken.MatchString(text) {
		n, problems := source.Parse("", []byte("- "+text))
		if items := n.Items(); len(problems) == 0 && len(items) == 1 && items[0].Kind() == source.KindText && items[0].Text() == text {
			return text
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // a JSON string is one of YAML, too
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
