package redis

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/sqlstore"
)

// server returns the URL of a Redis, or skips the test.
func server(t testing.TB) string {
	t.Helper()
	url := os.Getenv("SLOTWAY_TEST_REDIS_URL")
	switch {
	case url != "":
	case os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1":
		t.Fatal("SLOTWAY_TEST_REDIS_URL is not set, and SLOTWAY_REQUIRE_SERVICES is 1")
	default:
		t.Skip("no Redis: start one with scripts/services.sh start redis, and set SLOTWAY_TEST_REDIS_URL")
	}
	return url
}

// direct is a client of the test's own, not through the store.
func direct(t testing.TB) *goredis.Client {
	t.Helper()
	o, err := goredis.ParseURL(server(t))
	if err != nil {
		t.Fatal(err)
	}
	c := goredis.NewClient(o)
	t.Cleanup(func() { c.Close() })
	return c
}

// opened is a store over a file that other processes use, with a Redis.
func opened(t testing.TB, file, url string, opts Options) (*sqlstore.Store, *Cache) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file, &sqlite.Options{Durability: sqlite.Relaxed})
	if err != nil {
		t.Fatal(err)
	}
	if opts.Timeout == 0 {
		opts.Timeout = time.Second // what a test counts must not depend on how busy the machine is
	}
	c, err := New(url, opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Share(c)
	t.Cleanup(func() { s.Close() })
	return s, c
}

func newFile(t testing.TB) string { return filepath.Join(t.TempDir(), "memory.db") }

// key is a session of a test's own: all share one Redis.
func key(t testing.TB, session string) memory.Key {
	return memory.Key{UserID: fmt.Sprint(t.Name(), os.Getpid(), time.Now().UnixNano()), AgentID: "shop", SessionID: session}
}

func say(t testing.TB, s memory.Backend, key memory.Key, text string) {
	t.Helper()
	session, err := memory.NewConversations(s, 10).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	session.Append(memory.Message{Role: memory.User, Text: text, Timestamp: time.Now()})
	session.Append(memory.Message{Role: memory.Agent, Text: "to " + text, Timestamp: time.Now()})
	if err := session.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// read returns the texts of the newest messages.
func read(t testing.TB, s memory.Backend, key memory.Key, n int) (texts []string) {
	t.Helper()
	snap, err := s.Load(t.Context(), key, memory.LoadOptions{Recent: n})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range snap.Recent {
		texts = append(texts, m.Text)
	}
	return texts
}

// added is the name in Redis of what f adds to it.
func added(t testing.TB, client *goredis.Client, f func()) string {
	t.Helper()
	all := func() []string {
		keys, err := client.Keys(t.Context(), prefix+"*").Result()
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	before := all()
	f()
	for _, name := range all() {
		if !slices.Contains(before, name) {
			return name
		}
	}
	t.Fatal("nothing was added")
	return ""
}

func count(c *Cache, operation, outcome string) int {
	return int(c.counts[memory.CacheOperation{Operation: operation, Outcome: outcome}].Load())
}
