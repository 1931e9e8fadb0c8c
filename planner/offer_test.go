package planner

import (
	"testing"

	"github.com/slotway/slotway/classifier/message"
)

// TestOfferedFromReject holds that a task is offered from the confidence on from which the
// agent's policy says so, and to nobody who only replies.
func TestOfferedFromReject(t *testing.T) {
	near := func(confidence float64, acts ...message.Act) []exchange {
		h := heard(piece{text: "something about that old matter", acts: acts, tasks: []message.Score{{Intent: "status", Confidence: confidence}}})
		want := "Do you mean this: status?"
		if confidence < 0.3 || len(acts) > 0 {
			want = fallback
		}
		return []exchange{{h, want, nil}}
	}
	talk(t, testAgent(t), []spoken{ // its policy is the default one
		{name: "at reject", turns: near(0.3)},
		{name: "just above", turns: near(0.32)},
		{name: "below", turns: near(0.29)},
		{name: "a hold", turns: near(0.5, message.ActHold)},
		{name: "a correction of nothing", turns: near(0.5, message.ActNo, message.ActCorrect)},
	})
}
