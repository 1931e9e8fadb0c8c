package archive

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/memory/window"
)

// Chunk cuts a text into pieces of at most size tokens, by the estimate of package window:
// between paragraphs if that leaves a piece at least half full, else between sentences,
// else between words, and within a word only if it is longer than a piece. A piece begins
// with whole units of the one before, of at most overlap tokens and at most half a piece.
// Every piece is a part of the text as it stands, without the white space around it.
func Chunk(text string, size, overlap int) []string {
	var out []string
	for _, s := range pieces(text, size, overlap) {
		out = append(out, text[s.from:s.to])
	}
	return out
}

// pieces are where Chunk cuts.
func pieces(text string, size, overlap int) []span {
	size = max(size, 1)
	overlap = min(max(overlap, 0), size/2)
	units := unitsOf(text, size)
	var out []span
	for from, told := 0, 0; from < len(units); {
		to := fill(units, from, told, size)
		begin, end := units[from].from, units[to-1].to
		end = begin + len(strings.TrimRightFunc(text[begin:end], unicode.IsSpace))
		begin = end - len(strings.TrimLeftFunc(text[begin:end], unicode.IsSpace))
		if begin < end {
			out = append(out, span{begin, end})
		}
		if to == len(units) {
			break
		}
		from, told = overlapping(units, from, to, overlap, size), to
	}
	return out
}

// unit is what is not cut any further.
type unit struct {
	span
	tokens    int
	paragraph bool // ends one
}

// fill returns the end of the piece that begins at a unit. The piece goes beyond what was
// told before.
func fill(units []unit, from, told, size int) int {
	to, tokens := from, 0
	best := 0 // end of the last paragraph that leaves the piece half full
	for to < len(units) && (to == from || tokens+units[to].tokens <= size) {
		tokens += units[to].tokens
		to++
		if units[to-1].paragraph && 2*tokens >= size && to > told {
			best = to
		}
	}
	if to < len(units) && best > 0 {
		return best
	}
	return to
}

// overlapping returns where the piece after one begins. It always goes on: what it has in
// common with the piece before leaves room for the next unit.
func overlapping(units []unit, from, to, overlap, size int) int {
	begin, tokens := to, 0
	for begin-1 > from {
		tokens += units[begin-1].tokens
		if tokens > overlap || tokens+units[to].tokens > size {
			break
		}
		begin--
	}
	return begin
}

// unitsOf cuts a text into sentences, and those that are longer than a piece further.
func unitsOf(text string, size int) []unit {
	var out []unit
	for _, s := range split(text) {
		tokens := window.Estimate(text[s.from:s.to])
		if tokens > size {
			out = append(out, words(text, s, size)...)
		} else {
			out = append(out, unit{span: s, tokens: tokens})
		}
		said := strings.TrimRightFunc(text[s.from:s.to], unicode.IsSpace)
		if strings.Count(text[s.from+len(said):s.to], "\n") > 1 && len(out) > 0 {
			out[len(out)-1].paragraph = true
		}
	}
	return out
}

// words cuts a span between words, and a word that is longer than a piece within.
func words(text string, s span, size int) []unit {
	var out []unit
	from, space := s.from, false
	for i, r := range text[s.from:s.to] {
		at := s.from + i
		if space && !unicode.IsSpace(r) {
			out = append(out, letters(text, span{from, at}, size)...)
			from = at
		}
		space = unicode.IsSpace(r)
	}
	return append(out, letters(text, span{from, s.to}, size)...)
}

// letters cuts a word that is longer than a piece. A code point takes one token at most.
func letters(text string, s span, size int) []unit {
	if n := window.Estimate(text[s.from:s.to]); n <= size {
		return []unit{{span: s, tokens: n}}
	}
	var out []unit
	from, n := s.from, 0
	for i := range text[s.from:s.to] {
		if n == size {
			out = append(out, unit{span: span{from, s.from + i}, tokens: n})
			from, n = s.from+i, 0
		}
		n++
	}
	return append(out, unit{span: span{from, s.to}, tokens: n})
}
