package cues_test

import (
	"context"
	"testing"

	"github.com/slotway/slotway/classifier"
)

// TestTalkAnnouncesNothing says refusals, holds, questions and remarks to agents with open
// params: none of them is a text that was announced.
func TestTalkAnnouncesNothing(t *testing.T) {
	for _, name := range []string{"courier", "taxi"} {
		c := load(t, name)
		for _, text := range []string{
			"no thank you, maybe another day", "one sec", "hold on, let me look it up", "i don't know", "i'd rather not say", "what do you need that for?", "why?", "because", "because why",
			"is it safe", "to whom?", "to be honest i don't know", "from what i know it is fine", "at the moment i can't", "in a minute", "to a friend", "send it to someone else", "send it to the other one",
			"my name is none of your business", "my name is not relevant", "what is your name", "whose name is it under", "the reason is that i don't know", "what is the reason", "the note is optional?",
			"the address is on the invoice", "the address is the same as before", "my address has changed", "the new address is not known yet", "is the address right?", "to the same address", "at home",
			"the recipient is at work", "who is the recipient", "no, that's wrong", "never mind", "cancel that", "not now", "later", "ok thanks", "yes to both", "it belongs to me", "i want to talk to a person",
			"can i talk to someone", "tell me about it", "what is it about", "how about tomorrow", "i have to go to work", "you have to listen to me", "it's up to you", "from now on", "to cancel", "nothing to add",
			"i was told to wait", "look at it", "that's too much", "same to you", "go to hell", "from time to time", "back to the start",
		} {
			r, err := c.Classify(context.Background(), classifier.Input{Text: text, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Params {
				if v.Source == "announced" {
					t.Errorf("%s: %q announces %s %q", name, text, v.Param, v.Text)
				}
			}
		}
	}
}
