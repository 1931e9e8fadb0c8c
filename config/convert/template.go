package convert

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/config"
)

// Part is a piece of a sentence. One with a param is a value of it.
type Part struct{ Text, Param, Value string }

// Sentence returns the example of a sentence in pieces. White space becomes single spaces, and none of it
// is marked.
func Sentence(parts []Part) (e config.Example) {
	var b strings.Builder
	length, space := 0, false // runes so far, and whether a space comes before the next
	for _, part := range parts {
		start := -1
		for _, r := range part.Text {
			if unicode.IsSpace(r) || unicode.IsControl(r) {
				space = length > 0
				continue
			}
			if space {
				b.WriteByte(' ')
				length, space = length+1, false
			}
			if start < 0 {
				start = length
			}
			b.WriteRune(r)
			length++
		}
		if part.Param != "" && start >= 0 {
			e.Spans = append(e.Spans, config.Span{Param: part.Param, Start: start, End: length, Value: part.Value})
		}
	}
	e.Text = b.String()
	return e
}
