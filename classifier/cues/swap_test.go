package cues_test

import (
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cues"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

func TestSwaps(t *testing.T) {
	r := cues.New(&config.Agent{Language: "en"})
	swaps := func(text string) bool {
		var res message.Result
		r.Read(classifier.Input{Text: text}, &res, nil)
		return res.Swap
	}
	for _, text := range []string{
		"the other way round", "no, the other way around!", "swap them", "can you swap those please", "vice versa", "it's reversed",
		"you switched them", "reverse it", "i got it backwards", "other way around please", "no you mixed them up",
	} {
		if !swaps(text) {
			t.Errorf("%q is no swap", text)
		}
	}
	for _, text := range []string{
		"", "reverse the charge", "swap it for a blue one", "is there another way", "don't swap them", "i switched to decaf",
		"from Leeds to York", "turn around", "the other one", "no",
	} {
		if swaps(text) {
			t.Errorf("%q is a swap", text)
		}
	}
}
