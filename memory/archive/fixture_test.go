package archive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// triggers are phrases that widen a search.
var triggers = []string{"last time", "previously", "in the past", "you told me", "we talked about", "as before"}

// fixture is a store with a tier over it.
type fixture struct {
	testing.TB
	ctx   context.Context
	store memory.Backend
	tier  *Tier
	clock time.Time
}

func newFixture(t testing.TB, opts *Options) *fixture {
	t.Helper()
	w := &fixture{TB: t, ctx: t.Context(), store: inmem.New(nil), clock: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	w.open(opts)
	return w
}

// open replaces the tier, as a restart does.
func (w *fixture) open(opts *Options) {
	var o Options
	if opts != nil {
		o = *opts
	}
	o.Now = func() time.Time { return w.clock }
	w.tier = New(w.store, &o)
}

func keyOf(path string) memory.Key {
	p := strings.Split(path, "/")
	return memory.Key{UserID: p[0], AgentID: p[1], SessionID: p[2]}
}

func (w *fixture) session(path string) *memory.Session {
	w.Helper()
	s, err := memory.NewConversations(w.store, 8).ForSession(w.ctx, keyOf(path))
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// turn commits one exchange: what the user says and what is replied.
func (w *fixture) turn(path string, lines ...string) memory.Progress {
	w.Helper()
	w.clock = w.clock.Add(time.Minute)
	s := w.session(path)
	for i, text := range lines {
		role := memory.User
		if i%2 == 1 {
			role = memory.Agent
		}
		s.Append(memory.Message{Role: role, Text: text, Timestamp: w.clock})
	}
	s.RecordTurn(memory.Turn{})
	p := s.Progress()
	if err := s.Commit(w.ctx, w.clock); err != nil {
		w.Fatal(err)
	}
	return p
}

// talk commits lines two by two.
func (w *fixture) talk(path string, lines ...string) {
	w.Helper()
	for pair := range slices.Chunk(lines, 2) {
		w.turn(path, pair...)
	}
}

func (w *fixture) archive(path string) int {
	w.Helper()
	n, err := w.tier.Archive(w.ctx, keyOf(path))
	if err != nil {
		w.Fatal(err)
	}
	return n
}

func (w *fixture) work(path string) {
	w.Helper()
	if err := w.tier.Work(w.ctx, memory.Job{Key: keyOf(path), Kind: Kind}); err != nil {
		w.Fatal(err)
	}
}

// docs are the documents of a session.
func (w *fixture) docs(path string) []Document {
	w.Helper()
	views, err := w.store.Views(w.ctx, memory.ViewsOf(keyOf(path), Name, ""))
	if err != nil {
		w.Fatal(err)
	}
	var out []Document
	for i := range views {
		d, err := documentOf(&views[i])
		if err != nil {
			w.Fatal(err)
		}
		out = append(out, *d)
	}
	return out
}

func (w *fixture) search(q Query) []Result {
	w.Helper()
	found, err := w.tier.Search(w.ctx, q)
	if err != nil {
		w.Fatal(err)
	}
	return found
}

// found are the sessions in which a user finds something.
func (w *fixture) found(user, text string) []string {
	w.Helper()
	var out []string
	for _, r := range w.search(Query{Key: keyOf(user + "/shop/now"), Text: text, Exclude: "now"}) {
		out = append(out, r.Key.SessionID)
	}
	return out
}

var cancelled = []string{
	"Hi, where is my order O-12345? I ordered it for Greta Lindqvist.", "Order O-12345 is delayed at the depot in Malmo. Shall I cancel order O-12345?",
	"Yes please.", "Order O-12345 has been cancelled. You paid 49 euro by card.",
	"When will the money for the headphones be back? Write to greta@example.com.", "I don't know, I will check with the bank.",
	"The headphones should have come on 3 March. My sister Greta needs the headphones.", "I am sorry about the headphones.",
}

var refunded = []string{
	"The lamp I bought arrived broken.", "I can send a new lamp or give you a refund of 20 euro. Which do you prefer?",
	"I'll take the refund.", "The refund of 20 euro has been issued.",
}
