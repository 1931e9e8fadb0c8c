package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needs returns a test that every text with a match passes: the text contains a rune that each match
// must contain, such as the @ of an address or a digit. It costs much less than the search. nil:
// there is no such rune.
func needs(re *syntax.Regexp) func(text string) bool {
	class := required(re)
	if class == nil {
		return nil
	}
	var ascii [utf8.RuneSelf]bool
	for r := range ascii {
		ascii[r] = within(class, rune(r))
	}
	return func(text string) bool {
		for i := range len(text) {
			if c := text[i]; c >= utf8.RuneSelf {
				return strings.ContainsFunc(text[i:], func(r rune) bool { return within(class, r) })
			} else if ascii[c] {
				return true
			}
		}
		return false
	}
}

// required returns a class of which every match contains a rune, in pairs of first and last rune: of
// several the rarest one. nil: there is none.
func required(re *syntax.Regexp) []rune {
	switch re.Op {
	case syntax.OpLiteral:
		return narrowestRune(re)
	case syntax.OpCharClass:
		return re.Rune
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []rune
		for _, sub := range re.Sub {
			if class := required(sub); class != nil && (best == nil || frequency(class) < frequency(best)) {
				best = class
			}
		}
		return best
	case syntax.OpAlternate:
		var all []rune
		for _, sub := range re.Sub {
			class := required(sub)
			if class == nil {
				return nil
			}
			all = append(all, class...)
		}
		return all
	}
	return nil
}

// narrowestRune returns the class of a literal's first rune. With the flag to fold case the class has
// every form of the rune.
func narrowestRune(re *syntax.Regexp) []rune {
	r := re.Rune[0]
	class := []rune{r, r}
	if re.Flags&syntax.FoldCase != 0 {
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			class = append(class, next, next)
		}
	}
	return class
}

func within(class []rune, r rune) bool {
	for i := 0; i < len(class); i += 2 {
		if class[i] <= r && r <= class[i+1] {
			return true
		}
	}
	return false
}

// letterWeight makes a class of digits or signs rarer than one of letters: nearly every text has an o.
const letterWeight = 20

// frequency estimates how often texts contain a rune of a class.
func frequency(class []rune) (n int) {
	for i := 0; i < len(class); i += 2 {
		weight := 1
		if unicode.IsLetter(class[i]) {
			weight = letterWeight
		}
		n += weight * (int(class[i+1]-class[i]) + 1)
	}
	return n
}
