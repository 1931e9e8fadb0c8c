package main

import (
	"slices"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// Where the cap evicts, a third conversation takes the place of the one used least recently, in
// every store; and a session goes when its own time has come.
func TestEvictAndExpire(t *testing.T) {
	for _, c := range []struct {
		evict string
		want  []string
	}{{"all", []string{"ann/1", "ann/3"}}, {"user", []string{"ann/1", "ann/3", "bob/2"}}} {
		t.Run(c.evict, func(t *testing.T) {
			everyStore(t, func(t *testing.T, set ...string) {
				f := &flags{data: t.TempDir(), set: append(set, "memory.max_conversations=2", "memory.evict="+c.evict)}
				a, err := newApp(t.Context(), f, slotway.Options{NoHTTP: true})
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				say := func(user, id string) {
					t.Helper()
					if _, err := a.Router().Handle(t.Context(), router.Interaction{Text: "hello", Context: router.Context{UserID: user, SessionID: id}}); err != nil {
						t.Fatal(err)
					}
				}
				say("ann", "1")
				say("bob", "2")
				say("ann", "1")
				say("ann", "3")
				if got := sessionsOf(t, a.Store()); !slices.Equal(got, c.want) {
					t.Errorf("%q stay, want %q", got, c.want)
				}
				key := memory.Key{UserID: "ann", AgentID: a.Agent().ID, SessionID: "3"}
				if err := a.Store().Describe(t.Context(), key, memory.About{ExpiresAt: time.Now().Add(-time.Second)}); err != nil {
					t.Fatal(err)
				}
				if n, err := memory.Expire(t.Context(), a.Store(), time.Now()); n != 1 || err != nil || slices.Contains(sessionsOf(t, a.Store()), "ann/3") {
					t.Errorf("Expire = %d, %v", n, err)
				}
			})
		})
	}
}

func sessionsOf(t *testing.T, store memory.Backend) []string {
	t.Helper()
	list, err := store.Sessions(t.Context(), memory.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, in := range list {
		out = append(out, in.Key.UserID+"/"+in.Key.SessionID)
	}
	slices.Sort(out)
	return out
}
