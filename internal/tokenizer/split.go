package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// cl100k is the length of what this pattern matches at the beginning of a text:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100k(text string) int {
	if n := contraction(text); n > 0 {
		return n
	}
	lead := leading(text)
	if n := run(text[lead:], unicode.IsLetter); n > 0 {
		return lead + n
	}
	return rest(text, func(r rune) bool { return r == '\r' || r == '\n' })
}

// o200k is that of this one:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200k(text string) int {
	leads := []int{leading(text), 0} // a mark may be the first rune or the letter after none
	for _, word := range []func(string) int{lowerWord, upperWord} {
		for _, lead := range leads {
			if n := word(text[lead:]); n > 0 {
				return lead + n + contraction(text[lead+n:])
			}
		}
	}
	return rest(text, func(r rune) bool { return r == '\r' || r == '\n' || r == '/' })
}

// rest is what both patterns have in common: numbers, signs with those that may end them, and space.
func rest(text string, ends func(rune) bool) int {
	if n := digits(text); n > 0 {
		return n
	}
	lead := 0
	if text[0] == ' ' {
		lead = 1
	}
	if n := run(text[lead:], isSign); n > 0 {
		return lead + n + run(text[lead+n:], ends)
	}
	return space(text)
}

// space is the length of leading space: to its last line break, or without the last rune, which belongs
// to what follows, or all of it.
func space(text string) int {
	lineEnd, last, n := 0, 0, 0
	for i, r := range text {
		if !unicode.IsSpace(r) {
			break
		}
		last, n = i, i+utf8.RuneLen(r)
		if r == '\r' || r == '\n' {
			lineEnd = n
		}
	}
	switch {
	case lineEnd > 0:
		return lineEnd
	case n < len(text) && last > 0:
		return last
	}
	return n
}

// digits is the length of up to three leading numerals.
func digits(text string) int {
	count := 0
	for i, r := range text {
		if count == 3 || !unicode.IsNumber(r) {
			return i
		}
		count++
	}
	return len(text)
}

// lowerWord is the length of capitals, of which there may be none, and at least one other letter. Letters
// without case and marks are both.
func lowerWord(text string) int {
	capitals := run(text, isUpper)
	if n := run(text[capitals:], isLower); n > 0 {
		return capitals + n
	}
	for capitals > 0 { // the last of them that is both, and those after it
		_, size := utf8.DecodeLastRuneInString(text[:capitals])
		capitals -= size
		if n := run(text[capitals:], isLower); n > 0 {
			return capitals + n
		}
	}
	return 0
}

// upperWord is the length of at least one capital, and of other letters.
func upperWord(text string) int {
	n := run(text, isUpper)
	if n == 0 {
		return 0
	}
	return n + run(text[n:], isLower)
}

// contractions are the endings of English words after an apostrophe.
var contractions = []string{"s", "t", "re", "ve", "m", "ll", "d"}

// contraction is the length of a leading one.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	for _, ending := range contractions {
		at := 1
		for _, want := range ending {
			r, size := utf8.DecodeRuneInString(text[at:])
			if r == 'ſ' {
				r = 's' // the long s, whose capital is S
			}
			if unicode.ToLower(r) != want {
				at = 0
				break
			}
			at += size
		}
		if at > 0 {
			return at
		}
	}
	return 0
}

// leading is the length of a first rune that may stand before a word: no letter, number or line break.
func leading(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	if r == '\r' || r == '\n' || unicode.IsLetter(r) || unicode.IsNumber(r) {
		return 0
	}
	return size
}

// run is the length of the leading runes of a kind.
func run(text string, is func(rune) bool) int {
	for i, r := range text {
		if !is(r) {
			return i
		}
	}
	return len(text)
}

func isSign(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

func isUpper(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M)
}

func isLower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M) }
