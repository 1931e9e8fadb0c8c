package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in the form in which tables compare it: in lower case and without accents. A
// German umlaut becomes a vowel with e, as people write it without the key: "für" and "fuer" are
// one word.
func Fold(tag, text string) string {
	text = strings.ToLower(text)
	if plain(text) {
		return text
	}
	if Base(tag) == "de" {
		text = umlauts.Replace(strings.Map(once(), norm.NFC.String(text)))
	}
	return strip(text)
}

var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")

// once drops repetitions of an umlaut: "nöööö" has one.
func once() func(rune) rune {
	var last rune
	return func(r rune) rune {
		if r == last && strings.ContainsRune("äöü", r) {
			return -1
		}
		last = r
		return r
	}
}

// strip removes accents.
func strip(text string) string {
	return strings.Map(bare, norm.NFD.String(unfolded.Replace(text)))
}

// unfolded are letters that Unicode does not decompose into a letter and an accent.
var unfolded = strings.NewReplacer("ß", "ss", "œ", "oe", "æ", "ae", "ø", "o", "ł", "l", "’", "'", "‘", "'", "´", "'", "`", "'")

func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '`' {
			return false
		}
	}
	return true
}

// bare drops combining accents, which follow their letter.
func bare(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}
