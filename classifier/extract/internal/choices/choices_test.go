package choices

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

func chosen(text, tag string, labels ...string) string {
	var options []classifier.Option
	for _, l := range labels {
		options = append(options, classifier.Option{Value: l, Label: l})
	}
	var out []string
	for _, c := range Read(message.New(text, "", message.LanguageOf(tag)), options) {
		out = append(out, fmt.Sprint(c.Option+1))
	}
	return strings.Join(out, " ")
}

func TestPlaces(t *testing.T) {
	rows := []string{"K-81 (garden chair)", "K-97 (bread knife)", "K-12 (tent)"}
	for _, tc := range []struct{ tag, text, want string }{
		{"en", "the second one please", "2"},
		{"en", "number 3", "3"},
		{"en", "#2", "2"},
		{"en", "2 please", "2"},
		{"en", "1 and 3", "1 3"},
		{"en", "i'd like the last one", "3"},
		{"en", "the first or the third", "1 3"},
		{"en", "one", "1"},
		{"en", "last one", "3"},
		{"en", "no, the second", "2"},
		{"en", "the first one you listed", "1"},
		{"en", "all except the first", "2 3"},
		{"en", "everything but not number 3", "1 2"},
		{"en", "one moment", ""},
		{"en", "just a second", ""},
		{"en", "give me two minutes", ""},
		{"en", "I have 2 children with me", ""},
		{"en", "does the 2nd one have a lid?", ""},
		{"en", "ring me at 3", ""},
		{"en", "it broke on the first day", ""},
		{"en", "not the second", ""},
		{"en", "one of my neighbours", ""},
		{"en", "the knife", "2"},
		{"en", "the one ending in 97", "2"},
		{"de", "die zweite bitte", "2"},
		{"de", "nummer 3", "3"},
		{"de", "die letzte", "3"},
		{"de", "einen moment", ""},
		{"de", "alle außer der ersten", ""},
		{"fr", "le deuxième", "2"},
		{"fr", "une seconde", ""},
		{"es", "el segundo por favor", "2"},
		{"es", "un segundo", ""},
	} {
		if got := chosen(tc.text, tc.tag, rows...); got != tc.want {
			t.Errorf("%s: %q chooses %q, want %q", tc.tag, tc.text, got, tc.want)
		}
	}
}

func TestShownFigures(t *testing.T) {
	for text, want := range map[string]string{
		"2": "1", "4": "2", "two": "1", "the second": "2", "number 2": "2", "4 seats": "2", "3": "3", "the one with 2": "1",
	} {
		if got := chosen(text, "en", "2 seats", "4 seats", "a bus"); got != want {
			t.Errorf("%q chooses %q, want %q", text, got, want)
		}
	}
}

func TestPressed(t *testing.T) {
	labels := []string{"Not now", "Plan A+", "Plan A-", "Plan A", "2", "1", "No frills, 2nd class"}
	for k, l := range labels {
		if got := chosen(l, "en", labels...); got != fmt.Sprint(k+1) {
			t.Errorf("%q chooses %q, want %d", l, got, k+1)
		}
	}
}
