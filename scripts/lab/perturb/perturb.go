// Package perturb says known cases of the recognisers in other words of the same class: another
// month, another weekday, another preposition. Cases that recognisers were written for tell little
// about the next ones; their perturbations tell whether a rule covers its construction or only the
// wording that it was written for.
package perturb

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config/pattern"
)

// swap rewrites one place of a case. ok is false where the case has no such place.
type swap struct {
	name  string
	types string // the types of cases that it fits, between spaces; "" for all
	apply func(c *entities.Case, r *rand.Rand) (entities.Case, bool)
}

// tries bounds how often a swap is drawn for one variant.
const tries = 24

// Cases returns up to n variants of each case, each with one swap. Equal seeds give equal
// variants. Variants whose values no table tells are compared by span and type alone.
func Cases(cases []entities.Case, n int, seed uint64) []entities.Case {
	var out []entities.Case
	for i := range cases {
		c := &cases[i]
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		seen := map[string]bool{c.Input: true}
		for k, made := 0, 0; made < n && k < n*tries; k++ {
			s := &swaps[r.IntN(len(swaps))]
			if s.types != "" && !strings.Contains(s.types, " "+c.Type+" ") {
				continue
			}
			v, ok := s.apply(c, r)
			if !ok || seen[v.Input] {
				continue
			}
			seen[v.Input] = true
			made++
			v.ID = fmt.Sprintf("%s/%s/%d", c.ID, s.name, made)
			out = append(out, v)
		}
	}
	return out
}

// replaced puts text in the place of the bytes [from, to) of the input, and moves the
// expected spans. ok is false where the place crosses the end of a span.
func replaced(c *entities.Case, from, to int, text string) (entities.Case, bool) {
	v := *c
	v.Input = c.Input[:from] + text + c.Input[to:]
	a, b := utf8.RuneCountInString(c.Input[:from]), utf8.RuneCountInString(c.Input[:to])
	delta := utf8.RuneCountInString(text) - (b - a)
	v.Expected = make([]entities.Expected, 0, len(c.Expected))
	for _, e := range c.Expected {
		if e.Start < b && a < e.End && (a < e.Start || b > e.End) {
			return v, false
		}
		if e.Start >= b {
			e.Start += delta
		}
		if e.End >= b {
			e.End += delta
		}
		v.Expected = append(v.Expected, e)
	}
	return v, true
}

// around returns the index of the expected value whose span holds the bytes [from, to),
// or -1.
func around(c *entities.Case, from, to int) int {
	a, b := utf8.RuneCountInString(c.Input[:from]), utf8.RuneCountInString(c.Input[:to])
	for i, e := range c.Expected {
		if e.Start <= a && b <= e.End {
			return i
		}
	}
	return -1
}

// drawn picks one of the places that a pattern finds inside expected spans.
func drawn(c *entities.Case, pattern *pattern.Pattern, r *rand.Rand) (from, to, at int, ok bool) {
	var places [][]int
	for _, m := range pattern.FindAllStringIndex(c.Input, -1) {
		if around(c, m[0], m[1]) >= 0 {
			places = append(places, m)
		}
	}
	if len(places) == 0 {
		return 0, 0, 0, false
	}
	m := places[r.IntN(len(places))]
	return m[0], m[1], around(c, m[0], m[1]), true
}

// wordsOf matches any of the words, whatever their case.
func wordsOf(list []string) *pattern.Pattern {
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return pattern.Must(`(?i)\b(?:` + strings.Join(quoted, "|") + `)\b`)
}

// class is a set of words that stand for each other where the expected span looks as shape
// says and not as except says.
type class struct {
	name, types   string
	words         []string
	shape, except string
	value         valueRule
}

// valueRule tells the values that follow from putting one word of a class for another, by
// their places in it. A nil rule, and a false, leave them to be compared by span and type.
type valueRule func(c *entities.Case, e *entities.Expected, was, is int) (map[string]any, bool)

func (k class) swap() swap {
	pattern, shape, except := wordsOf(k.words), pattern.Must(`(?i)`+k.shape), pattern.Must(`(?i)`+cmp.Or(k.except, `^$`))
	return swap{k.name, k.types, func(c *entities.Case, r *rand.Rand) (entities.Case, bool) {
		from, to, at, ok := drawn(c, pattern, r)
		if !ok {
			return *c, false
		}
		said, span := c.Input[from:to], spanOf(c, &c.Expected[at])
		was, is := indexFold(k.words, said), r.IntN(len(k.words))
		if was == is || !shape.MatchString(span) || except.MatchString(span) {
			return *c, false
		}
		v, ok := replaced(c, from, to, likeCase(said, k.words[is]))
		if !ok {
			return v, false
		}
		if v.Loose = true; k.value != nil {
			if res, known := k.value(c, &c.Expected[at], was, is); known {
				v.Expected[at].Resolution, v.Loose = res, false
			}
		}
		return v, true
	}}
}

func spanOf(c *entities.Case, e *entities.Expected) string {
	return string([]rune(c.Input)[e.Start:e.End])
}

func indexFold(list []string, word string) int {
	for i, w := range list {
		if strings.EqualFold(w, word) {
			return i
		}
	}
	return -1
}

// likeCase writes a word as another one was written.
func likeCase(like, word string) string {
	switch {
	case len(like) > 1 && like == strings.ToUpper(like):
		return strings.ToUpper(word)
	case like[:1] == strings.ToUpper(like[:1]):
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return word
}

// same is the value rule of words that mean the same.
func same(_ *entities.Case, e *entities.Expected, _, _ int) (map[string]any, bool) {
	return e.Resolution, true
}

// framed puts a sentence before or behind the whole.
func framed(prefix, suffix string) swap {
	return swap{"frame", "", func(c *entities.Case, _ *rand.Rand) (entities.Case, bool) {
		v, ok := replaced(c, 0, 0, prefix)
		if len(v.Expected) > 0 && v.Expected[0].Start == 0 && prefix != "" {
			ok = false // not reached: a span at 0 moves with the prefix
		}
		v.Input += suffix
		return v, ok
	}}
}

// recased writes the whole in another case, where that leaves the length and the meaning.
func recased(name string, write func(string) string) swap {
	return swap{"case-" + name, " datetime number ordinal percentage email url boolean phonenumber ", func(c *entities.Case, _ *rand.Rand) (entities.Case, bool) {
		v := *c
		v.Input = write(c.Input)
		ok := utf8.RuneCountInString(v.Input) == utf8.RuneCountInString(c.Input) && !caseMatters.MatchString(c.Input)
		return v, ok
	}}
}

// caseMatters finds what another case makes something else: a name that is a verb, too,
// and letters that multiply figures.
var caseMatters = pattern.Must(`(?i)\b(?:may|march|mar|sat|sun|mon|wed)\b|\d+(?:k|m|mm|g|b|t)\b|[^\x00-\x7f]`)
