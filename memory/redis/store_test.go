package redis

import (
	"errors"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/seal"
)

// The same tests as for every store, with a Redis that works.
func TestStore(t *testing.T) {
	url := server(t)
	for name, truth := range truths {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen counts
			storetest.Run(t, func(t *testing.T) memory.Backend {
				return open(t, truth(t), url, Options{observe: seen.observe})
			})
			if seen.of(OpLoad, Hit) == 0 || seen.of(OpLoad, Damaged) > 0 || seen.of(OpLoad, Failed) > 0 {
				t.Errorf("outcomes: %v", seen.n)
			}
			t.Logf("outcomes: %v", seen.n)
		})
	}
}

func TestStoreWithoutRedis(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	g.setShut(true)
	storetest.Run(t, func(t *testing.T) memory.Backend { return open(t, inmem.New(nil), g.url(), Options{}) })
}

func TestBadURL(t *testing.T) {
	for _, url := range []string{"", "http://127.0.0.1", "redis://ada:hunter2@127.0.0.1:notaport/0", "redis://:hunter2@127.0.0.1/x", "\x7f"} {
		_, err := New(inmem.New(nil), url, nil)
		if !errors.Is(err, ErrBadURL) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("New(%q): %v", url, err)
		}
	}
}

var ada = memory.Key{UserID: "ada", AgentID: "shop", SessionID: "one"}

