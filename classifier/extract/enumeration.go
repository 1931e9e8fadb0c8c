package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
)

// lexeme is one spelling of an enumerated value.
type lexeme struct {
	words []string // lower case
	value string
}

// enumeration finds the values of one type.
type enumeration struct {
	first map[string][]lexeme // by first word
	all   []lexeme
	fuzzy int
	yes   string // the value that a yes means; "" where the values are no yes and no
	no    string
}

func newEnumeration(t *config.Type) *enumeration {
	if len(t.Values) == 0 {
		return nil
	}
	e := &enumeration{first: map[string][]lexeme{}, fuzzy: t.Fuzzy}
	e.yes, e.no = yesAndNo(t.Values)
	for _, v := range t.Values {
		for _, spelling := range append([]string{v.Value}, v.Synonyms...) {
			var l lexeme
			l.value = v.Value
			for _, t := range tokenize(spelling, nil) {
				if t.class != symbol {
					l.words = append(l.words, t.low)
				}
			}
			if len(l.words) == 0 {
				continue
			}
			e.first[l.words[0]] = append(e.first[l.words[0]], l)
			e.all = append(e.all, l)
		}
	}
	return e
}

// yesAndNo returns the two values of an enumeration that is a boolean by another name.
func yesAndNo(values []config.EnumValue) (yes, no string) {
	if len(values) != 2 {
		return "", ""
	}
	for _, v := range values {
		switch strings.ToLower(v.Value) {
		case "true", "yes", "y":
			yes = v.Value
		case "false", "no", "n":
			no = v.Value
		}
	}
	if yes == "" || no == "" {
		return "", ""
	}
	return yes, no
}

// bare reports whether a spelling of a yes-or-no value is a plain yes or no, which
// answers whatever was asked and speaks of the param only when that was.
func (e *enumeration) bare(l lexeme) bool {
	if e.yes == "" {
		return false
	}
	spelling := strings.Join(l.words, " ")
	return slices.Contains(yesPhrases, spelling) || slices.Contains(noPhrases, spelling)
}

// at returns the longest value spelled at token i, exactly or else with typos.
func (e *enumeration) at(s *scan, i int, asked bool) (value string, n int, exact bool) {
	word := s.tokens[i].low
	for _, key := range []string{word, strings.TrimSuffix(word, "s")} {
		for _, l := range e.first[key] {
			if !asked && e.bare(l) {
				continue
			}
			if k := s.spells(i, l, 0, asked); k > n {
				value, n = l.value, k
			}
		}
	}
	if n > 0 || e.fuzzy == 0 {
		return value, n, true
	}
	for _, l := range e.all {
		if !asked && e.bare(l) {
			continue
		}
		if k := s.spells(i, l, e.fuzzy, asked); k > n {
			value, n = l.value, k
		}
	}
	return value, n, false
}

// spells returns how many tokens at i spell l with at most edits typos a word, or 0.
// Hyphens and the like between words do not matter.
func (s *scan) spells(i int, l lexeme, edits int, asked bool) int {
	n := 0
	for k, want := range l.words {
		if k > 0 && i+n < len(s.tokens) && s.tokens[i+n].class == symbol {
			n++
		}
		if i+n >= len(s.tokens) || s.taken[i+n] || !similar(s.tokens[i+n].low, want, edits, asked) {
			return 0
		}
		n++
	}
	return n
}

// similar reports whether word means want: but for a plural, or for at most edits
// typos. Short words must be exact: "no" is not "now". Outside of an answer the first
// letter must be right too, since most words of a message mean something else.
func similar(word, want string, edits int, asked bool) bool {
	if word == want || word == want+"s" && len(want) > 2 {
		return true
	}
	length := utf8.RuneCountInString(want)
	if edits == 0 || length < 4 || !asked && (length < 5 || word[0] != want[0]) {
		return false
	}
	if length < 7 {
		edits = 1
	}
	return distance(word, want, edits) <= edits
}

// distance is the optimal string alignment distance (Damerau 1964: a swap of neighbours
// is one edit), or limit+1 when the lengths alone rule more similarity out.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit || len(x) > 64 || len(y) > 64 {
		return limit + 1
	}
	var rows [3][66]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(y) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
