package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/plaintext"
	"github.com/slotway/slotway/memory/recall"
)

// sentence is one that was said in a range.
type sentence struct {
	text    string
	message int // index in the range
	role    memory.Role
	asks    bool
}

// sentencesOf takes apart what the two sides said. The words of tools and of the system
// are nobody's.
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
				out = append(out, sentence{text: text, message: i, role: m.Role, asks: strings.HasSuffix(strings.TrimRight(text, `"')`), "?")})
			}
		}
	}
	return out
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// split cuts a text after every sentence and at line ends. The spans follow one another
// and cover the text: each takes the white space behind it along.
func split(text string) []span {
	var out []span
	from := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !ends(r) {
			continue
		}
		for i < len(text) { // what closes with the sentence: more marks, quotes, brackets
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

// ends reports a character that a sentence may end with.
func ends(r rune) bool {
	switch r {
	case '.', '!', '?', '\n', '…', '。', '！', '？':
		return true
	}
	return false
}

// shorten cuts a text to n code points, at a blank if there is one near.
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
