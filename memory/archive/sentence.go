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
		for _, s := range split(m.Text) {
			text := plaintext.Line(m.Text[s.from:s.to])
			if text != "" {
				out = append(out, sentence{text: text, folded: plaintext.Folded(text), terms: termsOf(text), message: i, role: m.Role, asks: strings.HasSuffix(strings.TrimRight(text, `"')`), "?")})
			}
		}
	}
	return out
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// split cuts a text after every sentence and at line ends. The spans cover the whole text: each
// includes the white space after it.
func split(text string) []span {
	var out []span
	from := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !ends(r) {
			continue
		}
		for i < len(text) { // closing marks, quotes and brackets belong to the sentence
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\n' || !ends(r) && !strings.ContainsRune(`"')]”’»`, r) {
				break
			}
			i += size
		}
		end := i
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsSpace(r) {
				break
			}
			i += size
		}
		if i > end || r == '\n' || r > unicode.MaxLatin1 || i == len(text) {
			out = append(out, span{from, i})
			from = i
		}
	}
	if from < len(text) {
		out = append(out, span{from, len(text)})
	}
	return out
}

// ends reports whether a sentence may end with a character.
func ends(r rune) bool {
	switch r {
	case '.', '!', '?', '\n', '…', '。', '！', '？':
		return true
	}
	return false
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
