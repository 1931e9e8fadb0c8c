package openai

import (
	"testing"

	"github.com/slotway/slotway/router"
)

// A client that only keeps a history stays in the session that a person has, and goes on there with the
// agent. It is told of the person instead of being shown an empty answer.
func TestAPersonHasTheSessionOfAHistory(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	session := c.say("buy I-7").Slotway.SessionID
	acts := func(a router.Action, text string) router.Reply {
		t.Helper()
		reply, err := w.api.Turn(t.Context(), router.Interaction{
			Text: text, HandOver: &router.HandOver{Action: a, By: "Ann"}, Context: router.Context{SessionID: session, UserID: "ann"},
		})
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	const held = "A colleague has this conversation now and will answer you."
	acts(router.ActionTake, "")
	for _, said := range []string{"yes", "hello?", "yes"} {
		got := c.say(said)
		if got.text() != held || got.Slotway.SessionID != session || got.Slotway.History != continued {
			t.Errorf("%q to the person: %+v", said, got)
		}
		acts(router.ActionAnswer, "One moment.")
	}
	if again := w.complete(c.said[:3]...); again.text() != held || again.Slotway.SessionID != session {
		t.Errorf("the message again: %+v", again)
	}
	acts(router.ActionGiveBack, "")
	for _, want := range []string{"Order I-7?", "You have bought I-7."} {
		if got := c.say("yes"); got.text() != want || got.Slotway.SessionID != session {
			t.Errorf("after the give back: %+v, want %q", got, want)
		}
	}
	if n := len(w.purchases()); n != 1 {
		t.Errorf("%d purchases", n)
	}
}
