package choices

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// IsFigure reports whether token i is a number, not an ordinal.
func IsFigure(s *scan.Message, i int) bool {
	if _, ok := numbers.Units[s.Low(i)]; ok {
		return true
	}
	v, n := numbers.Ordinal(s, i)
	return n == 0 && v == 0 && s.Digits(i, 1, 9) != ""
}

// byTail finds the option whose label or value ends in figures that the message names: "the
// one ending in 75". Figures that two options end in name neither.
func byTail(s *scan.Message, options []classifier.Option) []Choice {
	var out []Choice
	for i := range s.Tokens {
		tail, n := tailAt(s, i)
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
			out = append(out, Choice{hit, i, i + n, 0.85})
		}
	}
	return out
}

// tailAt reads at least two figures at token i, typed or said one by one.
func tailAt(s *scan.Message, i int) (text string, n int) {
	if s.Glued(i) && !s.SymbolAt(i-1, "….*x#-") {
		return "", 0
	}
	if d := s.Digits(i, 2, 12); d != "" {
		if s.Glued(i+1) && !s.CloseAfter(i+1) {
			return "", 0
		}
		return d, 1
	}
	if before := codes.PiecesAt(s, i-1, nil, true); before.Figures() && before.To == i {
		return "", 0 // the middle of what is said
	}
	for n < 12 {
		p := codes.PiecesAt(s, i+n, nil, true)
		if p.To == 0 || p.Typed || !p.Figures() && !p.MaybeO {
			break
		}
		text += strings.ReplaceAll(p.Text, "O", "0")
		n = p.To - i
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
