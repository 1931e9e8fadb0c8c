package extract

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/slotway/slotway/classifier"
)

// choice is an offered option that a message names. Offsets are tokens.
type choice struct {
	option     int
	from, to   int
	confidence float64
}

var (
	choiceStops = words("the a an of for to and or with in on my one i it is that this please not no want would like order number take pick choose go")
	negations   = words("not no don't dont never without except")
)

// choices finds which of the offered options a message names: by label or value, by
// position ("the second", "2", "last one"), by a word that only one label has, or by the last
// figures of an id.
func (s *scan) choices(options []classifier.Option) []choice {
	found := s.byLabel(options)
	if len(found) == 0 {
		found = s.byPosition(len(options))
	}
	if len(found) == 0 {
		found = s.byWord(options)
	}
	if len(found) == 0 {
		found = s.byTail(options)
	}
	return s.withoutDenied(found, len(options))
}

func (s *scan) byLabel(options []classifier.Option) []choice {
	var out []choice
	for k, o := range options {
		best := choice{}
		for _, spelling := range []string{o.Label, fmt.Sprint(o.Value)} {
			if from, to := s.find(spelling); to-from > best.to-best.from {
				best = choice{k, from, to, 0.95}
			}
		}
		if best.to > 0 {
			out = append(out, best)
		}
	}
	// "large" lies inside "extra large": the longer label is meant
	return slices.DeleteFunc(out, func(c choice) bool {
		return slices.ContainsFunc(out, func(d choice) bool {
			return d.option != c.option && d.from <= c.from && c.to <= d.to && d.to-d.from > c.to-c.from
		})
	})
}

// find returns where the tokens of spelling stand in the message.
func (s *scan) find(spelling string) (from, to int) {
	want := tokenize(spelling, nil)
	if len(want) == 0 {
		return 0, 0
	}
	for i := 0; i+len(want) <= len(s.tokens); i++ {
		k := 0
		for k < len(want) && s.tokens[i+k].low == want[k].low {
			k++
		}
		if k == len(want) {
			return i, i + k
		}
	}
	return 0, 0
}

// byPosition reads first, 2nd, number 2, #2, 2, last, former, latter.
func (s *scan) byPosition(count int) []choice {
	var out []choice
	for i := 0; i < len(s.tokens); i++ {
		at, n := s.position(i, count)
		if n > 0 && at >= 1 && at <= count {
			out = append(out, choice{at - 1, i, i + n, 0.9})
			i += n - 1
		}
	}
	return out
}

func (s *scan) position(i, count int) (at, n int) {
	switch s.tokens[i].low {
	case "last", "latter", "bottom":
		return count, 1
	case "former", "top":
		return 1, 1
	}
	if v, n := s.ordinal(i); n > 0 && !s.is(i+n, ordinalAfter) {
		return int(v), n
	}
	asNumber := len(s.tokens) <= 4 || s.is(i-1, positionCues) || s.symbolAt(i-1, "#")
	if d := s.digits(i, 1, 2); d != "" && asNumber && (!s.glued(i) || s.symbolAt(i-1, "#")) && (!s.glued(i+1) || s.symbolAt(i+1, ".),!?")) {
		return atoi(d), 1
	}
	if v, ok := units[s.low(i)]; ok && (asNumber && !(v == 1 && i > 0 && !s.is(i-1, positionCues))) {
		return int(v), 1
	}
	return 0, 0
}

var positionCues = words("number option choice no nr item")

// byWord looks for a word that stands in the label of one option alone.
func (s *scan) byWord(options []classifier.Option) []choice {
	owner := map[string]int{}
	for k, o := range options {
		for _, t := range tokenize(o.Label+" "+fmt.Sprint(o.Value), nil) {
			if t.class == symbol || choiceStops[t.low] || isUnit(t.low) {
				continue
			}
			if before, ok := owner[t.low]; ok && before != k {
				owner[t.low] = -1
			} else {
				owner[t.low] = k
			}
		}
	}
	var out []choice
	for i, t := range s.tokens {
		k, ok := owner[t.low]
		if !ok || k < 0 || slices.ContainsFunc(out, func(c choice) bool { return c.option == k }) {
			continue
		}
		out = append(out, choice{k, i, i + 1, 0.8})
	}
	return append(out, s.byRun(options)...)
}

// byRun looks for a run of a script without spaces that stands in the label of one option alone.
func (s *scan) byRun(options []classifier.Option) []choice {
	owner := map[string]int{}
	for k, o := range options {
		for _, run := range runsOf(o.Label + " " + fmt.Sprint(o.Value)) {
			if before, ok := owner[run]; ok && before != k {
				owner[run] = -1
				continue
			}
			owner[run] = k
		}
	}
	var out []choice
	for run, k := range owner {
		if from, to := s.find(run); to > 0 && k >= 0 {
			out = append(out, choice{k, from, to, 0.8})
		}
	}
	slices.SortFunc(out, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.option, b.option), cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(a.from, b.from))
	})
	return slices.CompactFunc(out, func(a, b choice) bool { return a.option == b.option })
}

// withoutDenied drops the options behind a "not". When that leaves one of two, it is
// the one that is meant.
func (s *scan) withoutDenied(found []choice, count int) []choice {
	var kept, denied []choice
	for _, c := range found {
		if s.denied(c.from) {
			denied = append(denied, c)
		} else {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 && len(denied) == 1 && count == 2 {
		c := denied[0]
		return []choice{{1 - c.option, c.from, c.to, 0.8}}
	}
	return kept
}

// denied reports whether a negation stands before token i, with an article at most.
func (s *scan) denied(i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if s.is(k, negations) {
			return true
		}
		if !s.is(k, choiceStops) {
			return false
		}
	}
	return false
}
