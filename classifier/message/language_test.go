package message

import (
	"testing"

	"github.com/slotway/slotway/config/language"
)

// A line with a capital would never be found, since messages are compared in lower case.
func TestBrokenWords(t *testing.T) {
	for text, want := range map[string]string{
		"## unit\n3 = Drei\n": `list unit: "3 = Drei": write phrases in lower case, with a comma and a space between them`,
		"## unit\n1 = one\n":  `the list "ten" is missing`,
	} {
		lists, err := language.ParseLists(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newLanguage("xx", lists); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
