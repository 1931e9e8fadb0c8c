package pattern

import (
	"regexp/syntax"
	"unicode/utf8"
)

// starts is where a match can begin.
type starts struct {
	ascii  [utf8.RuneSelf]bool // the first runes of matches
	others []rune              // those beyond ASCII, in pairs of first and last rune
	words  bool                // those of ascii count only where a word begins
}

// manyStarts is the number of ASCII runes from which on first runes do not tell much. A beginning of a
// word is rare enough.
const manyStarts = 12

// startsOf returns nil if a match can begin nearly anywhere, or can be empty.
func startsOf(re *syntax.Regexp) *starts {
	l := leads(re)
	if l.empty || l.class == nil {
		return nil
	}
	s, n := &starts{words: l.boundary}, 0
	for r := range s.ascii {
		if s.ascii[r] = within(l.class, rune(r)); s.ascii[r] {
			n++
			s.words = s.words && isWord(byte(r))
		}
	}
	for i := 0; i < len(l.class); i += 2 {
		if l.class[i+1] >= utf8.RuneSelf {
			s.others = append(s.others, max(l.class[i], utf8.RuneSelf), l.class[i+1])
		}
	}
	if n > manyStarts && !s.words {
		return nil
	}
	return s
}

// next returns the first offset from at on where a match can begin, or -1.
func (s *starts) next(text string, at int) int {
	for ; at < len(text); at++ {
		c := text[at]
		if c < utf8.RuneSelf {
			if s.ascii[c] && !(s.words && at > 0 && isWord(text[at-1])) {
				return at
			}
			continue
		}
		if s.others == nil || !utf8.RuneStart(c) {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[at:]); within(s.others, r) {
			return at
		}
	}
	return -1
}

// lead is how matches begin.
type lead struct {
	class    []rune // the first runes, in pairs of first and last rune; nil: any
	empty    bool   // a match may have no rune
	boundary bool   // \b stands before each first rune
}

// leads returns how matches of an expression begin.
func leads(re *syntax.Regexp) lead {
	switch re.Op {
	case syntax.OpLiteral:
		return lead{class: narrowestRune(re)}
	case syntax.OpCharClass:
		return lead{class: re.Rune}
	case syntax.OpCapture:
		return leads(re.Sub[0])
	case syntax.OpPlus:
		return leads(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		return leads(re.Sub[0]).orNothing()
	case syntax.OpRepeat:
		if re.Min == 0 {
			return leads(re.Sub[0]).orNothing()
		}
		return leads(re.Sub[0])
	case syntax.OpConcat:
		return leadsOfSequence(re.Sub)
	case syntax.OpAlternate:
		return leadsOfChoice(re.Sub)
	case syntax.OpWordBoundary:
		return lead{class: []rune{}, empty: true, boundary: true}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return lead{class: []rune{}, empty: true}
	}
	return lead{} // any rune
}

// orNothing is the lead of an optional part.
func (l lead) orNothing() lead {
	l.empty, l.boundary = true, l.boundary && len(l.class) > 0
	return l
}

// leadsOfSequence adds up the parts until one has a rune for certain.
func leadsOfSequence(parts []*syntax.Regexp) lead {
	all := lead{class: []rune{}, empty: true}
	bare := false // a first rune may stand without \b before it
	for _, part := range parts {
		l := leads(part)
		if l.class == nil {
			return lead{}
		}
		all.class = append(all.class, l.class...)
		bare = bare || len(l.class) > 0 && !all.boundary && !l.boundary
		all.boundary = all.boundary || l.boundary && (len(l.class) == 0 || !l.empty)
		if all.empty = l.empty; !l.empty {
			break
		}
	}
	all.boundary = all.boundary && !bare
	return all
}

func leadsOfChoice(parts []*syntax.Regexp) lead {
	all := lead{class: []rune{}, boundary: true}
	for _, part := range parts {
		l := leads(part)
		if l.class == nil {
			return lead{}
		}
		all.class = append(all.class, l.class...)
		all.empty = all.empty || l.empty
		all.boundary = all.boundary && l.boundary
	}
	return all
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
