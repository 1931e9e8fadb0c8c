package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
	"github.com/slotway/slotway/memory/recall"
)

// sentence is one sentence of a range.
type sentence struct {
	text    string
	folded  string // as plaintext.Folded returns it
	terms   map[string]int
	message int // index in the range
	role    memory.Role
	asks    bool
}

// sentencesOf splits what the user and the agent said. Messages of tools and of the system are left
// out.
func sentencesOf(messages []memory.Message) []sentence {
	var out []sentence
	for i := range messages {
		m := &messages[i]
		if !recall.Indexed(m) {
			continue
		}
		for s := range plaintext.Sentences(m.Text) {
			if text := plaintext.Line(s); text != "" {
				out = append(out, sentence{text: text, folded: plaintext.Folded(text), terms: termsOf(text), message: i, role: m.Role, asks: strings.HasSuffix(strings.TrimRight(text, `"')`), "?")})
			}
		}
	}
	return out
}

// shorten cuts a text to n code points, at a space if one is near.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	end := 0
	for i := range text {
		if n--; n < 0 {
			break
		}
		end = i
	}
	if blank := strings.LastIndexByte(text[:end], ' '); blank > end*2/3 {
		end = blank
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace) + "…"
}
