package postgres

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// cutter is a wire to the server that can be cut at the worst moments.
type cutter struct {
	listener net.Listener
	target   string
	running  sync.WaitGroup

	mu    sync.Mutex // guards everything below
	mode  cut
	count int // how many more times
	down  bool
	conns map[net.Conn]bool
}

// cut is when a connection is cut.
type cut int

const (
	never  cut = iota
	before     // what the client sends does not arrive
	after      // it does, and the answer is lost
)

// wire puts a cutter before the server and returns it and a dsn that leads through it.
func wire(t *testing.T, dsn string) (*cutter, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &cutter{listener: l, target: u.Host, conns: map[net.Conn]bool{}}
	w.running.Go(w.accept)
	t.Cleanup(func() {
		l.Close()
		w.arm(never, 0, true)
		w.running.Wait()
	})
	u.Host = l.Addr().String()
	return w, u.String()
}

// arm says how the next messages are treated; down refuses everything.
func (w *cutter) arm(mode cut, count int, down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode, w.count, w.down = mode, count, down
	if down {
		for c := range w.conns {
			c.Close()
		}
	}
}

// next is what happens to a message of a client.
func (w *cutter) next() cut {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		return never
	}
	w.count--
	return w.mode
}

func (w *cutter) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		c.Close()
		return false
	}
	w.conns[c] = true
	return true
}

func (w *cutter) drop(c net.Conn) {
	c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
}

func (w *cutter) accept() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		if w.keep(client) {
			w.running.Go(func() { w.serve(client) })
		}
	}
}

func (w *cutter) serve(client net.Conn) {
	defer w.drop(client)
	server, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer server.Close()
	answers := make(chan struct{})
	var deaf sync.Mutex // held by who wants answers to be lost
	w.running.Go(func() {
		defer close(answers)
		defer client.Close()
		buf := make([]byte, 64<<10)
		for {
			n, err := server.Read(buf)
			if err != nil {
				return
			}
			deaf.Lock()
			_, err = client.Write(buf[:n])
			deaf.Unlock()
			if err != nil {
				return
			}
		}
	})
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			break
		}
		switch w.next() {
		case before:
			return
		case after:
			deaf.Lock()
			client.Close() // the answer has nowhere to go
			deaf.Unlock()
			if _, err := server.Write(buf[:n]); err == nil {
				_ = server.(*net.TCPConn).CloseWrite() // the server may be gone, too
				<-answers                              // the server has done what it was told
			}
			return
		}
		if _, err := server.Write(buf[:n]); err != nil {
			break
		}
	}
	server.Close()
	<-answers
}

// The outcome of a commit whose connection is cut is found out, whichever it is.
func TestCutConnection(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	w, cutDSN := wire(t, dsn)
	direct := open(t, dsn, nil)
	s := open(t, cutDSN, &Options{MaxConns: 2, Deaf: true})
	for name, mode := range map[string]cut{"before it arrives": before, "after it arrived": after} {
		t.Run(name, func(t *testing.T) {
			key := memory.Key{UserID: "u", AgentID: "a", SessionID: name}
			for n := range 4 { // the first creates the session
				snap := load(t, s, key)
				w.arm(mode, 1, false)
				if err := s.Commit(context.Background(), turnOf(snap, "r"+name+string(rune('0'+n)))); err != nil {
					t.Errorf("Commit %d: %v", n, err)
				}
				step := memory.Step{IdempotencyKey: string(rune('0' + n)), Turn: snap.Turns + 1, Tool: "pay", StartedAt: noon}
				w.arm(mode, 1, false)
				if err := s.Start(context.Background(), key, snap.State.Version+1, step); err != nil {
					t.Errorf("Start %d: %v", n, err)
				}
				if open := load(t, direct, key).Unsettled; len(open) != n+1 {
					t.Errorf("%d open calls after %d", len(open), n+1)
				}
				w.arm(mode, 1, false)
				load(t, s, key) // reads are tried again
			}
			mustHold(t, direct, key, 4)

			d := turnOf(load(t, s, key), "settled")
			d.Steps = []memory.Step{{IdempotencyKey: "0", Status: memory.StepDone}, {IdempotencyKey: "new", Status: memory.StepDone}}
			d.Jobs = []memory.WantedJob{{Kind: "embed"}}
			if err := s.Commit(context.Background(), d); err != nil {
				t.Errorf("Commit with outcomes: %v", err)
			}
			list, err := s.Claim(context.Background(), memory.Claim{Now: noon, Lease: time.Hour})
			if err != nil || len(list) != 1 {
				t.Fatalf("Claim = %+v, %v", list, err)
			}
			w.arm(mode, 1, false)
			if err := s.Finish(context.Background(), list[0]); err != nil {
				t.Errorf("Finish: %v", err)
			}
			w.arm(mode, 1, false)
			if err := s.Delete(context.Background(), key); err != nil {
				t.Errorf("Delete: %v", err)
			}
			if n := value[int](t, dsn, `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM messages) + (SELECT count(*) FROM turns)
				+ (SELECT count(*) FROM plan_steps) + (SELECT count(*) FROM jobs)`); n != 0 {
				t.Errorf("%d rows are left", n)
			}
		})
	}
}

// While a lost commit of one replica is in doubt, another may win the version: that is a
// conflict, and never taken for the own one.
func TestCutConnectionAndRival(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	w, cutDSN := wire(t, dsn)
	rival := open(t, dsn, nil)
	s := open(t, cutDSN, &Options{MaxConns: 1, Deaf: true})
	key := testKey(0)
	talk(t, s, key, 2)
	snap := load(t, s, key)
	w.arm(never, 0, true)
	done := make(chan error)
	go func() { done <- s.Commit(context.Background(), turnOf(snap, "mine")) }()
	if err := <-done; !errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, ErrUnknown) {
		t.Errorf("Commit without a server: %v", err)
	}
	talk(t, rival, key, 1)
	w.arm(never, 0, false)
	if err := s.Commit(context.Background(), turnOf(snap, "mine")); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("Commit after the rival: %v", err)
	}
	mustHold(t, rival, key, 3)
}

// Without a server a commit that was lost ends in an error that says so; the same request
// finds out.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	w, cutDSN := wire(t, dsn)
	s := open(t, cutDSN, &Options{MaxConns: 1, Deaf: true, StatementTimeout: 100 * time.Millisecond})
	key := testKey(0)
	talk(t, s, key, 1)
	snap := load(t, s, key)
	w.arm(after, 1<<30, false) // nothing is ever answered again
	err := s.Commit(context.Background(), turnOf(snap, "r2"))
	if !errors.Is(err, ErrUnknown) || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Commit: %v", err)
	}
	w.arm(never, 0, false)
	if err := persist(s, key, "r2"); err != nil {
		t.Errorf("the same request again: %v", err)
	}
	mustHold(t, s, key, 2)
}
