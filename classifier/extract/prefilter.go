package extract

import (
	"regexp"
	"regexp/syntax"

	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// prefilter returns sets of characters of each of which every match of a pattern holds
// one. A text that misses one of them needs no search.
func prefilter(re *regexp.Regexp) []scan.ByteSet {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil // not reached: the pattern was compiled
	}
	return required(parsed)
}

func required(re *syntax.Regexp) []scan.ByteSet {
	switch re.Op {
	case syntax.OpLiteral:
		var out []scan.ByteSet
		for _, r := range re.Rune {
			var b scan.ByteSet
			b.Add(r)
			if re.Flags&syntax.FoldCase != 0 {
				b.Add(swapCase(r))
				b.Other = b.Other || r == 'k' || r == 'K' || r == 's' || r == 'S' // K and ſ fold to these
			}
			out = append(out, b)
		}
		return out
	case syntax.OpCharClass:
		var b scan.ByteSet
		for i := 0; i+1 < len(re.Rune); i += 2 {
			b.AddRange(re.Rune[i], re.Rune[i+1])
		}
		return []scan.ByteSet{b}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var out []scan.ByteSet
		for _, sub := range re.Sub {
			out = append(out, required(sub)...)
		}
		return out
	case syntax.OpAlternate:
		var b scan.ByteSet
		for _, sub := range re.Sub {
			sets := required(sub)
			if len(sets) == 0 {
				return nil
			}
			b = b.Union(sets[0])
		}
		return []scan.ByteSet{b}
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
func mayMatch(text scan.ByteSet, needs []scan.ByteSet) bool {
	for _, n := range needs {
		if !text.Meets(n) {
			return false
		}
	}
	return true
}
