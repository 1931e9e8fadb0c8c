package redis

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// Callers that give up at any moment leave connections on which an answer is still to come.
// The next one to use such a connection must not take that answer for its own, as redis-py
// did in March 2023 (CVE-2023-28858): no session is ever answered with another's messages.
func TestCancelledCallersMixNothingUp(t *testing.T) {
	var seen counts
	s := open(t, inmem.New(nil), server(t)+"?pool_size=4", Options{observe: seen.observe, Pause: time.Nanosecond})
	const users, turns = 8, 300
	var all sync.WaitGroup
	for u := range users {
		key := memory.Key{UserID: fmt.Sprint("user", u), AgentID: "shop", SessionID: "one"}
		random := rand.New(rand.NewPCG(1, uint64(u)))
		all.Go(func() {
			for range turns {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(5000))*time.Microsecond)
				impatient(t, ctx, s, key)
				cancel()
			}
		})
	}
	all.Wait()
	for u := range users {
		key := memory.Key{UserID: fmt.Sprint("user", u), AgentID: "shop", SessionID: "one"}
		check(t, key, load(t, s, key, 20))
		if load(t, s, key, 20).NextSeq == 1 {
			t.Errorf("nothing was ever committed by %s", key.UserID)
		}
	}
	if seen.of(OpLoad, Hit) == 0 || seen.of(OpLoad, Damaged) > 0 {
		t.Errorf("outcomes: %v", seen.n)
	}
	t.Logf("outcomes: %v", seen.n)
}

// impatient reads and commits as far as its context lets it.
func impatient(t *testing.T, ctx context.Context, s memory.Backend, key memory.Key) {
	snap, err := s.Load(ctx, key, memory.LoadOptions{Recent: 20})
	if err != nil {
		return
	}
	check(t, key, snap)
	d := &memory.Delta{Key: key, Base: snap.State.Version, At: time.Now(), State: memory.State{Params: map[string]any{}}}
	for i := range int64(2) {
		d.Messages = append(d.Messages, memory.Message{
			Seq: snap.NextSeq + i, Turn: 1, Role: memory.User, Text: fmt.Sprint(key.UserID, " ", snap.NextSeq+i), Timestamp: d.At,
		})
	}
	_ = s.Commit(ctx, d) // a caller that gave up, or was too late
}

// check fails if a message is not the session's own, or not the one that has this number.
func check(t *testing.T, key memory.Key, snap *memory.Snapshot) {
	for i, m := range snap.Recent {
		if want := snap.NextSeq - int64(len(snap.Recent)-i); m.Seq != want || m.Text != fmt.Sprint(key.UserID, " ", m.Seq) {
			t.Errorf("%s read message %d %q, want number %d", key.UserID, m.Seq, m.Text, want)
		}
	}
}

// What lies under a session's name but is another's, or damaged, is not served.
func TestForeignAndDamagedEntries(t *testing.T) {
	client := direct(t)
	eve := memory.Key{UserID: "eve", AgentID: "shop", SessionID: "one"}
	for name, spoil := range map[string]func(mine, foreign string) string{
		"another's entry":      func(_, foreign string) string { return foreign },
		"another's content":    func(mine, foreign string) string { return mine[:sumBytes] + foreign[sumBytes:] },
		"another's checksum":   func(mine, foreign string) string { return foreign[:sumBytes] + mine[sumBytes:] },
		"a flipped bit":        func(mine, _ string) string { return flip(mine) },
		"cut short":            func(mine, _ string) string { return mine[:len(mine)-1] },
		"nothing but a sum":    func(mine, _ string) string { return mine[:sumBytes] },
		"a part of a sum":      func(mine, _ string) string { return mine[:3] },
		"something to its end": func(mine, _ string) string { return mine + "x" },
	} {
		t.Run(name, func(t *testing.T) {
			var seen counts
			s := open(t, inmem.New(nil), server(t), Options{observe: seen.observe})
			for range 3 {
				say(t, s, ada, "mine")
				say(t, s, eve, "hers")
			}
			read := func(key memory.Key) string {
				value, err := client.Get(t.Context(), s.cache.placeOf(key)).Result()
				if err != nil {
					t.Fatal(err)
				}
				return value
			}
			if err := client.Set(t.Context(), s.cache.placeOf(ada), spoil(read(ada), read(eve)), 0).Err(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				for _, m := range load(t, s, ada, 10).Recent {
					if !strings.HasSuffix(m.Text, "mine") {
						t.Errorf("read %q", m.Text)
					}
				}
			}
			if hits := seen.of(OpLoad, Hit); seen.of(OpLoad, Damaged) != 1 || hits != 5 {
				t.Errorf("the entry was not found damaged once and then replaced: %v", seen.n)
			}
		})
	}
}

