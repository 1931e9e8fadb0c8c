package remembering

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestEvict: at the cap a new conversation replaces the least recently used one, in every store.
func TestEvict(t *testing.T) {
	for _, c := range []struct {
		evict string
		want  []string
	}{{"all", []string{"ann/1", "ann/3"}}, {"user", []string{"ann/1", "ann/3", "bob/2"}}} {
		t.Run(c.evict, func(t *testing.T) {
			runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
				a := runtimetest.Open(t, runtimetest.Config{Set: append(set, "memory.max_conversations=2", "memory.evict="+c.evict), Options: slotway.Options{NoHTTP: true}})
				say := func(user, id string) {
					t.Helper()
					a.Say(user, id, "hello")
				}
				say("ann", "1")
				say("bob", "2")
				say("ann", "1")
				say("ann", "3")
				if got := sessionsOf(t, a.Store()); !slices.Equal(got, c.want) {
					t.Errorf("%q stay, want %q", got, c.want)
				}
			})
		})
	}
}

// TestExpire: from its expiry time on nobody reads a session, in every store. A turn begins a new
// one, which stays.
func TestExpire(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		var ahead atomic.Int64
		now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		a := runtimetest.Open(t, runtimetest.Config{Set: set, Options: slotway.Options{NoHTTP: true, Now: now}}) // nothing expires in the background
		say := func(id, text string) router.Reply {
			t.Helper()
			return a.Send(router.Interaction{ID: id, Text: text, Context: router.Context{UserID: "ann", SessionID: "s"}})
		}
		key := memory.Key{UserID: "ann", AgentID: a.Agent().ID, SessionID: "s"}
		about := memory.About{Title: "old", SystemPrompt: "Be brief.", ExpiresAt: now().Add(time.Hour)}
		if err := transfer.Create(t.Context(), a.Store(), key, about, now()); err != nil {
			t.Fatal(err)
		}
		say("m1", "where is my order O-12345?")
		ahead.Store(int64(2 * time.Hour))
		if _, err := sessions.Clear(t.Context(), a.Store(), key, now()); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("Clear: %v", err)
		}
		if reply := say("m1", "thank you kindly"); reply.Turn != 1 || reply.Params["order_id"] != nil {
			t.Errorf("the message after it: %+v", reply)
		}
		if about, err := memory.AboutOf(t.Context(), a.Store(), key); err != nil || !about.Empty() {
			t.Errorf("about %+v, %v", about, err)
		}
		if got := sessionsOf(t, a.Store()); !slices.Equal(got, []string{"ann/s"}) {
			t.Errorf("there are %q", got)
		}
		list, err := a.Store().Messages(t.Context(), key, memory.Page{Inactive: true})
		if err != nil || len(list) != 2 {
			t.Errorf("%d messages, %v", len(list), err)
		}
	})
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
