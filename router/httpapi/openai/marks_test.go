package openai

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// The mark of a turn is durable before the turn is told; a request that fails on it is sent
// again and finds the turn.
func TestNoAnswerWithoutItsMark(t *testing.T) {
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

func TestMarksAreBounded(t *testing.T) {
	w := newFixture(t)
	c := &client{w: w}
	for range maxTrail + 10 {
		c.say("price I-1")
	}
	views, err := w.store.Views(t.Context(), memory.ViewQuery{UserID: "ann", AgentID: "stall", Tier: trailTier})
	if err != nil || len(views) != maxTrail {
		t.Fatalf("%d marks, %v; want %d", len(views), err, maxTrail)
	}
	for _, v := range views {
		if v.UpTo <= 10 {
			t.Errorf("the mark of turn %d is still there", v.UpTo)
		}
	}
}

func TestHints(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	h := &hints{size: 3, since: now}
	for i := range 100 {
		now = now.Add(time.Second)
		h.add(strings.Repeat("x", i), ref{turn: int64(i)}, now)
	}
	if len(h.at) > 3 || len(h.old) > 3 {
		t.Errorf("%d and %d hints", len(h.at), len(h.old))
	}
	last := strings.Repeat("x", 99)
	for i := range maxAlike + 5 {
		h.add(last, ref{turn: int64(i)}, now)
		h.add(last, ref{turn: int64(i)}, now)
	}
	refs, all := h.get(last, now, time.Second)
	if len(refs) != maxAlike || refs[0].turn != maxAlike+4 || refs[1].turn != maxAlike+3 || !all {
		t.Errorf("of the newest: %v, %v", refs, all)
	}
	if _, all := h.get(last, now, time.Minute); all {
		t.Errorf("all of the last minute, after much was dropped")
	}
	if refs, _ := h.get("x", now, time.Second); refs != nil {
		t.Errorf("of what was dropped: %v", refs)
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
