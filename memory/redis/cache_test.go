package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/internal/test/wiretest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/sqlite"
)

// What one process has said, another reads from Redis, whatever the first has in memory. A process reads its
// own sessions without it.
func TestShared(t *testing.T) {
	file := newFile(t)
	a, own := opened(t, file, server(t), Options{})
	b, other := opened(t, file, server(t), Options{})
	ada := key(t, "one")
	var want []string
	for n := range 3 {
		text := fmt.Sprint("hello ", n)
		say(t, a, ada, text)
		want = append(want, text, "to "+text)
		if diff := cmp.Diff(want, read(t, b, ada, 10)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if got := read(t, a, ada, 3); !cmp.Equal(got, want[3:]) {
		t.Errorf("the first reads %q", got)
	}
	if n := count(other, opLoad, hit); n != 3 {
		t.Errorf("the other has %d hits", n)
	}
	if n := count(own, opLoad, hit); n != 0 {
		t.Errorf("the first asked Redis and had %d hits", n)
	}
	if err := a.Delete(t.Context(), ada); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b, ada, 10); len(got) != 0 {
		t.Errorf("a session that is gone reads %q", got)
	}
	if n := count(own, opForget, done); n != 1 {
		t.Errorf("%d were deleted from Redis", n)
	}
}

// A store that keeps one session itself is the store that it is without Redis.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Backend {
		s, err := sqlite.Open(t.Context(), newFile(t), &sqlite.Options{Durability: sqlite.Relaxed, CacheSessions: 1})
		if err != nil {
			t.Fatal(err)
		}
		c, err := New(server(t), Options{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		s.Share(c)
		return s
	})
}

// Two processes take turns in one conversation while Redis loses everything, breaks connections, is away or falls
// silent: each reads all that was said.
func TestIllRedis(t *testing.T) {
	client := direct(t)
	for name, ill := range map[string]struct{ begin, end func(w *wiretest.Wire) }{
		"flushed": {begin: func(*wiretest.Wire) {
			if err := client.FlushDB(context.Background()).Err(); err != nil {
				t.Error(err)
			}
		}},
		"broken": {begin: (*wiretest.Wire).Break},
		"down":   {begin: func(w *wiretest.Wire) { w.Shut(true) }, end: func(w *wiretest.Wire) { w.Shut(false) }},
		"silent": {begin: (*wiretest.Wire).Hold, end: func(w *wiretest.Wire) { w.Break(); w.Release() }},
	} {
		t.Run(name, func(t *testing.T) {
			w, file, ada := wiretest.New(t, server(t), nil), newFile(t), key(t, "one")
			a, _ := opened(t, file, w.URL, Options{Timeout: 20 * time.Millisecond, Pause: time.Millisecond})
			b, c := opened(t, file, w.URL, Options{Timeout: 20 * time.Millisecond, Pause: time.Millisecond})
			var want []string
			for n := range 60 {
				switch {
				case n%10 == 3:
					ill.begin(w)
				case n%10 == 6 && ill.end != nil:
					ill.end(w)
				}
				text := fmt.Sprint(n)
				say(t, []memory.Backend{a, b}[n%3%2], ada, text)
				want = append(want, text, "to "+text)
				if got := read(t, b, ada, 10); !cmp.Equal(got, want[max(0, len(want)-10):]) {
					t.Fatalf("turn %d: it reads %q", n, got)
				}
			}
			if count(c, opLoad, hit) == 0 {
				t.Error("nothing was ever read from Redis")
			}
		})
	}
}

