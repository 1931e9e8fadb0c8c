package cascade

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// A part of a message takes its place only where it is clearly surer, or courtesy stands beside it.
func TestStands(t *testing.T) {
	c := newClassifier(t)
	c.courteous = map[string]bool{"praise": true}
	guess := func(intent string, p float64) []message.Score {
		return []message.Score{{Intent: intent, Confidence: p}}
	}
	for _, tc := range []struct {
		text, core string
		whole      float64
		task       string
		rival      []message.Score
		want       bool
	}{
		{"i want my money, do you know why", "i want my money", 0.7, "refund", guess("cancel_order", 0.84), true},
		{"i want my money, do you know why", "i want my money", 0.7, "refund", guess("cancel_order", 0.95), false},
		{"i want my money, do you know why", "i want my money", 0.5, "refund", guess("cancel_order", 0.6), false},
		{"i want my money, do you know why", "i want my money", 0.7, "refund", guess("refund", 0.6), false},
		{"i want my money, do you know why", "i want my money", 0.7, "refund", nil, false},
		{"good morning, i want my money", "i want my money", 0.7, "refund", guess("cancel_order", 0.84), false},
		{"i want my money thanks", "i want my money", 0.7, "refund", guess("cancel_order", 0.84), false},
		{"that is good, olly", "olly", 0.9, "praise", guess("cancel_order", 0.84), true},
		{"that is good, olly", "olly", 0.8, "praise", guess("cancel_order", 0.84), false},
		{"that is good, my order", "my order", 0.9, "praise", guess("cancel_order", 0.84), false},
		{"it was nice, thank you", "it was nice", 0.7, "praise", guess("praise", 0.5), true},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text})
		r.Intent, r.Confidence = tc.task, tc.whole
		pieces := cut(tc.text, message.Tokenize(tc.text, nil), nil)
		var core []piece
		for n := len(pieces); n > 0 && core == nil; n-- {
			for from := 0; from+n <= len(pieces); from++ {
				if join(pieces[from:from+n]) == tc.core {
					core = pieces[from : from+n]
				}
			}
		}
		if got := c.stands(tc.text, pieces, core, &r, tc.rival); got != tc.want {
			t.Errorf("%q as %s %.2f against %v: stands %t", tc.text, tc.task, tc.whole, tc.rival, got)
		}
	}
}

// Praise that an agent has as a task stays praise, although a part of it is no thanks.
func TestPraiseStands(t *testing.T) {
	a := supportAgent()
	a.System = nil
	praise := &config.Intent{ID: "praise", Examples: marked("great job thanks\nthat was nice thank you\nit was useful thank you so much\ngood job\nthank you very much olly\nyou did a nice job\nwell done thanks")}
	a.Intents = append(slices.Clone(a.Intents), praise)
	c, err := New(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !c.courteous["praise"] {
		t.Fatalf("courteous: %v", c.courteous)
	}
	for text, want := range map[string]string{
		"it was useful, thank you":                "praise",
		"that was useful, thank you so much olly": "praise",
		"it was nice job, thanks.":                "praise",
		"great job, where is my order?":           "order_status",
	} {
		if r := classify(t, c, classifier.Input{Text: text}); r.Intent != want {
			t.Errorf("Classify(%q) = %s %.2f %v", text, r.Intent, r.Confidence, r.Ranking)
		}
	}
}
