package convert

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Snake turns a name into an id of ASCII letters, digits and underlines: GetRide, get-ride and "get
// ride" are get_ride, Größe is grosse. What has no letter gets the prefix "x_".
func Snake(name string) string {
	var out strings.Builder
	runes := []rune(norm.NFD.String(strings.ReplaceAll(name, "ß", "ss")))
	under := true // a further underline would be one too many
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r): // an accent
		case r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if !under {
				out.WriteByte('_')
			}
			under = true
		default:
			if !under && unicode.IsUpper(r) && beginsWord(runes, i) {
				out.WriteByte('_')
			}
			out.WriteRune(unicode.ToLower(r))
			under = false
		}
	}
	id := strings.TrimRight(out.String(), "_")
	if id == "" || unicode.IsDigit(rune(id[0])) {
		return strings.TrimRight("x_"+id, "_")
	}
	return id
}

// beginsWord reports whether a capital begins a word: after a small letter or a digit, or before a
// small letter.
func beginsWord(runes []rune, i int) bool {
	if i == 0 {
		return false
	}
	before := runes[i-1]
	return unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// Spoken returns a name as people say it.
func Spoken(name string) string { return strings.ReplaceAll(Snake(name), "_", " ") }
