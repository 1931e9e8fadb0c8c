package naming

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// MostListed is how many names a message lists: up to so many, the reader finds the right one
// sooner than by asking for the rest.
const MostListed = 40

// Unknown returns the error for a name that is not in known, with the nearest known name.
func Unknown(noun, name string, known []string) error {
	hint := Suggest(name, known)
	if strings.HasPrefix(hint, "did you mean") {
		return fmt.Errorf("unknown %s %q, %s", noun, name, hint)
	}
	return fmt.Errorf("unknown %s %q; %s", noun, name, hint)
}

// Suggest returns "did you mean ...?" if a known name is near, else the list of known names.
func Suggest(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch n := len(known); {
	case n == 0:
		return "there is none yet"
	case n == 1:
		return fmt.Sprintf("the only one is %q", known[0])
	case n > MostListed:
		return fmt.Sprintf("known are %s and %d more", strings.Join(known[:MostListed], ", "), n-MostListed)
	}
	return "known are " + JoinAnd(known)
}

// Nearest returns the known name that takes the fewest edits; "" if each would change more than a
// third of the name. Case does not count, and "-" equals "_".
func Nearest(name string, known []string) string {
	plain := func(s string) string {
		return strings.ReplaceAll(strings.ToLower(s), "-", "_")
	}
	best, least := "", max(1, utf8.RuneCountInString(name)/3)+1
	for _, k := range known {
		if d := message.Distance(plain(name), plain(k), least); d < least {
			best, least = k, d
		}
	}
	return best
}
