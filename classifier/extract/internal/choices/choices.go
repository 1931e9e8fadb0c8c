// Package choices finds which of the offered options a message names.
package choices

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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

// Read finds which of the offered options a message names: as the whole of it, by label or value, by
// position ("the second", "2", "last one"), by a word that only one label has, or by the last
// figures of an id.
func Read(s *message.Message, options []classifier.Option) []Choice {
	if k := pressed(s.Text, options); k >= 0 && len(s.Tokens) > 0 {
		return []Choice{{k, 0, len(s.Tokens), 0.99}}
	}
	found := byLabel(s, options)
	if len(found) == 0 {
		found = byPosition(s, options)
	}
	if len(found) == 0 {
		found = byWord(s, options)
	}
	if len(found) == 0 {
		found = byTail(s, options)
	}
	return withoutDenied(s, found, len(options))
}

// pressed is the only option whose value or label is a text, to the letter; -1 for none. Two rows may
// have one label.
func pressed(text string, options []classifier.Option) int {
	text = strings.TrimSpace(text)
	for _, spelling := range []func(o classifier.Option) string{
		func(o classifier.Option) string { return fmt.Sprint(o.Value) },
		func(o classifier.Option) string { return o.Label },
	} {
		hit, hits := -1, 0
		for k, o := range options {
			if spelling(o) == text {
				hit, hits = k, hits+1
			}
		}
		if hits == 1 {
			return hit
		}
	}
	return -1
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

// byPosition reads first, 2nd, number 2, #2, 2, last, former, latter. A figure that a label shows is a
// value of it, and no place.
func byPosition(s *message.Message, options []classifier.Option) []Choice {
	return Places(s, len(options), func(number int) bool {
		figure := strconv.Itoa(number)
		return !slices.ContainsFunc(options, func(o classifier.Option) bool {
			return slices.ContainsFunc(message.Tokenize(o.Label+" "+fmt.Sprint(o.Value), nil), func(t message.Token) bool { return t.Low == figure })
		})
	})
}

// Places reads a reply that is little more than places in a list of so many; nil for any other: "one
// moment" and "I have 2 kids" choose nothing. bare reports whether a figure alone may be a place.
func Places(s *message.Message, count int, bare func(number int) bool) []Choice {
	from, to := talk.Core(s, "opening", "")
	var picked []Choice
	alone, joined := true, true // nothing but places and joints was read; nothing, or a joint, stands before
	for i := from; i < to; {
		at, n := position(s, i, count, alone && joined, bare)
		switch {
		case n > 0 && (at < 1 || at > count || i+n > to):
			return nil
		case n > 0:
			picked = append(picked, Choice{at - 1, i, i + n, 0.9})
			joined = false // "the last one"
			i += n
			continue
		}
		_, cue := s.TermAt(i, "place_cue")
		_, filler := s.TermAt(i, "place_filler")
		_, no := s.TermAt(i, "negation")
		switch joins := s.SymbolAt(i, ",.&#+-") || s.IsTerm(i, "coordinator"); {
		case joins || cue > 0:
			joined = true
			i += max(cue, 1)
		case filler > 0 || no > 0:
			alone = false
			i += max(filler, no)
		default:
			return nil
		}
	}
	return picked
}

// position reads the place of one of count options at token i: "second", "2", "last".
func position(s *message.Message, i, count int, alone bool, bare func(number int) bool) (at, n int) {
	if t, n := s.TermAt(i, "place"); n > 0 {
		if t.Num < 0 {
			return count, n
		}
		return int(t.Num), n
	}
	if v, n := ordinal(s, i); n > 0 && !s.IsTerm(i+n, "ordinal_noun") && !s.IsTerm(i-1, "article") { // not "a second"
		return int(v), n
	}
	number, n := 0, 1
	if d := s.Digits(i, 1, 2); d != "" {
		number = message.Atoi(d)
	} else if v, k := numbers.Count(s, i, 0, 0); k > 0 {
		number, n = int(v), k
	}
	cued := s.EndsTerm(i, "place_cue") > 0 || s.SymbolAt(i-1, "#")
	if number == 0 || !cued && !(alone && bare(number)) {
		return 0, 0
	}
	return number, n
}

func ordinal(s *message.Message, i int) (float64, int) {
	if t, n := s.TermAt(i, "ordinal_word"); n > 0 {
		return t.Num, n
	}
	return numbers.Ordinal(s, i)
}

// byWord looks for a word that stands in the label of one option alone.
func byWord(s *message.Message, options []classifier.Option) []Choice {
	owner := map[string]int{}
	for k, o := range options {
		asks := false // a question word was there
		for _, t := range message.Tokenize(o.Label+" "+fmt.Sprint(o.Value), nil) {
			question := s.Language.Holds(t.Low, "question_word")
			if t.Class == message.Symbol || s.Language.Holds(t.Low, "place_filler", "negation") || message.IsUnit(t.Low) || asks && question {
				continue
			}
			asks = asks || question
			if before, ok := owner[t.Low]; ok && before != k {
				owner[t.Low] = -1
			} else {
				owner[t.Low] = k
			}
		}
	}
	var out []Choice
	for i, t := range s.Tokens {
		word := t.Low
		if v, n := numbers.Count(s, i, 0, 0); n == 1 { // "two seats" for "2 seats"
			word = strconv.Itoa(int(v))
		}
		k, ok := owner[word]
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

// withoutDenied drops the options behind a "not". When that leaves one of two, it is the one that is
// meant; behind "all" the others are.
func withoutDenied(s *message.Message, found []Choice, count int) []Choice {
	var kept, denied []Choice
	for _, c := range found {
		if Denied(s, c.From) {
			denied = append(denied, c)
		} else {
			kept = append(kept, c)
		}
	}
	whole := len(denied) == 1 && count == 2
	for i := range s.Tokens {
		whole = whole || s.IsTerm(i, "all")
	}
	if len(kept) > 0 || len(denied) == 0 || !whole {
		return kept
	}
	for k := range count {
		if !slices.ContainsFunc(denied, func(c Choice) bool { return c.Option == k }) {
			kept = append(kept, Choice{k, denied[0].From, denied[0].To, 0.8})
		}
	}
	return kept
}

// Denied reports whether a negation stands before token i, with an article at most.
func Denied(s *message.Message, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if s.EndsTerm(k+1, "negation") > 0 {
			return true
		}
		if !s.IsTerm(k, "place_filler") {
			return false
		}
	}
	return false
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
