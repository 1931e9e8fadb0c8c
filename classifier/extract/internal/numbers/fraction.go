package numbers

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/message"
)

// fractionWord is a word of a fraction in words.
type fractionWord struct {
	value float64 // 0 for "and" and hyphens
	link  bool
	and   bool
	scale bool
}

// nounFractions are denominators that are no ordinal.
var nounFractions = map[string]float64{"half": 2, "halves": 2, "quarter": 4, "quarters": 4}

// denominator reads the word that ends a fraction; plural tells fifths from a fifth.
func denominator(word string) (value float64, plural, ok bool) {
	if v, ok := nounFractions[word]; ok {
		return v, strings.HasSuffix(word, "s"), true
	}
	base, plural := strings.CutSuffix(word, "s")
	v, ok := OrdinalWords[base]
	return v, plural, ok && base != "first" && base != "second"
}

// longestFraction is the most words of a fraction.
const longestFraction = 16

// fractionRun reads the number words up to a denominator. plural is that of the last.
func fractionRun(s *message.Message, i int, run []fractionWord) (words []fractionWord, n int, plural bool) {
	for n = 0; len(run) < longestFraction; n++ {
		w := s.Low(i + n)
		number := WordValues[w]
		if number.Kind == TenWord && s.SymbolAt(i+n+1, "-‐‑") { // twenty-fifths
			base, many := strings.CutSuffix(s.Low(i+n+2), "s")
			if v := OrdinalWords[base]; v > 0 && v < 10 {
				return append(run, fractionWord{value: number.value + v}), n + 3, many
			}
			if u := Units[s.Low(i+n+2)]; u > 0 && u < 10 {
				run = append(run, fractionWord{value: number.value + u})
				n += 2
				continue
			}
		}
		v, many, ok := denominator(w)
		switch {
		case ok && len(run) > 0:
			return append(run, fractionWord{value: v, scale: v >= 100}), n + 1, many
		case number.Kind != NoNumber && number.value > 0:
			run = append(run, fractionWord{value: number.value, scale: number.Kind == ScaleWord})
		case w == "a" || w == "an":
			run = append(run, fractionWord{value: 1})
		case w == "and" && len(run) > 0:
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
			c.times(w.value, 0)
		default:
			c.push(w.value, 1, 0)
		}
	}
	v, _ := c.sum()
	return v
}

// partOfScale reads half a dozen, half a million, quarter million, a quarter of a million.
func partOfScale(s *message.Message, i int) (float64, int) {
	n := s.Skip(i, "a")
	v, ok := 1/nounFractions[s.Low(i+n)], nounFractions[s.Low(i+n)] > 0
	if !ok {
		return 0, 0
	}
	n++
	if s.Low(i+n) == "of" && s.Low(i+n+1) == "a" {
		n += 2
	} else if s.Low(i+n) == "a" {
		n++
	}
	if f, ok := scales[s.Low(i+n)]; ok && !strings.HasSuffix(s.Low(i+n), "s") {
		return v * f, n + 1
	}
	return 0, 0
}

// fraction recognises a part: "half a dozen", "a half", "three quarters", "two thirds of
// a million".
func fraction(s *message.Message, i int) (float64, int) {
	w := s.Low(i)
	if d := s.Digits(i, 1, 6); d != "" && !s.Glued(i+1) { // 5 thirds
		if v, plural, ok := denominator(s.Low(i + 1)); ok && plural != (s.Only != "" && d == "1") {
			return float64(message.Atoi(d)) / v, 2
		}
	}
	if w != "a" && w != "an" && w != "half" && w != "quarter" && WordValues[w].Kind == NoNumber {
		return 0, 0
	}
	if v, n := partOfScale(s, i); n > 0 {
		return v, n
	}
	v, n := FractionWords(s, i)
	if n == 0 || !standsAsPart(s, i, n) {
		return 0, 0
	}
	if s.Low(i+n) == "of" && s.Low(i+n+1) == "a" {
		if f, ok := scales[s.Low(i+n+2)]; ok {
			return v * f, n + 3
		}
	}
	return v, n
}

// standsAsPart tells "a third of it" from "a third opinion", "a quarter" from "a quarter
// past two".
func standsAsPart(s *message.Message, i, n int) bool {
	if s.Only != "" || n > 2 || s.Low(i) != "a" || s.Low(i+1) == "half" {
		return true
	}
	return s.Ends(i+n) && !s.Says(i+n, "to", "till") || s.Low(i+n) == "of"
}

// PartAfter recognises the fraction of a mixed number: "and three quarters", "and a third".
func PartAfter(s *message.Message, i int) (float64, int) {
	if s.Low(i) != "and" {
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

// over recognises "one over three" behind a whole number of n tokens.
func over(s *message.Message, i int, v float64, n int) (float64, int) {
	if s.Low(i+n) != "over" || v != float64(int64(v)) || i > 0 && currency.BySign[s.Low(i-1)] != nil {
		return v, n
	}
	below, m := Count(s, i+n+1, 0, 0)
	if d := s.Digits(i+n+1, 1, 9); d != "" && (!s.Glued(i+n+2) || s.CloseAfter(i+n+2)) {
		below, m = float64(message.Atoi(d)), 1
	}
	if m == 0 || below == 0 || s.Is(i+n+1+m, counted) {
		return v, n
	}
	return v / below, n + 1 + m
}

// shareOf are the words between the two numbers of a share: one in five, 2 out of 3.
var shareOf = []string{"in", "out of", "in every", "out of every"}

// outOf recognises a share behind a whole number of n tokens, where nothing but numbers is
// looked for: in a message "4 out of 5" is a mark of four as well, and "2 in 3" is said of
// rooms and of days. A share above the whole is none.
func outOf(s *message.Message, i int, v float64, n int) (float64, int) {
	if s.Only == "" || v != float64(int64(v)) || v <= 0 {
		return v, n
	}
	k := s.Phrase(i+n, shareOf)
	if k == 0 {
		return v, n
	}
	below, m := Count(s, i+n+k, 0, 0)
	if d := s.Digits(i+n+k, 1, 9); d != "" && (!s.Glued(i+n+k+1) || s.CloseAfter(i+n+k+1)) {
		below, m = float64(message.Atoi(d)), 1
	}
	if m == 0 || below <= v || s.Is(i+n+k+m, counted) {
		return v, n
	}
	return v / below, n + k + m
}

// counted are the nouns after which "10 over 3" is no fraction.
var counted = message.Words("second seconds minute minutes hour hours day days night nights week weeks month months year years people persons guests times dollars euros pounds")
