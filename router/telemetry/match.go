package telemetry

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// form is one way to write a value.
type form struct {
	runes []rune          // folded
	loose bool            // separators may stand between the runes
	edge  func(rune) bool // what may not adjoin on either side; nil: anything may
	label string          // what is put in its place
}

// matcher finds the forms of many values in a text. Its time does not depend on their number: a session
// may have had thousands. The zero value finds nothing.
//
// It is two tries, of the strict and of the loose forms; the roots are the first two nodes.
type matcher struct {
	children map[edge]int
	last     []int // by node: the last form that ends there, counted from 1; 0: none
	ends     []ending
	first    [utf8.RuneSelf]bool // the ASCII runes that begin a form; most offsets need no more
}

// edge leads from a node to a child.
type edge struct {
	node int
	r    rune
}

// The roots of the tries.
const (
	strictRoot = iota
	looseRoot
	roots
)

// ending is a form without its runes.
type ending struct {
	edge   func(rune) bool
	label  string
	order  int // in which it was added: of forms that end alike the first one's label is taken
	before int // the ending before it at the same node, as in matcher.last
}

// add adds a form; an empty one is ignored.
func (m *matcher) add(f form) {
	if len(f.runes) == 0 {
		return
	}
	if m.children == nil {
		m.children, m.last = map[edge]int{}, make([]int, roots)
	}
	if r := f.runes[0]; r < utf8.RuneSelf {
		m.first[r] = true
	}
	at := strictRoot
	if f.loose {
		at = looseRoot
	}
	for _, r := range f.runes {
		to := m.children[edge{at, r}]
		if to == 0 {
			to = len(m.last)
			m.children[edge{at, r}], m.last = to, append(m.last, 0)
		}
		at = to
	}
	m.ends = append(m.ends, ending{f.edge, f.label, len(m.ends), m.last[at]})
	m.last[at] = len(m.ends)
}

// addValue adds v as it is, and, if it has at least minDigits digits, with other separators ("O-12345"
// is found in "o 12345") and by its digits alone. These two do not match next to a rune of digitEdge.
func (m *matcher) addValue(v string, minDigits int, digitEdge func(rune) bool, label string) {
	runes := core(v)
	whole := form{runes: runes, label: label}
	if len(runes) < minScrub {
		whole.edge = adjoins // a name of one or two letters is part of half of all words
	}
	m.add(whole)
	digits := digitsOf(v)
	if len(digits) < minDigits {
		return
	}
	m.add(form{runes: alphanumeric(runes), loose: true, edge: digitEdge, label: label})
	m.add(form{runes: []rune(digits), loose: true, edge: digitEdge, label: label})
}

// span is a part of a text in bytes, end exclusive, and what replaces it.
type span struct {
	start, end int
	label      string
}

// spans returns the matches in text, ascending and disjoint. Matches that overlap are one span with the
// label of the first: hiding only one would leave a part of the other.
func (m *matcher) spans(text string) []span {
	if len(m.ends) == 0 {
		return nil
	}
	var found []span
	read := fold(text)
	for at, r := range read.Text {
		if r < utf8.RuneSelf && !m.first[r] {
			continue
		}
		if end, label := m.longest(read.Text, at); end > at {
			from, to := read.Back(at, end)
			found = append(found, span{from, to, label})
		}
	}
	return merge(found)
}

// merge sorts spans and joins those that overlap; the label is that of the first, and of the longest
// of several that begin together.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var merged []span
	for _, s := range spans {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// longest returns the end and the label of the longest form that begins at an offset; the offset
// itself if there is none.
func (m *matcher) longest(text string, at int) (end int, label string) {
	end = at
	order := len(m.ends)
	take := func(e int, f ending) {
		if e > end || e == end && f.order < order {
			end, label, order = e, f.label, f.order
		}
	}
	m.walk(strictRoot, text, at, take)
	m.walk(looseRoot, text, at, take)
	return end, label
}

// maxGap is the number of consecutive separators that a loose form skips.
const maxGap = 3

// walk passes every form below a root that begins at an offset of text to take. Loose forms have no
// separators in them, so all skip the same ones.
func (m *matcher) walk(root int, text string, at int, take func(end int, f ending)) {
	end, node := at, root
	for {
		r, size := utf8.DecodeRuneInString(text[end:])
		for gap := 0; root == looseRoot && end > at && gap < maxGap && separates(r); gap++ {
			end += size
			r, size = utf8.DecodeRuneInString(text[end:])
		}
		if size == 0 {
			return
		}
		if node = m.children[edge{node, r}]; node == 0 {
			return
		}
		end += size
		for i := m.last[node]; i > 0; i = m.ends[i-1].before {
			f := m.ends[i-1]
			if f.edge == nil || !f.edge(lastRune(text[:at])) && !f.edge(firstRune(text[end:])) {
				take(end, f)
			}
		}
	}
}

// separates reports whether r may separate the parts of a number or an identifier.
func separates(r rune) bool { return strings.ContainsRune(" -./()_,:", r) }

// adjoins reports whether r continues a word.
func adjoins(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// extends reports whether r continues a number.
func extends(r rune) bool { return '0' <= r && r <= '9' }

// firstRune returns the first rune of s, or a space.
func firstRune(s string) rune {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return ' '
	}
	return r
}

// lastRune returns the last rune of s, or a space.
func lastRune(s string) rune {
	r, size := utf8.DecodeLastRuneInString(s)
	if size == 0 {
		return ' '
	}
	return r
}

// fold returns a text in the form in which values are looked for: folded, on one line.
func fold(text string) message.Form {
	f := message.Folded(text)
	f.Text = strings.ReplaceAll(f.Text, "\n", " ")
	return f
}

// folded returns s as forms hold it.
func folded(s string) []rune { return []rune(fold(s).Text) }

// core returns v as forms hold it, without outer white space.
func core(v string) []rune { return []rune(strings.TrimSpace(fold(v).Text)) }

// alphanumeric keeps the letters and digits.
func alphanumeric(runes []rune) []rune {
	var kept []rune
	for _, r := range runes {
		if adjoins(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// visible replaces runes that are invisible or change how a terminal shows the rest.
func visible(r rune) rune {
	if ' ' <= r && r < '\x7f' {
		return r
	}
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}
