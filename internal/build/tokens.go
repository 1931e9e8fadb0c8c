package build

import (
	"fmt"
	"iter"
	"unicode/utf8"

	"github.com/slotway/slotway/internal/tokenizer"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
)

// TokenCounter returns the counter that memory.token_counter names: an estimate, which costs
// nothing, or the exact encoding of a model.
func TokenCounter(name string) (prompt.Counter, error) {
	if name == "" || name == "estimate" {
		return window.Estimate, nil
	}
	encoding, err := tokenizer.Get(name)
	if err != nil {
		return nil, fmt.Errorf("memory.token_counter is %q: %w", name, err)
	}
	return func(text string) int {
		tokens := 0
		for part := range countable(text) {
			tokens += encoding.Count(part)
		}
		return tokens
	}, nil
}

// maxCounted limits the bytes that are counted at once. The encoder's time grows with the square of
// a run without word boundaries, such as alternating spaces and line breaks, so one message could
// occupy a processor for minutes.
const maxCounted = 1 << 10

// countable splits a text into parts of at most maxCounted bytes: before a single space after a
// word, where every encoding ends a token, or if there is none, between two code points, which may
// add a token.
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

// cutBefore returns the last place where a text that is too long may be split.
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
	return maxCounted // inside invalid UTF-8
}
