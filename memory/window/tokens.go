package window

import (
	"unicode"

	"github.com/slotway/slotway/memory"
)

// perMessage is the cost of a message's frame (role, separators): 3 tokens, as in
// OpenAI's token counting guide (cookbook, "How to count tokens with tiktoken").
const perMessage = 3

// Tokens is the size of a message: as counted when it was written, or else estimated.
func Tokens(m *memory.Message) int {
	if m.Tokens > 0 {
		return m.Tokens
	}
	n := perMessage + Estimate(m.Text) + Estimate(m.Name)
	for _, call := range m.ToolCalls {
		n += Estimate(call.Tool) + Estimate(string(call.Args))
	}
	return n
}

// class is a kind of character that byte-pair encoders treat alike.
type class int

const (
	space class = iota
	latin
	digit
	ideograph
	letter
	mark
)

// run is the length, in characters, up to which a run of one class is one token.
// GPT-style vocabularies hold most common Latin words whole, numbers in groups of three
// digits, other alphabets in pairs, ideographs and punctuation one by one. A blank before
// a word belongs to the word. So O-12345 is O, -, 123, 45: four.
var run = map[class]int{space: 16, latin: 7, digit: 3, ideograph: 1, letter: 2, mark: 1}

// Estimate is about how many tokens a text takes in a model's context.
func Estimate(text string) int {
	tokens, length, last := 0, 0, class(-1)
	flush := func() {
		if length == 0 || (last == space && length == 1) {
			return
		}
		tokens += (length + run[last] - 1) / run[last]
	}
	for _, r := range text {
		c := classOf(r)
		if c != last {
			flush()
			last, length = c, 0
		}
		length++
	}
	flush()
	return tokens
}

func classOf(r rune) class {
	switch {
	case r == ' ' || r == '\n' || r == '\t' || r == '\r':
		return space
	case r >= '0' && r <= '9':
		return digit
	case r < 0x250 && unicode.IsLetter(r):
		return latin
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return ideograph
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter
	}
	return mark
}
