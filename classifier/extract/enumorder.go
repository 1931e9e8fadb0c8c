package extract

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/classifier"
)

// mostOrdered is how many values an enumeration has at most whose order people keep in mind.
const mostOrdered = 9

// byOrder reads an answer that names a value of an enumeration by its place: "the second
// one", "number 2", "first", "the last". A figure alone names none.
func (s *scan) byOrder(r *recogniser, param string, c *collector) {
	count := len(r.Values)
	from, to := s.core(openingBook, closing, "")
	if count > mostOrdered || from >= to || to-from > 8 || s.denied(from) {
		return
	}
	var picked []choice
	for i := from; i < to; {
		start := i
		for s.is(i, orderLeads) || s.symbolAt(i, "#") {
			i++
		}
		if i >= to {
			return
		}
		at, n := s.position(i, count)
		if n == 0 || at < 1 || at > count || i+n > to || s.isFigure(i) && !s.is(i-1, positionCues) && !s.symbolAt(i-1, "#") {
			return
		}
		picked = append(picked, choice{at - 1, start, i + n, 0})
		i += n
		for i < to && s.is(i, orderNouns) || i+1 < to && s.low(i) == "the" && s.low(i+1) == "list" {
			i++
		}
		for i < to && (s.low(i) == "and" || s.symbolAt(i, ",&")) {
			i++
		}
	}
	for _, p := range picked {
		c.tokens(s, param, r.Values[p.option].Value, p.from, p.to, "enum", orderedValue)
	}
}

// orderedValue is how sure a value is that was named by its place among the values.
const orderedValue = 0.7

var (
	orderLeads = words("the a number option choice no nr item take pick choose my")
	orderNouns = words("one ones option choice item of them please that which you u just said say named mentioned listed gave offered on in from list there above")
)

// isFigure reports whether token i is a number, not an ordinal.
func (s *scan) isFigure(i int) bool {
	if _, ok := units[s.low(i)]; ok {
		return true
	}
	v, n := s.ordinal(i)
	return n == 0 && v == 0 && s.digits(i, 1, 9) != ""
}

// byTail finds the option whose label or value ends in figures that the message names: "the
// one ending in 75". Figures that two options end in name neither.
func (s *scan) byTail(options []classifier.Option) []choice {
	var out []choice
	for i := range s.tokens {
		tail, n := s.tailAt(i)
		if n == 0 {
			continue
		}
		hit := -1
		for k, o := range options {
			if !endsIn(o.Label, tail) && !endsIn(fmt.Sprint(o.Value), tail) {
				continue
			}
			if hit >= 0 {
				return nil
			}
			hit = k
		}
		if hit >= 0 {
			out = append(out, choice{hit, i, i + n, 0.85})
		}
	}
	return out
}

// tailAt reads at least two figures at token i, typed or said one by one.
func (s *scan) tailAt(i int) (text string, n int) {
	if s.glued(i) && !s.symbolAt(i-1, "….*x#-") {
		return "", 0
	}
	if d := s.digits(i, 2, 12); d != "" {
		if s.glued(i+1) && !s.closeAfter(i+1) {
			return "", 0
		}
		return d, 1
	}
	if before := s.piecesAt(i-1, nil, true); before.figures() && before.to == i {
		return "", 0 // the middle of what is said
	}
	for n < 12 {
		p := s.piecesAt(i+n, nil, true)
		if p.to == 0 || p.typed || !p.figures() && !p.maybeO {
			break
		}
		text += strings.ReplaceAll(p.text, "O", "0")
		n = p.to - i
	}
	if len(text) < 2 {
		return "", 0
	}
	return text, n
}

// endsIn reports whether the figures at the end of a text's first word with figures end so.
func endsIn(text, tail string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimRight(word, ".,;:!?)")
		if word != "" && word[len(word)-1] >= '0' && word[len(word)-1] <= '9' {
			return strings.HasSuffix(word, tail) && len(word) > len(tail)
		}
	}
	return false
}

// stretched reports whether a word repeats a letter three times or more, as in "nooo".
func stretched(word string) bool {
	for i := 2; i < len(word); i++ {
		if word[i] == word[i-1] && word[i] == word[i-2] {
			return true
		}
	}
	return false
}

// sameLetters reports whether two words differ only in how often letters are repeated in a
// row: "laaarge", "peperroni" for pepperoni.
func sameLetters(a, b string) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] != b[j] {
			return false
		}
		for c := a[i]; i < len(a) && a[i] == c; {
			i++
		}
		for c := b[j]; j < len(b) && b[j] == c; {
			j++
		}
	}
	return i == len(a) && j == len(b)
}