// say commits a turn of two messages and returns the session's version.
func say(t testing.TB, s memory.Backend, key memory.Key, text string) int64 {
	t.Helper()
	session, err := memory.NewConversations(s, 10).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	session.Append(memory.Message{Role: memory.User, Text: text, Timestamp: now, Metadata: map[string]string{"k": text}})
	session.Append(memory.Message{Role: memory.Agent, Text: "you said " + text, Timestamp: now})
	session.Merge(map[string]any{"said": text})
	session.RecordTurn(memory.Turn{})
	if err := session.Commit(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	return session.Version()
}

func load(t testing.TB, s memory.Backend, key memory.Key, n int) *memory.Snapshot {
	t.Helper()
	snap, err := s.Load(t.Context(), key, memory.LoadOptions{Recent: n})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// A conversation is read from Redis from its second turn on, and what was changed behind
// the cache's back is seen.
func TestHitsAndStaleness(t *testing.T) {
	truth := inmem.New(nil)
	var seen counts
	s := open(t, truth, server(t), Options{observe: seen.observe})
	for range 5 {
		say(t, s, ada, "hello")
	}
	if hits := seen.of(OpLoad, Hit); hits != 4 {
		t.Errorf("%d hits in 5 turns, want 4: %v", hits, seen.n)
	}
	say(t, truth, ada, "another replica, without Redis")
	if snap := load(t, s, ada, 10); snap.Recent[len(snap.Recent)-1].Text != "you said another replica, without Redis" {
		t.Errorf("read %q", snap.Recent[len(snap.Recent)-1].Text)
	}
	if seen.of(OpLoad, Stale) != 1 {
		t.Errorf("outcomes: %v", seen.n)
	}
	load(t, s, ada, 10)
	if seen.of(OpLoad, Hit) != 5 {
		t.Errorf("not read from Redis after the entry was stale: %v", seen.n)
	}
}

// Bounds on messages and bytes hold, and what they leave out is read from the store.
func TestBounds(t *testing.T) {
	var seen counts
	o := Options{observe: seen.observe, Window: 10, MaxBytes: 3000}
	s := open(t, inmem.New(nil), server(t), o)
	for range 20 {
		say(t, s, ada, strings.Repeat("x", 30))
	}
	e, outcome := s.cache.read(t.Context(), s.cache.placeOf(ada))
	if len(e.Messages) != 10 || outcome != Hit {
		t.Errorf("%s: the entry has %d messages, want 10", outcome, len(e.Messages))
	}
	if ttl, err := direct(t).PTTL(t.Context(), s.cache.placeOf(ada)).Result(); ttl <= 0 || ttl > time.Hour || err != nil {
		t.Errorf("TTL %v, %v", ttl, err)
	}
	say(t, s, ada, strings.Repeat("y", 1500))
	if value := valueOf(t, s, ada); len(value) > o.MaxBytes {
		t.Errorf("the entry has %d bytes", len(value))
	}
	if snap := load(t, s, ada, 10); len(snap.Recent) != 10 {
		t.Errorf("%d messages", len(snap.Recent))
	}
}

// What is deleted, cleared or undone is not left in Redis.
func TestNothingStays(t *testing.T) {
	server(t)
	for name, do := range map[string]func(s *Store) error{
		"delete": func(s *Store) error { return s.Delete(t.Context(), ada) },
		"clear": func(s *Store) error {
			session, err := memory.NewConversations(s, 10).ForSession(t.Context(), ada)
			if err != nil {
				return err
			}
			if _, err := session.Clear(); err != nil {
				return err
			}
			return session.Commit(t.Context(), time.Now())
		},
		"prune": func(s *Store) error {
			_, err := s.Prune(t.Context(), time.Now().Add(time.Hour))
			return err
		},
		"erase": func(s *Store) error {
			_, err := memory.Erase(t.Context(), s, "ada")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			s := open(t, inmem.New(nil), g.url(), Options{Pause: time.Nanosecond})
			for _, reachable := range []bool{true, false} {
				say(t, s, ada, "canary-5b1d")
				wantCanary(t, s, true)
				g.setShut(!reachable)
				if err := do(s); err != nil {
					t.Fatal(err)
				}
				g.setShut(false)
				if !reachable {
					load(t, s, memory.Key{UserID: "eve", AgentID: "a", SessionID: "s"}, 5) // anybody's Load makes up for it
				}
				wantCanary(t, s, false)
				// The mark of what is gone keeps the next round from being cached.
				if err := direct(t).Del(t.Context(), s.cache.placeOf(ada)).Err(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func wantCanary(t *testing.T, s *Store, want bool) {
	t.Helper()
	if got := strings.Contains(valueOf(t, s, ada), "canary-5b1d"); got != want {
		t.Errorf("the text is in Redis: %v, want %v", got, want)
	}
}

// valueOf is what Redis holds of a session; "": nothing.
func valueOf(t *testing.T, s *Store, key memory.Key) string {
	t.Helper()
	value, err := direct(t).Get(t.Context(), s.cache.placeOf(key)).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		t.Fatal(err)
	}
	return value
}

// Below the sealing store the cache sees nothing that could be read.
func TestEncrypted(t *testing.T) {
	keys, err := seal.ParseKeys(strings.Repeat("a1", 32))
	if err != nil {
		t.Fatal(err)
	}
	var seen counts
	cached := open(t, inmem.New(nil), server(t), Options{observe: seen.observe})
	s := seal.New(cached, keys)
	for range 3 {
		say(t, s, ada, "canary-5b1d")
	}
	if seen.of(OpLoad, Hit) != 2 {
		t.Errorf("outcomes: %v", seen.n)
	}
	if snap := load(t, s, ada, 2); snap.Recent[1].Text != "you said canary-5b1d" {
		t.Errorf("read %q", snap.Recent[1].Text)
	}
	wantCanary(t, cached, false)
}

// A Load that began before a deletion does not bring back what it read.
func TestLateFill(t *testing.T) {
	s := open(t, inmem.New(nil), server(t), Options{tombstoneTTL: time.Minute})
	place := s.cache.placeOf(ada)
	for name, c := range map[string]struct{ before, meanwhile func() }{
		"advanced": {meanwhile: func() { say(t, s, ada, "next") }},
		"deleted":  {meanwhile: func() { s.cache.forget(t.Context(), place) }},
		"deleted and not cached": {
			before:    func() { remove(t, place) },
			meanwhile: func() { s.cache.forget(t.Context(), place) },
		},
	} {
		remove(t, place)
		say(t, s, ada, "hello")
		load(t, s, ada, 10)
		if c.before != nil {
			c.before()
		}
		e, outcome := s.cache.read(t.Context(), place)
		if want := map[bool]string{true: Hit, false: Miss}[c.before == nil]; outcome != want {
			t.Errorf("%s: read %s before, want %s", name, outcome, want)
		}
		snap := load(t, s.Backend, ada, 10)
		snap.Recent[0].Text = "too late"
		c.meanwhile()
		s.cache.replace(t.Context(), place, e.sum, entryOf(snap))
		if strings.Contains(valueOf(t, s, ada), "too late") {
			t.Errorf("%s: what was late is in Redis", name)
		}
	}
}

func remove(t *testing.T, place string) {
	t.Helper()
	if err := direct(t).Del(t.Context(), place).Err(); err != nil {
		t.Fatal(err)
	}
}
