package redis

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
)

// The same tests as for every store, with a Redis that works.
func TestStore(t *testing.T) {
	url := server(t)
	for name, truth := range truths {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen counts
			storetest.Run(t, func(t *testing.T) memory.Backend {
				return open(t, truth(t), url, Options{Observe: seen.observe})
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
	s := open(t, truth, server(t), Options{Observe: seen.observe})
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
	o := Options{Observe: seen.observe, Window: 10, MaxBytes: 2000}
	s := open(t, inmem.New(nil), server(t), o)
	for range 20 {
		say(t, s, ada, strings.Repeat("x", 30))
	}
	at := s.cache.key(s.cache.entryID(ada))
	if n, err := direct(t).LLen(t.Context(), at).Result(); n != 11 || err != nil {
		t.Errorf("the entry has %d elements, %v; want 10 messages and the mark", n, err)
	}
	if ttl, err := direct(t).PTTL(t.Context(), at).Result(); ttl <= 0 || ttl > time.Hour || err != nil {
		t.Errorf("TTL %v, %v", ttl, err)
	}
	say(t, s, ada, strings.Repeat("y", 1500))
	if n, err := direct(t).StrLen(t.Context(), at).Result(); err == nil {
		t.Errorf("a text of %d bytes", n)
	}
	size := 0
	list, err := direct(t).LRange(t.Context(), at, 0, -2).Result()
	for _, text := range list {
		size += len(text)
	}
	if size > 2000 || err != nil {
		t.Errorf("the entry has %d bytes, %v", size, err)
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
				if err := direct(t).Del(t.Context(), s.cache.key(s.cache.entryID(ada))).Err(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func wantCanary(t *testing.T, s *Store, want bool) {
	t.Helper()
	list, err := direct(t).LRange(t.Context(), s.cache.key(s.cache.entryID(ada)), 0, -1).Result()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Contains(strings.Join(list, ""), "canary-5b1d"); got != want {
		t.Errorf("the text is in Redis: %v, want %v (%d elements)", got, want, len(list))
	}
}

// Below the sealing store the cache sees nothing that could be read.
func TestEncrypted(t *testing.T) {
	keys, err := encrypted.ParseKeys(strings.Repeat("a1", 32))
	if err != nil {
		t.Fatal(err)
	}
	var seen counts
	cached := open(t, inmem.New(nil), server(t), Options{Observe: seen.observe})
	s := encrypted.New(cached, keys)
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
	s := open(t, inmem.New(nil), server(t), Options{})
	s.cache.tombstoneTTL = tombstoneTTL
	id := s.cache.entryID(ada)
	for name, c := range map[string]struct{ before, meanwhile func() }{
		"advanced": {meanwhile: func() { say(t, s, ada, "next") }},
		"deleted":  {meanwhile: func() { s.cache.forget(t.Context(), id) }},
		"deleted and not cached": {
			before:    func() { s.cache.write(t.Context(), id, "*", "", nil) },
			meanwhile: func() { s.cache.forget(t.Context(), id) },
		},
	} {
		s.cache.write(t.Context(), id, "*", "", nil)
		say(t, s, ada, "hello")
		load(t, s, ada, 10)
		if c.before != nil {
			c.before()
		}
		e, outcome := s.cache.read(t.Context(), id, 10)
		if want := map[bool]string{true: Hit, false: Miss}[c.before == nil]; outcome != want {
			t.Errorf("%s: read %s before, want %s", name, outcome, want)
		}
		snap := load(t, s.Backend, ada, 10)
		snap.Recent[0].Text = "late"
		c.meanwhile()
		s.cache.fill(t.Context(), id, e, snap)
		list, err := direct(t).LRange(t.Context(), s.cache.key(id), 0, -1).Result()
		if err != nil || strings.Contains(strings.Join(list, ""), "late") {
			t.Errorf("%s: what was late is in Redis; %v", name, err)
		}
	}
}
