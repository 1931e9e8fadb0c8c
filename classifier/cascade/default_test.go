package cascade

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// TestDefaultAgent talks to the embedded agent: a first impression must be right.
func TestDefaultAgent(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text, intent string
		least, most  float64
	}{
		{"I want to check my order", "order_status", 0.6, 1},
		{"where is my order?", "order_status", sure, 1},
		{"please cancel O-12345", "cancel_order", sure, 1},
		{"change my shipping address", "change_address", sure, 1},
		{"yes", "affirm", 1, 1},
		{"never mind", "cancel", 1, 1},
		{"help", "help", 1, 1},
		{"talk to a human", "human", sure, 1},
		{"O-12345", "", 0, 0.5},
		{"It's O-12345", "", 0, 0.5},
		{"what's the weather", "", 0, 0.5},
		{"asdf qwer", "", 0, 0.5},
	} {
		r := classify(t, c, classifier.Input{Text: tc.text})
		if tc.intent != "" && r.Intent != tc.intent || r.Confidence < tc.least || r.Confidence > tc.most {
			t.Errorf("Classify(%q) = %s %.2f %v, want %s in [%v,%v]", tc.text, r.Intent, r.Confidence, r.Ranking, tc.intent, tc.least, tc.most)
		}
	}
}
