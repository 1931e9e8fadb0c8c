package config

import (
	"strings"
	"unicode"
)

// IsSign reports whether a character at a word can tell one value of an enumeration from another: the
// plus of A+, the hash of C#, the half of 7½. The marks of a sentence and percents do not.
func IsSign(r rune) bool {
	switch {
	case unicode.Is(unicode.Pd, r), unicode.Is(unicode.Sc, r), unicode.Is(unicode.No, r):
		return true
	case unicode.Is(unicode.Sm, r):
		return r != '~' && r != '|'
	}
	return r == '#' || r == '*'
}

// spellingKey is what an answer must hold to mean a value: its words in lower case and the signs at
// them. Two values with one key cannot be told apart. A spelling without words is its own key.
func spellingKey(text string) string {
	letters := []rune(strings.ToLower(text))
	isWord := func(i int) bool {
		return i >= 0 && i < len(letters) && (unicode.IsLetter(letters[i]) || unicode.IsMark(letters[i]) || unicode.IsDigit(letters[i]))
	}
	var key strings.Builder
	words := 0
	for i, r := range letters {
		switch {
		case isWord(i):
			if !isWord(i - 1) {
				words++
				key.WriteByte(' ')
			}
			key.WriteRune(r)
		case IsSign(r) && !(isWord(i-1) && isWord(i+1)):
			key.WriteRune(r)
		}
	}
	if words == 0 {
		return text
	}
	return strings.TrimSpace(key.String())
}
