package archive

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/memory/internal/plaintext"
	"github.com/slotway/slotway/memory/window"
)

// Chunk cuts a text into chunks of at most size tokens, as package window estimates them. It cuts
// between paragraphs if that leaves a chunk at least half full, else between sentences, else
// between words, and within a word only if the word is longer than a chunk. A chunk begins with
// whole units from the end of the one before: at most overlap tokens and at most half a chunk.
// Every chunk is a part of the original text, without surrounding white space.
func Chunk(text string, size, overlap int) []string {
	var out []string
	for _, s := range pieces(text, size, overlap) {
		out = append(out, text[s.from:s.to])
	}
	return out
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// pieces returns where Chunk cuts.
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

// unit is a part of the text that is not cut further.
type unit struct {
	span
	tokens    int
	paragraph bool // the last unit of a paragraph
}

// fill returns the end of the chunk that begins at unit from. The chunk goes beyond unit told,
// where the previous one ended.
func fill(units []unit, from, told, size int) int {
	to, tokens := from, 0
	best := 0 // end of the last paragraph that leaves the chunk half full
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

// overlapping returns the first unit of the next chunk. The overlap always leaves room for one new
// unit.
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

// unitsOf cuts a text into sentences, and sentences that are longer than a chunk further.
func unitsOf(text string, size int) []unit {
	var out []unit
	end := 0
	for part := range plaintext.Sentences(text) {
		s := span{end, end + len(part)}
		end = s.to
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

// words cuts a span between words, and words that are longer than a chunk further.
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

// letters cuts a word that is longer than a chunk. A code point takes at most one token.
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