func flip(text string) string {
	b := []byte(text)
	b[len(b)/2] ^= 1
	return string(b)
}

// A session that was deleted and begun again behind the cache's back, at the same version
// and with as many messages, is not answered with the old one's.
func TestBegunAgain(t *testing.T) {
	truth := inmem.New(nil)
	s := open(t, truth, server(t), Options{})
	say(t, s, ada, "old")
	if err := truth.Delete(t.Context(), ada); err != nil {
		t.Fatal(err)
	}
	say(t, truth, ada, "new")
	if snap := load(t, s, ada, 10); snap.Recent[0].Text != "new" {
		t.Errorf("read %q", snap.Recent[0].Text)
	}
}

// After three failures a dead Redis is not asked, so that it costs nothing; when it is back,
// the cache is too.
func TestDeadRedisIsLeftAlone(t *testing.T) {
	g := newGate(t)
	var seen counts
	truth := inmem.New(nil)
	s := open(t, truth, g.url(), Options{observe: seen.observe, Pause: time.Hour})
	g.setShut(true)
	for range 50 {
		say(t, s, ada, "x")
	}
	failed := seen.of(OpLoad, Failed) + seen.of(OpCommit, Failed)
	if failed != failures || g.dials.Load() > failures || seen.of(OpLoad, Open)+seen.of(OpCommit, Open) != 100-failures {
		t.Errorf("%d dials, outcomes: %v", g.dials.Load(), seen.n)
	}

	back := open(t, truth, g.url(), Options{observe: seen.observe, Pause: time.Nanosecond})
	for range 5 {
		load(t, back, ada, 10)
	}
	g.setShut(false)
	before := seen.of(OpLoad, Hit)
	for range 3 {
		load(t, back, ada, 10)
	}
	if hits := seen.of(OpLoad, Hit) - before; hits != 2 {
		t.Errorf("%d hits in 3 reads, want 2: %v", hits, seen.n)
	}
}

// Callers that gave up say nothing of Redis; but if one of them is the one that tries it
// again, it finds out all the same.
func TestCallersThatGaveUp(t *testing.T) {
	g := newGate(t)
	var seen counts
	s := open(t, inmem.New(nil), g.url(), Options{observe: seen.observe, Pause: time.Nanosecond})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		if _, err := s.Load(gone, ada, memory.LoadOptions{Recent: 5}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if seen.of(OpLoad, Failed) != 10 { // a probe would have succeeded
		t.Errorf("callers that gave up made Redis be left alone: %v", seen.n)
	}
	g.setShut(true)
	for range failures {
		load(t, s, ada, 5)
	}
	g.setShut(false)
	if s.cache.circuit.IsClosed() {
		t.Fatal("Redis is still asked")
	}
	if _, err := s.Load(gone, ada, memory.LoadOptions{Recent: 5}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !s.cache.circuit.IsClosed() {
		t.Errorf("Redis is back and nobody noticed: %v", seen.n)
	}
}

// A commit made elsewhere leaves a gap that a later commit does not paper over.
func TestGap(t *testing.T) {
	truth := inmem.New(nil)
	s := open(t, truth, server(t), Options{})
	say(t, s, ada, "one")
	say(t, truth, ada, "two")
	session, err := memory.NewConversations(s, 10).ForTurn(t.Context(), ada, "", true)
	if err != nil {
		t.Fatal(err)
	}
	session.Append(memory.Message{Role: memory.User, Text: "three", Timestamp: time.Now()})
	if err := session.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if value := valueOf(t, s, ada); len(value) > sumBytes {
		t.Errorf("the entry was kept: %d bytes", len(value))
	}
	if diff := cmp.Diff(load(t, truth, ada, 10), load(t, s, ada, 10)); diff != "" {
		t.Errorf("read (-store +cache):\n%s", diff)
	}
}

// A Redis that takes what it is sent and says nothing is given up after the timeout. The
// test would not end if it were not.
func TestSilentRedis(t *testing.T) {
	g := newGate(t)
	var seen counts
	s := open(t, inmem.New(nil), g.url(), Options{observe: seen.observe, Timeout: time.Millisecond, Pause: time.Hour})
	g.hold()
	for range 10 {
		say(t, s, ada, "x")
	}
	if err := s.Delete(t.Context(), ada); err != nil {
		t.Fatal(err)
	}
	if seen.of(OpLoad, Failed)+seen.of(OpCommit, Failed) != failures {
		t.Errorf("outcomes: %v", seen.n)
	}
}
