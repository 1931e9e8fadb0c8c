package extract

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// byteSet is a set of ASCII characters; other tells whether it holds any beyond them.
type byteSet struct {
	low, high uint64
	other     bool
}

func (b *byteSet) add(r rune) {
	switch {
	case r < 0:
	case r < 64:
		b.low |= 1 << r
	case r < utf8.RuneSelf:
		b.high |= 1 << (r - 64)
	default:
		b.other = true
	}
}

func (b *byteSet) addRange(from, to rune) {
	for r := from; r <= to && r < utf8.RuneSelf; r++ {
		b.add(r)
	}
	b.other = b.other || to >= utf8.RuneSelf
}

func (b byteSet) union(c byteSet) byteSet {
	return byteSet{b.low | c.low, b.high | c.high, b.other || c.other}
}

func (b byteSet) meets(c byteSet) bool {
	return b.low&c.low != 0 || b.high&c.high != 0 || b.other && c.other
}

// bytesOf returns the characters of a text.
func bytesOf(text string) (b byteSet) {
	for i := range len(text) {
		b.add(rune(text[i])) // bytes beyond ASCII stand for themselves
	}
	return b
}

// digitSet are the ASCII digits.
var digitSet = byteSet{low: 0x3ff << '0'}

// prefilter returns sets of characters of each of which every match of a pattern holds
// one. A text that misses one of them needs no search.
func prefilter(re *regexp.Regexp) []byteSet {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil // not reached: the pattern was compiled
	}
	return required(parsed)
}

func required(re *syntax.Regexp) []byteSet {
	switch re.Op {
	case syntax.OpLiteral:
		var out []byteSet
		for _, r := range re.Rune {
			var b byteSet
			b.add(r)
			if re.Flags&syntax.FoldCase != 0 {
				b.add(swapCase(r))
				b.other = b.other || r == 'k' || r == 'K' || r == 's' || r == 'S' // K and ſ fold to these
			}
			out = append(out, b)
		}
		return out
	case syntax.OpCharClass:
		var b byteSet
		for i := 0; i+1 < len(re.Rune); i += 2 {
			b.addRange(re.Rune[i], re.Rune[i+1])
		}
		return []byteSet{b}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var out []byteSet
		for _, sub := range re.Sub {
			out = append(out, required(sub)...)
		}
		return out
	case syntax.OpAlternate:
		var b byteSet
		for _, sub := range re.Sub {
			sets := required(sub)
			if len(sets) == 0 {
				return nil
			}
			b = b.union(sets[0])
		}
		return []byteSet{b}
	}
	return nil
}

func swapCase(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	}
	return r
}

// mayMatch reports whether a text of these characters may hold a match.
func mayMatch(text byteSet, needs []byteSet) bool {
	for _, n := range needs {
		if !text.meets(n) {
			return false
		}
	}
	return true
}