// What lies under a session's name but is another's, damaged, or of another version, is not used.
func TestForeignAndDamagedWindows(t *testing.T) {
	client := direct(t)
	for name, spoil := range map[string]func(mine, foreign string) string{
		"another's":      func(_, foreign string) string { return foreign },
		"another's text": func(mine, foreign string) string { return mine[:4] + foreign[4:] },
		"a flipped bit":  func(mine, _ string) string { return mine[:20] + "\x55" + mine[21:] },
		"cut short":      func(mine, _ string) string { return mine[:len(mine)-1] },
		"a part of it":   func(mine, _ string) string { return mine[:3] },
		"more than it":   func(mine, _ string) string { return mine + "x" },
	} {
		t.Run(name, func(t *testing.T) {
			file := newFile(t)
			a, _ := opened(t, file, server(t), Options{})
			b, c := opened(t, file, server(t), Options{})
			mine, foreign := key(t, "mine"), key(t, "hers")
			at := added(t, client, func() { say(t, a, mine, "mine") })
			values := map[string]string{}
			for name, place := range map[string]string{"mine": at, "hers": added(t, client, func() { say(t, a, foreign, "hers") })} {
				value, err := client.Get(t.Context(), place).Result()
				if err != nil {
					t.Fatal(err)
				}
				values[name] = value
			}
			if err := client.Set(t.Context(), at, spoil(values["mine"], values["hers"]), 0).Err(); err != nil {
				t.Fatal(err)
			}
			if got := read(t, b, mine, 10); !cmp.Equal(got, []string{"mine", "to mine"}) || count(c, opLoad, stale) != 1 {
				t.Errorf("it reads %q, with %d windows that were of no use", got, count(c, opLoad, stale))
			}
		})
	}
}

// A Redis that is dead, or takes what it is sent and says nothing, is left alone after three failures, and is used
// again when it is back.
func TestUnhealthy(t *testing.T) {
	for name, end := range map[string]struct{ begin, end func(w *wiretest.Wire) }{
		"dead":   {func(w *wiretest.Wire) { w.Shut(true) }, func(w *wiretest.Wire) { w.Shut(false) }},
		"silent": {(*wiretest.Wire).Hold, (*wiretest.Wire).Release},
	} {
		t.Run(name, func(t *testing.T) {
			w := wiretest.New(t, server(t), nil)
			s, c := opened(t, newFile(t), w.URL, Options{Timeout: 50 * time.Millisecond, Pause: time.Second})
			end.begin(w)
			for range 20 {
				say(t, s, key(t, "one"), "x")
			}
			h := c.Health()
			if n := count(c, opLoad, failed) + count(c, opCommit, failed); n < failures || n > 2*failures || !h.Unhealthy || h.UnhealthyTotal == 0 {
				t.Errorf("%d calls failed, %+v", n, h)
			}
			end.end(w)
			for try := 0; c.Health().Unhealthy; try++ {
				say(t, s, key(t, "one"), "x")
				if time.Sleep(10 * time.Millisecond); try == 1000 {
					t.Fatal("it stays unhealthy")
				}
			}
		})
	}
}

// Callers that give up say nothing of Redis.
func TestCallersThatGaveUp(t *testing.T) {
	_, c := opened(t, newFile(t), server(t), Options{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 * failures {
		c.Get(gone, "x")
	}
	if c.Health().Unhealthy {
		t.Error("it is left alone")
	}
}

// Where rows are sealed, nothing that was said is in Redis.
func TestSealed(t *testing.T) {
	keys, err := seal.ParseKeys(strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	file := newFile(t)
	a, _ := opened(t, file, server(t), Options{})
	b, c := opened(t, file, server(t), Options{})
	ada := key(t, "one")
	client := direct(t)
	value, err := client.Get(t.Context(), added(t, client, func() { say(t, seal.New(a, keys), ada, "a secret") })).Result()
	if err != nil || strings.Contains(value, "secret") {
		t.Errorf("Redis holds %q, %v", value, err)
	}
	if got := read(t, seal.New(b, keys), ada, 10); len(got) != 2 || got[0] != "a secret" || count(c, opLoad, hit) != 1 {
		t.Errorf("it reads %q", got)
	}
}

func TestBadURL(t *testing.T) {
	for _, url := range []string{"", "http://x", "redis://:secret@[::1/0", "redis://x/y"} {
		if _, err := New(url, Options{}); !errors.Is(err, ErrBadURL) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
