package build

import (
	"fmt"
	"iter"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"

	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
)

// TokenCounter counts tokens as memory.token_counter says: by an estimate, which costs
// nothing, or exactly as a model's own encoding does.
func TokenCounter(name string) (prompt.Counter, error) {
	if name == "" || name == "estimate" {
		return window.Estimate, nil
	}
	codec, err := tokenizer.Get(tokenizer.Encoding(name))
	if err != nil {
		return nil, fmt.Errorf("memory.token_counter is %q: %w", name, err)
	}
	return func(text string) int {
		tokens := 0
		for part := range countable(text) {
			n, err := codec.Count(part)
			if err != nil {
				n = window.Estimate(part)
			}
			tokens += n
		}
		return tokens
	}, nil
}

// mostCounted is how much is counted at once, in bytes. The encoder takes a time that grows
// with the square of a run without a boundary of words, such as spaces and line ends in turn,
// and whoever sends one would hold a processor for minutes.
const maxCounted = 1 << 10

// countable cuts a text into parts of at most mostCounted bytes: before a single space behind
// a word, where every encoding ends a token, or where there is none, between two code points,
// which makes a token more.
func countable(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > maxCounted {
			at := cutBefore(text[:maxCounted+1])
			if !yield(text[:at]) {
				return
			}
			text = text[at:]
		}
		yield(text)
	}
}

// cutBefore is the last place in a text, which is longer than may be counted, to end a part at.
func cutBefore(text string) int {
	for at := len(text) - 2; at > maxCounted/2; at-- {
		if text[at] == ' ' && text[at-1] > ' ' && text[at+1] > ' ' {
			return at
		}
	}
	for at := len(text) - 1; at >= len(text)-utf8.UTFMax; at-- {
		if utf8.RuneStart(text[at]) {
			return at
		}
	}
	return maxCounted // within what is no UTF-8
}
