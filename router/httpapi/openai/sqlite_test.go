package openai

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/sqlstore"
	"github.com/slotway/slotway/router"
)

func openStore(t testing.TB, path string) *sqlstore.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// A client that kept its history goes on after the service was stopped and started.
func TestHistoriesOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	store := openStore(t, path)
	w := newFixtureOver(t, store, router.Options{})
	c := &client{w: w}
	c.say("buy")
	asked := c.say("I-7")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	w = newFixtureOver(t, openStore(t, path), router.Options{})
	c.w = w
	if again := w.complete(c.said[:3]...); cmp.Diff(asked, again) != "" {
		t.Errorf("the message again: %+v, want %+v", again, asked)
	}
	if got := c.say("yes"); got.text() != "You have bought I-7." || got.Slotway.SessionID != asked.Slotway.SessionID {
		t.Errorf("on: %+v", got)
	}
}

// BenchmarkAHistory is one message of a conversation that is carried by its history, by how many
// sessions its user has.
func BenchmarkAHistory(b *testing.B) {
	for _, sessions := range []int{10, 1000} {
		w := newFixtureOver(b, openStore(b, filepath.Join(b.TempDir(), "memory.db")), router.Options{})
		for i := range sessions {
			w.complete(fmt.Sprintf("price I-%d", i))
		}
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			c, n := &client{w: w}, 0
			for b.Loop() {
				if n%10 == 0 {
					c = &client{w: w}
					c.say(fmt.Sprintf("blah %d", n))
				}
				n++
				c.say("price I-1")
			}
		})
	}
}

// BenchmarkALongHistory is what the longest history costs that a body holds, of which
// nothing is known, for a user with a thousand sessions.
func BenchmarkALongHistory(b *testing.B) {
	w := newFixtureOver(b, openStore(b, filepath.Join(b.TempDir(), "memory.db")), router.Options{})
	for i := range 1000 {
		w.complete(fmt.Sprintf("price I-%d", i))
	}
	body := long(1800, user)
	for b.Loop() {
		w.send("POST", "/v1/chat/completions", body)
	}
}
