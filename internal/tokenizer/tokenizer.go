// Package tokenizer counts the tokens of a text exactly, in the encodings of OpenAI's models.
//
// It counts what github.com/tiktoken-go/tokenizer counts, which its tests compare it with. That library
// keeps four vocabularies as Go maps: twelve megabytes of every program that links it. Here are the two
// that the settings name, packed, in one and a half.
package tokenizer

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Encoding counts tokens; it is safe for concurrent use.
type Encoding struct {
	ranks map[string]uint32 // the tokens, by the order in which pairs of them are merged
	split func(text string) int
}

// splits tell how long the first piece of a text is, by encoding.
var splits = map[string]func(text string) int{"cl100k_base": cl100k, "o200k_base": o200k}

// Get returns the encoding of that name. It unpacks the vocabulary, which takes some 50 ms.
func Get(name string) (*Encoding, error) {
	split, known := splits[name]
	if !known {
		return nil, fmt.Errorf("there is no encoding %q", name)
	}
	ranks, err := vocabulary(name)
	if err != nil {
		return nil, err
	}
	return &Encoding{ranks, split}, nil
}

// Count returns how many tokens a text has. Its time grows with the square of the longest piece.
func (e *Encoding) Count(text string) int {
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // invalid bytes count as what takes their place
	}
	tokens := 0
	var parts []part
	for text != "" {
		n := e.split(text)
		if _, whole := e.ranks[text[:n]]; whole {
			tokens++
		} else {
			parts = e.merge(text[:n], parts[:0])
			tokens += len(parts) - 1
		}
		text = text[n:]
	}
	return tokens
}

// part is a token of a piece while its pairs are merged: where it begins, and the rank of the token that
// it and the next one would be.
type part struct {
	at   int
	rank uint32
}

const never = math.MaxUint32

// merge splits a piece into its tokens, with a last part behind them: from single bytes on, the pair of
// the lowest rank becomes one token until none is left.
func (e *Encoding) merge(piece string, parts []part) []part {
	for i := range len(piece) + 1 {
		parts = append(parts, part{at: i, rank: never})
	}
	rank := func(i int) uint32 {
		if i+2 < len(parts) {
			if r, ok := e.ranks[piece[parts[i].at:parts[i+2].at]]; ok {
				return r
			}
		}
		return never
	}
	for i := range parts {
		parts[i].rank = rank(i)
	}
	for {
		first := 0
		for i := range parts {
			if parts[i].rank < parts[first].rank {
				first = i
			}
		}
		if parts[first].rank == never {
			return parts
		}
		parts = slices.Delete(parts, first+1, first+2)
		parts[first].rank = rank(first)
		if first > 0 {
			parts[first-1].rank = rank(first - 1)
		}
	}
}
