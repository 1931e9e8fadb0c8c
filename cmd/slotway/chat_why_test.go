package main

import (
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// The terminal shows what can be said, under the reply.
func TestTheTerminalOffers(t *testing.T) {
	shop := runtimetest.OpenShop(t)
	c, screen := onScreen(&localBackend{app: shop.Runtime.Runtime, user: "local"}, "c1")
	for _, step := range []struct{ line, want string }{
		{"cancel order O-12345", "\r\n  Yes · No\r\n"},
		{"no", ""},
	} {
		if err := c.line(t.Context(), step.line); err != nil {
			t.Fatal(err)
		}
		if got := screen(); !strings.Contains(got, step.want) || step.want == "" && strings.Contains(got, " · ") {
			t.Errorf("%s: %q, want %q", step.line, got, step.want)
		}
	}
	c.colour = true
	c.offer([]planner.Suggestion{{Title: "A"}, {Title: "B"}})
	if got := screen(); !strings.Contains(got, "\x1b[2m  A · B\x1b[0m") {
		t.Errorf("in colour: %q", got)
	}
}

// /why tells of the last reply alone: of this session, with its rules and what was left over.
func TestWhy(t *testing.T) {
	place := &localBackend{user: "local"}
	place.last.session, place.last.turn = "c1", 2
	place.last.trace.Interpretation = planner.Interpretation{
		Chosen:    []planner.ScoredReading{{Rule: "answer", Intent: "cancel_order", Score: 0.9, Evidence: 0.95, Share: 0.5, Spans: [][2]int{{0, 3}, {5, 9}}}},
		RunnersUp: []planner.ScoredReading{{Rule: "another task", Score: 0.25}},
	}
	c, screen := onScreen(place, "c1")
	why := func() (string, error) {
		err := c.line(t.Context(), "/why")
		return screen(), err
	}
	if _, err := why(); err == nil || !strings.Contains(err.Error(), "say something first") {
		t.Errorf("before anything was said: %v", err)
	}
	c.last = &router.Reply{SessionID: "c1", Turn: 2, Intent: "cancel_order", Unheard: []router.Unheard{{Text: "for my mother"}, {Text: "quickly", Told: true}}}
	got, err := why()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"taken for: cancel_order\r\n",
		"because of: answer of cancel_order (0.90); evidence 0.95, share 50 %, characters 1-3, 6-9\r\n",
		"rather than: another task (0.25); evidence 0.00, share 0 %\r\n",
		`left over, not told: "for my mother"`, `left over, told: "quickly"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("/why lacks %q:\n%s", want, got)
		}
	}
	place.last.trace.Interpretation = planner.Interpretation{}
	if got, err := why(); err != nil || !strings.Contains(got, "no rule says") {
		t.Errorf("without an account: %q, %v", got, err)
	}
	place.last.turn = 1
	if _, err := why(); err == nil || !strings.Contains(err.Error(), "not known any more") {
		t.Errorf("of another turn: %v", err)
	}
	c.session = "c2"
	if _, err := why(); err == nil || !strings.Contains(err.Error(), "say something first") {
		t.Errorf("of another session: %v", err)
	}
}

// Over HTTP the trace tells it, as long as the server keeps that.
func TestWhyOverHTTP(t *testing.T) {
	d := &distant{shelf: map[string]string{
		"GET /v1/sessions/s0/trace?turn=1": `{"turn":1,"path":[],"events":[{"stage":"received","payload":{}},{"stage":"classify","payload":{"intent":"x",` +
			`"chosen":[{"rule":"yes","intent":null,"score":0.5,"evidence":1,"share":1,"spans":[{"start":0,"end":3}]}],"runners_up":[{"rule":"no","intent":"pay","score":0.125,"evidence":0,"share":0,"spans":[]}]}}]}`,
	}}
	var waits []time.Duration
	c, screen := onScreen(placeAt(t, d.serve(t, nil), &waits), "s0")
	if err := c.line(t.Context(), "hi"); err != nil {
		t.Fatal(err)
	}
	screen()
	if err := c.line(t.Context(), "/why"); err != nil {
		t.Fatal(err)
	}
	if got := screen(); !strings.Contains(got, "because of: yes (0.50); evidence 1.00, share 100 %, characters 1-3\r\n") || !strings.Contains(got, "rather than: no of pay (0.12)") {
		t.Errorf("/why: %q", got)
	}
	delete(d.shelf, "GET /v1/sessions/s0/trace?turn=1")
	if err := c.line(t.Context(), "/why"); err == nil || !strings.Contains(err.Error(), "not known any more") {
		t.Errorf("of a trace that is gone: %v", err)
	}
}
