package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config"
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
