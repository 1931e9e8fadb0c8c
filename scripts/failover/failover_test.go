package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// Each fault that a scenario is there to find makes it fail, and by itself.
func TestViolations(t *testing.T) {
	well := func(s scenario) *report {
		r := &report{scenario: s, Acknowledged: 1000, After: 400}
		if s.name == "sync-dead" {
			r.Refused = 9
		}
		if s.loses {
			r.Lost, r.Told, r.refusal = 7, []string{"see memory.require_sync"}, "memory.require_sync is set: no"
		}
		return r
	}
	for _, s := range scenarios {
		if list := well(s).Violations(); len(list) > 0 {
			t.Errorf("%s: %v", s.name, list)
		}
	}
	for _, c := range []struct {
		scenario string
		spoil    func(r *report)
		want     string
	}{
		{"sync", func(r *report) { r.Lost = 1 }, "1 turns were answered and are lost"},
		{"sync", func(r *report) { r.Doubled = 1 }, "1 notes were written twice"},
		{"sync", func(r *report) { r.After = 3 }, "too few"},
		{"sync", func(r *report) { r.Stuck = 2 }, "2 conversations"},
		{"sync", func(r *report) { r.Other = 2 }, "2 answers were neither"},
		{"sync-dead", func(r *report) { r.WithoutStandby = 3 }, "3 turns were answered while"},
		{"sync-dead", func(r *report) { r.Refused = 0 }, "nobody was refused"},
		{"async", func(r *report) { r.Lost = 0 }, "nothing is lost"},
		{"async", func(r *report) { r.Told = nil }, "nobody was warned"},
		{"off", func(r *report) { r.refusal = "" }, "does not refuse"},
	} {
		s := chosenScenarios(c.scenario)[0]
		r := well(s)
		c.spoil(r)
		if list := r.Violations(); len(list) != 1 || !strings.Contains(list[0], c.want) {
			t.Errorf("%s: %v, want one about %q", c.scenario, list, c.want)
		}
	}
}

// A turn counts as lost that is not there, or is there with another number or another reply.
func TestLostTurnsAreCounted(t *testing.T) {
	store := inmem.New(nil)
	key := memory.Key{UserID: "local", AgentID: "notes", SessionID: "s"}
	s, err := memory.NewConversations(store, 0).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	s.RecordTurn(memory.Turn{RequestID: "m1", Outcome: "responded", Response: []byte(`{"reply":"yes"}`)})
	if err := s.Commit(t.Context(), s.UpdatedAt()); err != nil {
		t.Fatal(err)
	}
	r := &report{}
	if err := r.count(t.Context(), store, "s", []answer{
		{session: "s", id: "m1", reply: "yes", turn: 1, phase: after},
		{session: "s", id: "m1", reply: "no", turn: 1, phase: ahead},
		{session: "s", id: "m1", reply: "yes", turn: 2, phase: ahead},
		{session: "s", id: "m2", reply: "yes", turn: 2, phase: whole},
	}); err != nil {
		t.Fatal(err)
	}
	if r.Lost != 3 || r.LostBefore != 1 {
		t.Errorf("%d lost and %d before the lag, want 3 and 1", r.Lost, r.LostBefore)
	}
	if err := r.count(t.Context(), store, "gone", []answer{{session: "gone", id: "m1"}}); err != nil || r.Lost != 4 {
		t.Errorf("%d lost with a session that is gone: %v", r.Lost, err)
	}
}

func TestThePadCounts(t *testing.T) {
	p := newPad()
	defer p.close()
	for _, note := range []string{"N-1", "N-2", "N-1"} {
		res, err := http.Get(p.server.URL + "/jot?note=" + note)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	if got := p.doubled(); got != 1 {
		t.Errorf("%d notes were written twice, want 1", got)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"-scenario", "none"}, {"-clients", "0"}, {"more"}, {"-what"}} {
		var out bytes.Buffer
		if code := run(t.Context(), args, io.Discard, &out); code != 2 || out.Len() == 0 {
			t.Errorf("%v: exit %d, %q", args, code, out.String())
		}
	}
}
