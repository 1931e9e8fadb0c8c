package cascade

import (
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/linear"
	"github.com/slotway/slotway/classifier/message"
)

func TestSpokenCountsRuns(t *testing.T) {
	for text, want := range map[string]int{
		"yes please do": 3, "好": 1, "好的": 1, "谢谢你": 2, "好的，可是我的订单在哪里": 6, "ใช่ครับ": 2, "O-12345 hallo": 3,
	} {
		if got := spoken(cut(text, message.Tokenize(text, nil), nil)); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

// counting is an embedder that counts what it is asked to embed.
type counting struct {
	letters
	texts *atomic.Int64
}

func (c counting) EmbedInto(dst []float32, text string) {
	c.texts.Add(1)
	c.letters.EmbedInto(dst, text)
}

// Vectors are of English words: an agent in another language goes without them.
func TestVectorsKnowOneLanguage(t *testing.T) {
	for tag, want := range map[string]bool{"en": true, "en-GB": true, "de": false, "zh": false} {
		agent := supportAgent()
		agent.Language = tag
		var texts, words atomic.Int64
		o := &Options{Linear: &linear.Options{Embedder: counting{texts: &texts}}, Words: counting{texts: &words}}
		c, err := New(agent, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Classify(t.Context(), classifier.Input{Text: "where is my order"}); err != nil {
			t.Fatal(err)
		}
		if got := texts.Load() > 0; got != want {
			t.Errorf("%s: the vectors of texts are used: %t", tag, got)
		}
		if words.Load() > 0 && !want {
			t.Errorf("%s: the vectors of words are used", tag)
		}
		if o.Words == nil || o.Linear.Embedder == nil {
			t.Errorf("%s: the caller's options were changed", tag)
		}
	}
}

// What is an answer in English may be a part of a request in another language.
func TestLeadsAreOfTheLanguage(t *testing.T) {
	for _, tc := range []struct{ tag, text, want string }{
		{"en", "no where is my order", "deny"}, {"es", "no where is my order", ""}, {"es", "no, where is my order", "deny"},
	} {
		agent := supportAgent()
		agent.Language = tc.tag
		c, err := New(agent, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Classify(t.Context(), classifier.Input{Text: tc.text})
		if err != nil {
			t.Fatal(err)
		}
		if r.Lead.Intent != tc.want {
			t.Errorf("%s: %q opens with %q, want %q", tc.tag, tc.text, r.Lead.Intent, tc.want)
		}
	}
}
