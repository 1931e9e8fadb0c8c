package cascade

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
)

// speaks is an embedder with common words.
type speaks struct{ letters }

func (speaks) Rank(word []byte) (int, bool) {
	at := slices.Index(strings.Fields("the my please to a is where want jonn"), string(word))
	return at, at >= 0
}

// Misspelt words are repaired for the intent alone: what is stored is what was written.
func TestMisspeltRequest(t *testing.T) {
	c, err := New(supportAgent(), &Options{Linear: &linear.Options{Embedder: speaks{}}})
	if err != nil {
		t.Fatal(err)
	}
	in := classifier.Input{Text: "plaese cnacel my oredr O-12345, mail jonn.smoht@exmaple.org"}
	r := classify(t, c, in)
	if r.Intent != "cancel_order" || r.Confidence < 0.55 {
		t.Errorf("Classify(%q) = %s %.2f", in.Text, r.Intent, r.Confidence)
	}
	if !slices.ContainsFunc(r.Params, func(v message.Value) bool { return v.Value == "jonn.smoht@exmaple.org" }) {
		t.Errorf("the address is not what was written: %v", r.Params)
	}
	for _, v := range r.Params {
		if got := string([]rune(in.Text)[v.Start:v.End]); got != v.Text {
			t.Errorf("%s: text %q, the message has %q there", v.Param, v.Text, got)
		}
	}
}

// The words of enumerations and names are the agent's own, and common words are those of
// its language.
func TestSpellings(t *testing.T) {
	c := newClassifier(t)
	words, common := c.spellings(supportAgent(), speaks{})
	for _, want := range []string{"extra large", "by accident", "pickup"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is not among the agent's words", want)
		}
	}
	if common == nil || !slices.IsSorted(words) {
		t.Errorf("dictionary %v, words %v", common, words)
	}
	c.english = false
	if _, common := c.spellings(supportAgent(), speaks{}); common != nil {
		t.Error("English words in another language")
	}
}
