package convert_test

import (
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

func TestBuiltinSentences(t *testing.T) {
	for _, c := range []struct{ language, sentence, want string }{
		{"en-US", "Hello!", "greet"},
		{"de-DE", "Hallo", "greet"},
		{"en-US", "I want a cake", ""},
		{"not a language", "Hello", ""},
	} {
		for range 2 { // the second time from memory
			if got := convert.BuiltinSentences(c.language)[config.Words(c.sentence)]; got != c.want {
				t.Errorf("%s %q: %q, want %q", c.language, c.sentence, got, c.want)
			}
		}
	}
}
