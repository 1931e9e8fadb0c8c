package openai

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
)

// Nothing that is stored readably in an encrypted store is a digest that somebody without its
// key can make of what was said: neither of the history, nor of what follows from it.
func TestNoDigestCanBeGuessed(t *testing.T) {
	keys, err := encrypted.ParseKeys(strings.Repeat("4d", 32))
	if err != nil {
		t.Fatal(err)
	}
	inner := inmem.New(nil)
	w := newFixtureOver(t, encrypted.New(inner, keys), router.Options{})
	c := &client{w: w}
	c.say("buy I-7")
	c.say("yes")
	c.say("price I-4711")
	w.complete("price I-9", "It is 5.", "price I-4712") // a history of which nobody knows
	owner := memory.Key{UserID: "ann", AgentID: "stall"}
	var guesses []string
	for n := range 6 {
		said := make([]line, min(n, len(c.said)))
		for i := range said {
			said[i] = line{[]string{user, assistant}[i%2], c.said[i]}
		}
		guesses = append(guesses, (digests{}).history(owner, "history", said, len(said))[0]...)
	}
	stored := readable(t, inner)
	for _, g := range guesses {
		if strings.Contains(stored, g) || strings.Contains(stored, g[:32]) {
			t.Errorf("a digest that anybody can make is stored: %s", g)
		}
	}
	if !strings.Contains(stored, w.adapter.digests.history(owner, "history", []line{{user, c.said[0]}}, 1)[0][0]) {
		t.Error("what the test looks at does not hold the digests that there are")
	}
}

// readable is all of a store that somebody reads who has no key.
func readable(t *testing.T, store memory.Backend) string {
	t.Helper()
	var out bytes.Buffer
	infos, err := store.Sessions(t.Context(), memory.Query{})
	if err != nil || len(infos) == 0 {
		t.Fatal(infos, err)
	}
	for i := range infos {
		if err := store.Export(t.Context(), infos[i].Key, &out); err != nil {
			t.Fatal(err)
		}
	}
	for _, tier := range []string{historyTier, forkTier} {
		views, err := store.Views(t.Context(), memory.ViewQuery{Tier: tier})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range views {
			out.WriteString(v.ID + "\n")
		}
	}
	return out.String()
}
