package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// guest is one connection of its own, written by hand so that it can be cut anywhere.
type guest struct {
	conn net.Conn
	text *bufio.Reader
}

func visit(server *httptest.Server, request string) (*guest, error) {
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		return nil, err
	}
	_, err = conn.Write([]byte(request))
	return &guest{conn, bufio.NewReader(conn)}, err
}

// until reads until a line holds part.
func (g *guest) until(part string) error {
	for {
		line, err := g.text.ReadString('\n')
		if err != nil {
			return fmt.Errorf("waiting for %q: %w", part, err)
		}
		if strings.Contains(line, part) {
			return nil
		}
	}
}

// crowd runs do for many clients at once.
func crowd(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatalf("of %d clients: %.2000s", n, err)
	}
}

// barrier holds turns until all have begun.
type barrier struct {
	Handler
	begun sync.WaitGroup
	goOn  chan struct{}
}

func (b *barrier) Handle(ctx context.Context, in router.Interaction) (router.Reply, error) {
	b.begun.Done()
	<-b.goOn
	return b.Handler.Handle(ctx, in)
}

// A thousand clients stream at once, half of them a turn and half what happens; half of each
// hang up in the middle. Every turn is committed, and nothing is left of anybody.
func TestAThousandStreams(t *testing.T) {
	const each = 500 // of a kind
	w := newFixture(t)
	turns := &barrier{Handler: w.api.turns, goOn: make(chan struct{})}
	turns.begun.Add(each)
	w.api.turns, w.api.limiter = turns, newLimiter(each)
	server := httptest.NewServer(w.api)
	defer server.Close()
	goroutines, heap := atRest()

	listeners, talkers := make([]*guest, each), make([]*guest, each)
	crowd(t, each, func(i int) (err error) {
		request := fmt.Sprintf("GET /v1/events?session_id=s%d HTTP/1.1\r\nHost: x\r\nX-Test-User: ann\r\n\r\n", i)
		if listeners[i], err = visit(server, request); err != nil {
			return err
		}
		return listeners[i].until(": open")
	})
	crowd(t, each, func(i int) (err error) {
		body := fmt.Sprintf(`{"message":"badge please","conversation_id":"s%d","stream":true}`, i)
		talkers[i], err = visit(server, fmt.Sprintf("POST /chat HTTP/1.1\r\nHost: x\r\nX-Test-User: ann\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		return err
	})
	turns.begun.Wait()
	busy := runtime.NumGoroutine()
	for i := 0; i < each; i += 2 { // in the middle of its turn, and before anything was told of it
		_ = talkers[i].conn.Close()
		_ = listeners[(i/2)%each].conn.Close()
	}
	close(turns.goOn)
	crowd(t, each, func(i int) error {
		var err error
		if i%2 == 1 {
			err = talkers[i].until("event: done")
		}
		if i >= each/2 {
			err = errors.Join(err, listeners[i].until(`"waiting"]`)) // the path of its turn
		}
		return err
	})
	for i := range each {
		waitFor(t, "turn "+fmt.Sprint(i), func() bool {
			snap, err := w.store.Load(t.Context(), memory.Key{UserID: "ann", AgentID: "desk", SessionID: fmt.Sprint("s", i)}, memory.LoadOptions{})
			return err == nil && snap.Turns == 1
		})
	}
	if err := w.api.Drain(t.Context()); err != nil { // ends the streams of those who stayed
		t.Fatal(err)
	}
	for i := range each {
		_ = talkers[i].conn.Close()
		_ = listeners[i].conn.Close()
	}
	clear(talkers)
	clear(listeners)

	var now int
	waitFor(t, "all goroutines to end", func() bool { now = runtime.NumGoroutine(); return now <= goroutines })
	left := w.recent.Following()
	w.recent.Forget("ann", "") // the test's own
	_, after := atRest()
	t.Logf("%d goroutines before, %d at the height, %d after; heap %d KiB before, %d KiB after with %d sessions stored", goroutines, busy, now, heap>>10, after>>10, each)
	if streams, turns := w.api.underWay(); left != 0 || streams != 0 || turns != 0 {
		t.Errorf("%d followers, %d streams and %d turns are left", left, streams, turns)
	}
	if grown := int64(after) - int64(heap); grown > 8<<20 {
		t.Errorf("the heap has grown by %d KiB", grown>>10)
	}
}

// underWay counts the streams and turns that hold a place.
func (a *API) underWay() (streams, turns int) {
	a.streams.mu.Lock()
	defer a.streams.mu.Unlock()
	a.limiter.mu.Lock()
	defer a.limiter.mu.Unlock()
	return len(a.streams.ends), a.limiter.n
}

// atRest counts goroutines and the bytes that live once the garbage is gone.
func atRest() (goroutines int, heap uint64) {
	runtime.GC()
	runtime.GC() // what the first one's finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

// waitFor waits until something holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); runtime.Gosched() {
		if time.Since(begun) > time.Minute {
			buf := make([]byte, 1<<16)
			t.Fatalf("waited in vain for %s; %s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}
