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
	long  bool // a word of it is long enough for a typo
}

// enumeration finds the values of one type.
type enumeration struct {
	first map[string][]lexeme // by the singular of the first word
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
			l.long = slices.ContainsFunc(l.words, func(w string) bool { return utf8.RuneCountInString(w) >= shortest })
			key := singular(l.words[0])
			e.first[key] = append(e.first[key], l)
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

// at returns the longest value spelled at token i, exactly, in another number, or else
// with typos. A typo is none where another recogniser found something, in a frequent word
// of the language, or where two values are as near.
func (e *enumeration) at(s *scan, i int, asked bool) (value string, n int, exact bool) {
	word := s.tokens[i].low
	literal := false
	for _, l := range e.first[singular(word)] {
		if !asked && (e.bare(l) || s.withinRun(i, l)) {
			continue
		}
		k := s.spells(i, l, 0, asked)
		if k > n || k == n && k > 0 && !literal && l.words[0] == word {
			value, n, literal = l.value, k, l.words[0] == word
		}
	}
	if n > 0 || e.fuzzy == 0 && !stretched(word) || s.exact[i] || s.tokens[i].class != letters || !asked && (isPlain(word) || i > 0 && s.capital(i) && !s.shouts()) {
		return value, n, true
	}
	for _, l := range e.all {
		if !l.long && !stretched(word) || !asked && e.bare(l) {
			continue
		}
		k := s.spells(i, l, e.fuzzy, asked)
		switch {
		case k > n:
			value, n = l.value, k
		case k == n && k > 0 && l.value != value:
			if value, n = s.nearer(i, n, value, l, e); n == 0 {
				return "", 0, false
			}
		}
	}
	return value, n, false
}

// nearer chooses between two values that n tokens spell with typos: the one with fewer,
// or none.
func (s *scan) nearer(i, n int, value string, l lexeme, e *enumeration) (string, int) {
	text := fold(s.text[s.tokens[i].start:s.tokens[i+n-1].end])
	before := e.distanceTo(text, value)
	now := distance(text, strings.Join(l.words, " "), 8)
	switch {
	case now < before:
		return l.value, n
	case now > before:
		return value, n
	}
	return "", 0
}

// distanceTo is the distance of a text to the nearest spelling of a value.
func (e *enumeration) distanceTo(text, value string) int {
	best := 9
	for _, l := range e.all {
		if l.value == value {
			best = min(best, distance(text, strings.Join(l.words, " "), 8))
		}
	}
	return best
}

// reordered finds the value whose words all stand in a reply, in another order and with a
// few words between: "the size is wrong" for "wrong size". Two values are none.
func (e *enumeration) reordered(s *scan) (value string, from, to int) {
	for _, l := range e.all {
		if len(l.words) < 2 || isUnit(l.words[0]) {
			continue
		}
		first, last := len(s.tokens), -1
		for _, want := range l.words {
			k := slices.IndexFunc(s.tokens, func(t token) bool { return t.class != symbol && similar(t.low, want, 0, true) })
			if k < 0 || s.taken[k] {
				last = -1
				break
			}
			first, last = min(first, k), max(last, k)
		}
		if last < 0 || last-first > len(l.words)+2 || s.deniedWithin(first, last) {
			continue
		}
		if value != "" && value != l.value {
			return "", 0, 0
		}
		value, from, to = l.value, first, last+1
	}
	return value, from, to
}

func (s *scan) deniedWithin(first, last int) bool {
	for k := max(first-2, 0); k <= last; k++ {
		if s.is(k, negations) {
			return true
		}
	}
	return false
}

// spells returns how many tokens at i spell l with at most edits typos a word, or 0.
// Hyphens and the like between words do not matter.
func (s *scan) spells(i int, l lexeme, edits int, asked bool) int {
	n := 0
	for k, want := range l.words {
		if k > 0 && i+n < len(s.tokens) && s.tokens[i+n].class == symbol && !isUnit(want) {
			n++
		}
		if i+n >= len(s.tokens) || s.taken[i+n] {
			return 0
		}
		if w := s.tokens[i+n].low; !similar(w, want, edits, asked) || edits > 0 && !similar(w, want, 0, asked) && w != strings.ReplaceAll(want, "'", "") && s.written(i+n) {
			return 0
		}
		n++
	}
	return n
}

// written reports whether token i is a common word of the language that is not all that was
// said: "a pipe burst" holds no misspelt "burnt", while "wires" alone, as an answer, may be one.
func (s *scan) written(i int) bool {
	if s.knows == nil || !s.knows(s.tokens[i].low) {
		return false
	}
	from, to := s.core(openingBook, closing, "")
	return to-from != 1 || from != i
}

// shortest is how many letters a word has before a typo in it is forgiven in an answer;
// elsewhere it needs one more.
const shortest = 4

// Words of at most short letters begin right; from long letters on two typos are forgiven in an
// answer, elsewhere in longer ones.
const (
	short = 5
	long  = 8
)

// similar reports whether word means want: but for its number, or for at most edits
// typos. Short words must be exact: "no" is not "now". Outside of an answer the first
// letter must be right too, since most words of a message mean something else, and so must
// that of a short word; what is a frequent word of the language is no typo of another.
func similar(word, want string, edits int, asked bool) bool {
	if word == want || singular(word) == singular(want) || stretched(word) && sameLetters(word, want) {
		return true
	}
	length := utf8.RuneCountInString(want)
	if edits == 0 || length < shortest || (!asked || length <= short) && word[0] != want[0] || !asked && length <= shortest || isPlain(word) {
		return false
	}
	if length > shortest && sameLetters(word, want) {
		return true
	}
	if length < long || !asked && length <= long {
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
