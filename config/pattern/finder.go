package pattern

import (
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"
)

// Finder searches for one regular expression. It may be shared.
type Finder struct {
	expr string
	lazy *Pattern  // compiles re; nil: it is compiled
	once sync.Once // before the first search: many expressions are never searched for in a run

	re    *regexp.Regexp
	needs func(text string) bool // nil: a match may be anything

	// Where a match can begin. starts is nil if that is nearly everywhere: re searches by itself.
	starts *starts
	head   *regexp.Regexp // a match at the beginning of a text
	inner  *regexp.Regexp // a match after the first rune, which decides what \b and (?m:^) say
}

// maxText is the longest text in bytes that is searched from start to start: each trial costs a time
// that grows with the rest of the text.
const maxText = 1 << 10

// New returns the Finder of a regular expression that [regexp.Compile] made.
func New(re *regexp.Regexp) *Finder { return &Finder{expr: re.String(), re: re} }

// MustFinder declares the Finder of a package variable, as [Must] declares a Pattern.
func MustFinder(expr string) *Finder { return &Finder{expr: expr, lazy: Must(expr)} }

// ready prepares the searches.
func (f *Finder) ready() *Finder {
	f.once.Do(f.prepare)
	return f
}

func (f *Finder) prepare() {
	if f.lazy != nil {
		f.re = f.lazy.re()
	}
	parsed, err := syntax.Parse(f.expr, syntax.Perl)
	if err != nil { // not reached: it was compiled
		return
	}
	parsed = parsed.Simplify()
	f.needs = needs(parsed)
	if f.starts = startsOf(parsed); f.starts != nil {
		f.head = regexp.MustCompile(`^(?:` + f.expr + `)`)
		f.inner = regexp.MustCompile(`^(?s:.)(?:` + f.expr + `)`)
	}
}

// hopeless reports that text cannot contain a match.
func (f *Finder) hopeless(text string) bool { return f.needs != nil && !f.needs(text) }

// plain reports that the text is searched as package regexp does.
func (f *Finder) plain(text string) bool { return f.starts == nil || len(text) > maxText }

// String returns the regular expression.
func (f *Finder) String() string { return f.expr }

// MatchString reports whether text contains a match.
func (f *Finder) MatchString(text string) bool {
	if f.ready().hopeless(text) {
		return false
	}
	if f.plain(text) {
		return f.re.MatchString(text)
	}
	for at := f.starts.next(text, 0); at >= 0; at = f.starts.next(text, at+1) {
		re, from := f.at(text, at)
		if re.MatchString(text[from:]) {
			return true
		}
	}
	return false
}

// FindStringSubmatchIndex returns the first match and its groups, as [regexp.Regexp.FindStringSubmatchIndex]
// does; nil: there is none.
func (f *Finder) FindStringSubmatchIndex(text string) []int {
	if f.ready().hopeless(text) {
		return nil
	}
	if f.plain(text) {
		return f.re.FindStringSubmatchIndex(text)
	}
	return f.from(text, 0)
}

// FindAllStringSubmatchIndex returns all matches that do not overlap, first to last.
func (f *Finder) FindAllStringSubmatchIndex(text string) (all [][]int) {
	if f.ready().hopeless(text) {
		return nil
	}
	if f.plain(text) {
		return f.re.FindAllStringSubmatchIndex(text, -1)
	}
	for m := f.from(text, 0); m != nil; m = f.from(text, m[1]) { // no match is empty: it has its first rune
		all = append(all, m)
	}
	return all
}

// from returns the first match that begins at an offset or later.
func (f *Finder) from(text string, at int) []int {
	for at = f.starts.next(text, at); at >= 0; at = f.starts.next(text, at+1) {
		re, from := f.at(text, at)
		m := re.FindStringSubmatchIndex(text[from:])
		if m == nil {
			continue
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += from
			}
		}
		m[0] = at
		return m
	}
	return nil
}

// at returns what finds a match that begins at an offset, and where the text for it begins: one rune
// earlier.
func (f *Finder) at(text string, at int) (re *regexp.Regexp, from int) {
	if at == 0 {
		return f.head, 0
	}
	_, size := utf8.DecodeLastRuneInString(text[:at])
	return f.inner, at - size
}
