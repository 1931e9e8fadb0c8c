package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/encoder"
)

// Span is where a value of a param stands in a message. It holds whole words.
type Span struct {
	Param      int // of the agent's params
	Start, End int // bytes of the message
	P          float32
}

// spans lists what the pieces say: the words of a param side by side, cut where one begins another. A word
// counts where any of its pieces does.
func (w *work) spans(params int, text string) (all []Span) {
	for param := range params {
		inside, begin := column{w.inside, param, params}, column{w.begin, param, params}
		from, open := 0, false
		for at, next := 0, 0; at < len(w.message); at = next {
			next = wordEnd(w.message, at)
			belongs := inside.says(at, next)
			if open && (!belongs || begin.says(at, next)) {
				all = w.span(all, text, inside, from, at)
				open = false
			}
			if belongs && !open {
				from, open = at, true
			}
		}
		if open {
			all = w.span(all, text, inside, from, len(w.message))
		}
	}
	return all
}

// span appends that of the pieces from one to another, without the signs around it; P is the mean of their
// probabilities.
func (w *work) span(all []Span, text string, inside column, from, to int) []Span {
	sign := func(i int, of string) bool { return strings.Contains(of, text[w.message[i].Start:w.message[i].End]) }
	for from < to && sign(from, ".,;:!?") {
		from++
	}
	for to > from && sign(to-1, ",;:") {
		to--
	}
	if from == to {
		return all
	}
	sum := float32(0)
	for i := from; i < to; i++ {
		sum += encoder.Logistic(inside.at(i))
	}
	end := whole(text, w.message[to-1].End)
	return append(all, Span{Param: inside.param, Start: w.message[from].Start, End: end, P: sum / float32(to-from)})
}

// column is the logits of one param, by piece.
type column struct {
	logits        []float32
	param, params int
}

func (c column) at(piece int) float32 { return c.logits[piece*c.params+c.param] }

// says reports whether any of some pieces is more likely than not.
func (c column) says(from, to int) bool {
	for i := from; i < to; i++ {
		if c.at(i) > 0 {
			return true
		}
	}
	return false
}

// wordEnd is the first piece behind the word at a piece.
func wordEnd(pieces []encoder.Piece, at int) int {
	next := at + 1
	for next < len(pieces) && pieces[next].Inside {
		next++
	}
	return next
}

// whole is the end of the run of letters and figures that a span ends in: an accent of its own belongs to
// no piece, and the last word may have been cut.
func whole(text string, end int) int {
	for end < len(text) {
		last, _ := utf8.DecodeLastRuneInString(text[:end])
		after, size := utf8.DecodeRuneInString(text[end:])
		if !joined(last) || !joined(after) {
			break
		}
		end += size
	}
	return end
}

// joined reports whether a character belongs to a run: Han stands alone, as it does in pieces.
func joined(r rune) bool {
	return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) || unicode.In(r, unicode.M, unicode.N)
}
