package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/pattern"
)

// humps match where a name in camel case has its next word.
var humps = []*pattern.Pattern{pattern.Must(`([\p{Ll}\pN])(\p{Lu})`), pattern.Must(`(\p{Lu})(\p{Lu}\p{Ll})`)}

// words returns the words of a name in small letters. Runes that ends refuses are between them, as are those that
// are neither letter, digit nor accent.
func words(name string, ends func(rune) bool) []string {
	for _, hump := range humps {
		name = hump.ReplaceAllString(name, "$1 $2")
	}
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return ends(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
}

// Snake turns a name into an id of ASCII letters, digits and underlines: GetRide, get-ride and "get
// ride" are get_ride, Größe is grosse. What has no letter gets the prefix "x_".
func Snake(name string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) { // an accent
			return -1
		}
		return r
	}, norm.NFD.String(strings.ReplaceAll(name, "ß", "ss")))
	id := strings.Join(words(plain, func(r rune) bool { return r >= unicode.MaxASCII }), "_")
	if id == "" || unicode.IsDigit(rune(id[0])) {
		return strings.TrimRight("x_"+id, "_")
	}
	return id
}

// Spoken returns a name as people say it: its words, in any script.
func Spoken(name string) string {
	return cmp.Or(strings.Join(words(norm.NFC.String(name), func(rune) bool { return false }), " "), OneLine(name))
}

// OneLine returns a text without line breaks and without characters that no file may hold.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// FreeID returns an id for an intent: the name, or the name with a number if an intent of the bot or a
// built-in one has it. Parts between slashes stay parts, as in faq/hours.
func (b *Bot) FreeID(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = Snake(parts[i])
	}
	id := strings.Join(parts, "/")
	return unique(id, func(id string) bool {
		return slices.Contains(config.SystemIntents, id) || slices.ContainsFunc(b.Intents, func(in *Intent) bool { return in.ID == id })
	})
}

// FreeType returns a name for a declared type that no other has; a built-in one would be narrowed.
func (b *Bot) FreeType(name string) string {
	return unique(Snake(name), func(id string) bool { return slices.Contains(config.BuiltinTypes, id) || b.Type(id) != nil })
}

// FreeParam returns a name for a param that no other has.
func (b *Bot) FreeParam(name string) string {
	return unique(Snake(name), func(id string) bool { return b.Param(id) != nil })
}

// FreeTool returns a name for a tool that no other has.
func (b *Bot) FreeTool(name string) string {
	return unique(Snake(name), func(id string) bool { return b.Tool(id) != nil })
}

// unique returns the name, or the name with the first number that is not taken.
func unique(name string, taken func(string) bool) string {
	id := name
	for n := 2; taken(id); n++ {
		id = fmt.Sprintf("%s_%d", name, n)
	}
	return id
}
