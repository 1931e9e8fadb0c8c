package numbers

import (
	"math"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// fractionWord is a word of a fraction in words.
type fractionWord struct {
	value float64 // 0 for "and" and hyphens
	link  bool
	and   bool
	scale bool
}

// denominator reads the word that ends a fraction; plural tells fifths from a fifth. In some
// languages the ordinals are such words.
func denominator(s *message.Message, i int) (value float64, plural, ok bool) {
	w := s.Low(i)
	if t, n := s.TermAt(i, "fraction"); n > 0 {
		return t.Num, strings.HasSuffix(w, "s"), true
	}
	value, plural = ordinalBelow(s, i)
	return value, plural, value > 2
}

// ordinalBelow reads an ordinal, perhaps in the plural, that is the word of a fraction; 0 for none.
func ordinalBelow(s *message.Message, i int) (value float64, plural bool) {
	base, plural := strings.CutSuffix(s.Low(i), "s")
	for _, t := range s.Language.Words[base] {
		if t.Class == "ordinal_word" && len(t.Words) == 1 && ordinalFractions(s) {
			return t.Num, plural
		}
	}
	return 0, plural
}

// ordinalFractions reports whether the ordinals of the language are the words of its fractions.
func ordinalFractions(s *message.Message) bool {
	return len(s.Language.Classes["ordinal_fraction"]) > 0
}

// longestFraction is the most words of a fraction.
const longestFraction = 16

// fractionRun reads the number words up to a denominator. plural is that of the last.
func fractionRun(s *message.Message, i int, run []fractionWord) (words []fractionWord, n int, plural bool) {
	for n = 0; len(run) < longestFraction; n++ {
		number := numeralAt(s, i+n)
		if number.role == tenRole && s.SymbolAt(i+n+1, "-‐‑") { // twenty-fifths
			if v, many := ordinalBelow(s, i+n+2); v > 0 && v < 10 {
				return append(run, fractionWord{value: number.value + v}), n + 3, many
			}
			if u := numeralAt(s, i+n+2); u.role == unitRole && u.value < 10 {
				run = append(run, fractionWord{value: number.value + u.value})
				n += 2
				continue
			}
		}
		v, many, ok := denominator(s, i+n)
		switch {
		case ok && len(run) > 0:
			return append(run, fractionWord{value: v, scale: v >= 100}), n + 1, many
		case number.n > 0 && number.value > 0:
			run = append(run, fractionWord{value: number.value, scale: number.multiplies()})
			n += number.n - 1
		case s.IsTerm(i+n, "article"):
			run = append(run, fractionWord{value: 1})
		case s.IsTerm(i+n, "and_word") && len(run) > 0:
			run = append(run, fractionWord{link: true, and: true})
		case s.SymbolAt(i+n, "-‐‑") && len(run) > 0:
			run = append(run, fractionWord{link: true})
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// FractionWords reads a fraction or a mixed number in words: "two thirds", "a fifth",
// "three and a fifth", "one twenty-fifth", "one hundred thirty-fifths".
func FractionWords(s *message.Message, i int) (float64, int) {
	var room [longestFraction]fractionWord
	run, n, plural := fractionRun(s, i, room[:0])
	if n == 0 {
		return 0, 0
	}
	if !plural {
		one, split := singularSplit(run)
		if split < 0 {
			return 0, 0
		}
		return evaluate(run[:one]) + 1/evaluate(run[split:]), n
	}
	split := pluralSplit(run)
	below := evaluate(run[split:])
	mixed := -1
	for k := split - 1; k >= 0; k-- {
		if run[k].and {
			mixed = k
			break
		}
	}
	above := evaluate(run[mixed+1 : split])
	whole := 0.0
	if mixed > 0 {
		whole = evaluate(run[:mixed])
	}
	if below == 0 || above == 0 {
		return 0, 0
	}
	if above >= below { // "one hundred and thirty fifths" are 130 of them
		return (whole + above) / below, n
	}
	return whole + above/below, n
}

// singularSplit returns where the one and the denominator of "one fifth" or "one one
// hundred fifth" stand: behind an article or a one, and complete. split is -1 for none.
func singularSplit(run []fractionWord) (one, split int) {
	for k := range run[:len(run)-1] {
		rest := run[k+1:]
		if run[k].value != 1 {
			continue
		}
		if len(rest) == 2 && rest[0].link && !rest[0].and { // one - fourth
			return k, k + 2
		}
		if rest[0].link || len(rest) > 1 && rest[0].scale {
			continue
		}
		if k > 0 && !run[k-1].link && run[k-1].value < 20 {
			return 0, -1
		}
		return k, k + 1
	}
	return 0, -1
}

// pluralSplit returns where the denominator starts. It takes the words before the last as
// far as they compose with it: of "one hundred thirty fifths" 35, of "thirty two fifths"
// 5, of "one hundred and thirty fifths" 5 of 130. The rule is that of Microsoft's
// Recognizers-Text, whose readings people's data follow.
func pluralSplit(run []fractionWord) int {
	last := len(run) - 1
	split, current, round := last-1, run[last].value, 1.0
	for ; split >= 0; split-- {
		if run[split].link {
			continue
		}
		before := current
		current = run[split].value
		if !(before >= 100 && before > current || before < 100 && composable(current, before)) {
			return afterLinks(run, split+1)
		}
		if before < 100 {
			if current < round {
				return afterLinks(run, split+1)
			}
			round = current
		}
		if split == 0 {
			for split = 1; split <= last-1; split++ {
				if run[split].value >= 100 && !run[split+1].and && run[split+1].value < 100 {
					return afterLinks(run, split+1)
				}
			}
			return split
		}
	}
	return last
}

func afterLinks(run []fractionWord, i int) int {
	for i < len(run)-1 && run[i].link {
		i++
	}
	return i
}

// composable reports whether small may follow big in one number: thirty, five.
func composable(big, small float64) bool {
	base := 10.0
	if small > 10 {
		base = 100
	}
	n := big / base
	return n >= 1 && n == float64(int64(n))
}

func evaluate(run []fractionWord) float64 {
	var c composer
	for _, w := range run {
		switch {
		case w.link:
		case w.scale:
			c.times(w.value, 0, true)
		default:
			c.push(w.value, 1, 0)
		}
	}
	v, _ := c.sum()
	return v
}

// partOfScale reads half a dozen, half a million, quarter million, a quarter of a million.
func partOfScale(s *message.Message, i int) (float64, int) {
	_, n := s.TermAt(i, "article")
	part, k := s.TermAt(i+n, "fraction")
	if k == 0 || strings.HasSuffix(s.Low(i+n), "s") {
		return 0, 0
	}
	n += k
	if _, k := s.TermAt(i+n, "of_word"); k > 0 && s.IsTerm(i+n+k, "article") {
		n += k
	}
	_, k = s.TermAt(i+n, "article")
	w := numeralAt(s, i+n+k)
	if !w.multiplies() {
		return 0, 0
	}
	return w.value / part.Num, n + k + w.n
}

// fraction recognises a part: "half a dozen", "a half", "three quarters", "two thirds of
// a million", "zwei drittel".
func fraction(s *message.Message, i int) (float64, int) {
	if d := s.Digits(i, 1, 6); d != "" && !s.Glued(i+1) { // 5 thirds
		if v, plural, ok := denominator(s, i+1); ok && (!ordinalFractions(s) || plural != (s.Only != "" && d == "1")) {
			return float64(message.Atoi(d)) / v, 2
		}
	}
	if !ordinalFractions(s) {
		return plainFraction(s, i)
	}
	if v, n := partOfScale(s, i); n > 0 {
		return v, n
	}
	v, n := FractionWords(s, i)
	if n == 0 || !standsAsPart(s, i, n) {
		return 0, 0
	}
	if _, k := s.TermAt(i+n, "of_word"); k > 0 && s.IsTerm(i+n+k, "article") {
		if w := numeralAt(s, i+n+k+1); w.multiplies() {
			return v * w.value, n + k + 1 + w.n
		}
	}
	return v, n
}

// plainFraction reads a number or an article before the word of a fraction.
func plainFraction(s *message.Message, i int) (float64, int) {
	v, n := Count(s, i, 0, 0)
	if t, k := s.TermAt(i, "article"); n == 0 {
		v, n = t.Num, k
	}
	t, k := s.TermAt(i+n, "fraction")
	if n == 0 || k == 0 || v <= 0 || v != math.Trunc(v) {
		return 0, 0
	}
	return v / t.Num, n + k
}

// standsAsPart tells "a third of it" from "a third opinion", "a quarter" from "a quarter
// past two".
func standsAsPart(s *message.Message, i, n int) bool {
	if s.Only != "" || n > 2 || !s.IsTerm(i, "article") || s.IsTerm(i+1, "half_word") {
		return true
	}
	return s.Ends(i+n) && !s.IsTerm(i+n, "clock_link") || s.IsTerm(i+n, "of_word")
}

// PartAfter recognises the fraction of a mixed number: "and three quarters", "and a third", "y media".
func PartAfter(s *message.Message, i int) (float64, int) {
	if t, n := s.TermAt(i, "and_part"); n > 0 {
		return t.Num, n
	}
	if !s.IsTerm(i, "and_word") {
		return 0, 0
	}
	if v, n := fraction(s, i+1); n > 0 && v < 1 {
		return v, n + 1
	}
	if v, n := slashed(s, i+1); n > 0 && v < 1 && !s.Glued(i+1+n) { // 2 and 3/4
		return v, n + 1
	}
	return 0, 0
}

// IsFraction reports whether the tokens [from, to) are a part of one in words: "three quarters".
func IsFraction(s *message.Message, from, to int) bool {
	v, n := fraction(s, from)
	return from+n == to && v < 1
}

// Share is the quotient of two whole numbers: one over three, two out of five.
func Share(s *message.Message, above float64, i int) (v float64, n int) {
	below, n := Count(s, i, 0, 0)
	if d := s.Digits(i, 1, 9); d != "" && (!s.Glued(i+1) || s.CloseAfter(i+1)) {
		below, n = float64(message.Atoi(d)), 1
	}
	if n == 0 || below == 0 || s.IsTerm(i+n, "counted") {
		return 0, 0
	}
	return above / below, n
}
