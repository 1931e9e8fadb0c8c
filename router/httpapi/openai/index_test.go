package openai

import (
	"net/http"
	"testing"

	"github.com/slotway/slotway/memory"
)

// The index entry of a turn is durable before the turn is answered; a request that fails on it is
// sent again and finds the turn.
func TestNoAnswerWithoutItsEntry(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	c.say("buy I-7")
	w.store.OnPutViews(func() error { return memory.ErrUnavailable })
	res := w.send("POST", "/v1/chat/completions", history("buy I-7", "Order I-7?", "yes"))
	got := read[map[string]*apiError](t, res, http.StatusServiceUnavailable)
	if got["error"].Type != serverError || res.Header.Get("Retry-After") != "1" {
		t.Errorf("error %+v", got["error"])
	}
	if got := c.say("yes"); got.text() != "You have bought I-7." || len(w.purchases()) != 1 {
		t.Errorf("again: %+v, %v", got, w.purchases())
	}
	if got := c.say("price"); got.text() != "One I-7 costs ten." || got.Slotway.History != continued {
		t.Errorf("on: %+v", got)
	}
}

func TestTheIndexIsBounded(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	for range maxIndexed + 10 {
		c.say("price I-1")
	}
	views, err := w.store.Views(t.Context(), memory.ViewQuery{UserID: "ann", AgentID: "stall", Tier: historyTier})
	if err != nil || len(views) != maxIndexed {
		t.Fatalf("%d entries, %v; want %d", len(views), err, maxIndexed)
	}
	for _, v := range views {
		if v.UpTo <= 10 {
			t.Errorf("the entry of turn %d is still there", v.UpTo)
		}
	}
}

func TestIdempotencyKey(t *testing.T) {
	w := newFixture(t)
	send := func(key string, said ...string) told {
		return read[told](t, w.send("POST", "/v1/chat/completions", history(said...), "Idempotency-Key", key), http.StatusOK)
	}
	first := send("k1", "buy I-7")
	if again := send("k1", "buy I-7"); again.ID != first.ID {
		t.Errorf("the first message again began %s beside %s", again.ID, first.ID)
	}
	if other := send("k2", "buy I-7"); other.Slotway.SessionID == first.Slotway.SessionID {
		t.Errorf("another key went to the same session")
	}
	bought := send("k3", "buy I-7", "Order I-7?", "yes")
	if again := send("k3", "buy I-7", "Order I-7?", "yes"); again.ID != bought.ID || len(w.purchases()) != 1 {
		t.Errorf("again: %+v, %v", again, w.purchases())
	}
}
