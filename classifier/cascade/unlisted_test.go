package cascade

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// TestAnswersThatAreNoValue: a short answer that means no value of the enumeration is reported
// apart, but not one that does something else.
func TestAnswersThatAreNoValue(t *testing.T) {
	c := newClassifier(t)
	for _, tc := range []struct{ text, want string }{
		{"gigantic", "gigantic"},
		{"the humongous one", "humongous"},
		{"a petite please", "petite"},
		{"large and petite", "petite"},

		{"dont care", ""},
		{"no clue", ""},
		{"later", ""},
		{"wtf", ""},
		{"terrific", ""},
		{"operator", ""},
		{"enough", ""},
		{"explain", ""},
		{"adios", ""},
		{"beats me", ""},
		{"why", ""},
		{"gigantic?", ""},
		{"large", ""},
		{"where is my order", ""},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text, Asked: &classifier.Asked{Param: "size"}})
		got := ""
		for _, v := range r.Wrong {
			if v.Wrong == message.WrongUnknown && v.Param == "size" {
				got = v.Text
			}
		}
		if got != tc.want {
			t.Errorf("%q: %q is told apart, want %q", tc.text, got, tc.want)
		}
	}
}
