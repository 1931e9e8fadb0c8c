// Package choices finds which of the offered options a message names.
package choices

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/codes"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// Choice is an offered option that a message names. Offsets are tokens.
type Choice struct {
	Option     int
	From, To   int
	Confidence float64
}

// Read finds which of the offered options a message names: by label or value, by
// position ("the second", "2", "last one"), by a word that only one label has, or by the last
// figures of an id.
func Read(s *message.Message, options []classifier.Option) []Choice {
	found := byLabel(s, options)
	if len(found) == 0 {
		found = byPosition(s, len(options))
	}
	if len(found) == 0 {
		found = byWord(s, options)
	}
	if len(found) == 0 {
		found = byTail(s, options)
	}
	return withoutDenied(s, found, len(options))
}

func byLabel(s *message.Message, options []classifier.Option) []Choice {
	var out []Choice
	for k, o := range options {
		best := Choice{}
		for _, spelling := range []string{o.Label, fmt.Sprint(o.Value)} {
			if from, to := find(s, spelling); to-from > best.To-best.From {
				best = Choice{k, from, to, 0.95}
			}
		}
		if best.To > 0 {
			out = append(out, best)
		}
	}
	// "large" lies inside "extra large": the longer label is meant
	return slices.DeleteFunc(out, func(c Choice) bool {
		return slices.ContainsFunc(out, func(d Choice) bool {
			return d.Option != c.Option && d.From <= c.From && c.To <= d.To && d.To-d.From > c.To-c.From
		})
	})
}

// find returns where the tokens of spelling stand in the message.
func find(s *message.Message, spelling string) (from, to int) {
	want := message.Tokenize(spelling, nil)
	if len(want) == 0 {
		return 0, 0
	}
	for i := 0; i+len(want) <= len(s.Tokens); i++ {
		k := 0
		for k < len(want) && s.Tokens[i+k].Low == want[k].Low {
			k++
		}
		if k == len(want) {
			return i, i + k
		}
	}
	return 0, 0
}

// byPosition reads first, 2nd, number 2, #2, 2, last, former, latter.
func byPosition(s *message.Message, count int) []Choice {
	var out []Choice
	for i := 0; i < len(s.Tokens); i++ {
		at, n := Position(s, i, count)
		if n > 0 && at >= 1 && at <= count {
			out = append(out, Choice{at - 1, i, i + n, 0.9})
			i += n - 1
		}
	}
	return out
}

// Position reads the place of one of count options at token i: "second", "2", "last".
func Position(s *message.Message, i, count int) (at, n int) {
	switch s.Tokens[i].Low {
	case "last", "latter", "bottom":
		return count, 1
	case "former", "top":
		return 1, 1
	}
	if v, n := numbers.Ordinal(s, i); n > 0 && !s.Is(i+n, numbers.OrdinalAfter) {
		return int(v), n
	}
	asNumber := len(s.Tokens) <= 4 || s.Is(i-1, PositionCues) || s.SymbolAt(i-1, "#")
	if d := s.Digits(i, 1, 2); d != "" && asNumber && (!s.Glued(i) || s.SymbolAt(i-1, "#")) && (!s.Glued(i+1) || s.SymbolAt(i+1, ".),!?")) {
		return message.Atoi(d), 1
	}
	if v, ok := numbers.Units[s.Low(i)]; ok && (asNumber && !(v == 1 && i > 0 && !s.Is(i-1, PositionCues))) {
		return int(v), 1
	}
	return 0, 0
}

// PositionCues stand before a number that is a place.
var PositionCues = message.Words("number option choice no nr item")

// byWord looks for a word that stands in the label of one option alone.
func byWord(s *message.Message, options []classifier.Option) []Choice {
	owner := map[string]int{}
	for k, o := range options {
		asks := false // a question word was there
		for _, t := range message.Tokenize(o.Label+" "+fmt.Sprint(o.Value), nil) {
			if t.Class == message.Symbol || talk.ChoiceStops[t.Low] || message.IsUnit(t.Low) || asks && talk.QuestionWords[t.Low] {
				continue
			}
			asks = asks || talk.QuestionWords[t.Low]
			if before, ok := owner[t.Low]; ok && before != k {
				owner[t.Low] = -1
			} else {
				owner[t.Low] = k
			}
		}
	}
	var out []Choice
	for i, t := range s.Tokens {
		k, ok := owner[t.Low]
		if !ok || k < 0 || slices.ContainsFunc(out, func(c Choice) bool { return c.Option == k }) {
			continue
		}
		out = append(out, Choice{k, i, i + 1, 0.8})
	}
	return append(out, byRun(s, options)...)
}

// byRun looks for a run of a script without spaces that stands in the label of one option alone.
func byRun(s *message.Message, options []classifier.Option) []Choice {
	owner := map[string]int{}
	for k, o := range options {
		for _, run := range message.RunsOf(o.Label + " " + fmt.Sprint(o.Value)) {
			if before, ok := owner[run]; ok && before != k {
				owner[run] = -1
				continue
			}
			owner[run] = k
		}
	}
	var out []Choice
	for run, k := range owner {
		if from, to := find(s, run); to > 0 && k >= 0 {
			out = append(out, Choice{k, from, to, 0.8})
		}
	}
	slices.SortFunc(out, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.Option, b.Option), cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(a.From, b.From))
	})
	return slices.CompactFunc(out, func(a, b Choice) bool { return a.Option == b.Option })
}

// withoutDenied drops the options behind a "not". When that leaves one of two, it is
// the one that is meant.
func withoutDenied(s *message.Message, found []Choice, count int) []Choice {
	var kept, denied []Choice
	for _, c := range found {
		if Denied(s, c.From) {
			denied = append(denied, c)
		} else {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 && len(denied) == 1 && count == 2 {
		c := denied[0]
		return []Choice{{1 - c.Option, c.From, c.To, 0.8}}
	}
	return kept
}

// Denied reports whether a negation stands before token i, with an article at most.
func Denied(s *message.Message, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if s.Is(k, talk.Negations) {
			return true
		}
		if !s.Is(k, talk.ChoiceStops) {
			return false
		}
	}
	return false
}

// IsFigure reports whether token i is a number, not an ordinal.
func IsFigure(s *message.Message, i int) bool {
	if _, ok := numbers.Units[s.Low(i)]; ok {
		return true
	}
	v, n := numbers.Ordinal(s, i)
	return n == 0 && v == 0 && s.Digits(i, 1, 9) != ""
}

// byTail finds the option whose label or value ends in figures that the message names: "the
// one ending in 75". Figures that two options end in name neither.
func byTail(s *message.Message, options []classifier.Option) []Choice {
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
func tailAt(s *message.Message, i int) (text string, n int) {
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
