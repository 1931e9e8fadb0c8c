package redis

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
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

// gate is a proxy before Redis that can be shut (connections break and none is taken), and
// held (nothing passes, and nobody is told).
type gate struct {
	listener net.Listener
	target   string
	work     sync.WaitGroup
	dials    atomic.Int64

	mu     sync.Mutex // guards what is below
	shut   bool
	closed bool
	held   chan struct{} // closed when things may pass
	conns  map[net.Conn]bool
}

func newGate(t testing.TB) *gate {
	t.Helper()
	o, err := goredis.ParseURL(server(t))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{listener: l, target: o.Addr, held: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(g.held)
	g.work.Go(g.serve)
	t.Cleanup(g.close)
	return g
}

func (g *gate) url() string { return "redis://" + g.listener.Addr().String() + "/0" }

func (g *gate) serve() {
	for {
		client, err := g.listener.Accept()
		if err != nil {
			return
		}
		g.dials.Add(1)
		g.work.Go(func() { g.pass(client) })
	}
}

func (g *gate) pass(client net.Conn) {
	defer client.Close()
	if !g.keep(client) {
		return
	}
	defer g.drop(client)
	redis, err := net.Dial("tcp", g.target)
	if err != nil {
		return
	}
	defer redis.Close()
	if !g.keep(redis) {
		return
	}
	defer g.drop(redis)
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{client, redis}, {redis, client}} {
		both.Go(func() {
			g.copy(pair[1], pair[0])
			client.Close()
			redis.Close()
		})
	}
	both.Wait()
}

func (g *gate) copy(to io.Writer, from io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		g.mu.Lock()
		held := g.held
		g.mu.Unlock()
		<-held
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (g *gate) keep(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut || g.closed {
		return false
	}
	g.conns[c] = true
	return true
}

func (g *gate) drop(c net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// breakAll breaks the connections there are.
func (g *gate) breakAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		c.Close()
	}
}

// setShut breaks the connections there are and lets none through from now on.
func (g *gate) setShut(shut bool) {
	g.mu.Lock()
	g.shut = shut
	g.mu.Unlock()
	if shut {
		g.breakAll()
	}
}

// hold lets nothing pass until release.
func (g *gate) hold() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.held:
		g.held = make(chan struct{})
	default: // held already
	}
}

func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.held:
	default:
		close(g.held)
	}
}

func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.listener.Close()
	g.release()
	g.breakAll()
	g.work.Wait()
}
