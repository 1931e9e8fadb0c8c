package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/slotway/slotway/memory"
)

// standbyWire is a wire to a server that seems to have a synchronous standby. While that is
// dead, no record of the log is confirmed, and later those that wait are; a commit can be made to end as one whose wait was
// ended: whole, and with a warning.
type standbyWire struct {
	over chan struct{} // closed: the test has ended

	mu   sync.Mutex    // guards everything below
	dead chan struct{} // closed when it lives again; nil: it lives
	warn int           // so many answers from now on begin with the warning
}

// set says how the standby fares, and how many answers warn.
func (w *standbyWire) set(dead bool, warn int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warn = warn
	switch {
	case dead && w.dead == nil:
		w.dead = make(chan struct{})
	case !dead && w.dead != nil:
		close(w.dead)
		w.dead = nil
	}
}

// waits is closed when a message of a client may go to the server; nil: at once.
func (w *standbyWire) waits(sent []byte) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead == nil || !bytes.Contains(sent, []byte("pg_logical_emit_message")) {
		return nil
	}
	return w.dead
}

// warning is what goes before an answer.
func (w *standbyWire) warning() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.warn <= 0 {
		return nil
	}
	w.warn--
	out, _ := (&pgproto3.NoticeResponse{
		Severity: "WARNUNG", SeverityUnlocalized: "WARNING", Code: "01000",
		Message: "Warten auf synchrone Replikation wird storniert", Routine: "SyncRepWaitForLSN",
	}).Encode(nil)
	return out
}

// startStandbyWire puts one before the server of a dsn.
func startStandbyWire(t *testing.T, dsn string) (*standbyWire, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w, target := &standbyWire{over: make(chan struct{})}, u.Host
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { w.serve(client, target) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		close(w.over)
		running.Wait()
	})
	u.Host = l.Addr().String()
	return w, u.String()
}

func (w *standbyWire) serve(client net.Conn, target string) {
	defer client.Close()
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	gone := make(chan struct{})
	defer close(gone)
	defer server.Close()
	running.Go(func() {
		defer client.Close()
		begun := false // the answers to the start of a connection are left alone
		buf := make([]byte, 64<<10)
		for {
			n, err := server.Read(buf)
			if err != nil {
				return
			}
			if begun {
				if _, err := client.Write(w.warning()); err != nil {
					return
				}
			}
			begun = begun || bytes.Contains(buf[:n], binary.BigEndian.AppendUint32([]byte{'Z'}, 5))
			if _, err := client.Write(buf[:n]); err != nil {
				return
			}
		}
	})
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		if dead := w.waits(buf[:n]); dead != nil {
			late := bytes.Clone(buf[:n])
			running.Go(func() {
				select {
				case <-dead:
					_, _ = server.Write(late) // who sent it may have gone
				case <-w.over:
				case <-gone:
				}
			})
			continue // the client may say that it goes
		}
		if _, err := server.Write(buf[:n]); err != nil {
			return
		}
	}
}

// What a server has that gave up to wait for its standby is no commit: not for who sent it, and
// not for who sends it again, until the standby has it.
func TestNoStandbyHasIt(t *testing.T) {
	t.Parallel()
	w, dsn := startStandbyWire(t, newSchema(t))
	s := open(t, dsn, &Options{NoNotify: true, Pooled: true, MaxConns: 1, StatementTimeout: 500 * time.Millisecond})
	key := testKey(0)
	talk(t, s, key, 1)
	ctx := context.Background()
	snap := load(t, s, key)
	again := func() error {
		_, err := s.Load(ctx, key, memory.LoadOptions{Recent: 10, RequestID: "r2"})
		return err
	}
	for _, call := range []struct {
		name string
		do   func() error
		warn int
	}{
		{"a commit", func() error { return s.Commit(ctx, turnOf(snap, "r2")) }, 1},
		{"the same message again", again, 0},
		{"a call that is started", func() error { return s.Start(ctx, key, 2, memory.Step{IdempotencyKey: "k", StartedAt: noon}) }, 1},
		{"an erasure", func() error { return s.Delete(ctx, testKey(1)) }, 1},
		{"an erasure again", func() error { return s.Delete(ctx, testKey(1)) }, 0},
	} {
		if call.name == "an erasure" {
			w.set(false, 0)
			talk(t, s, testKey(1), 1)
		}
		w.set(true, call.warn)
		if err := call.do(); !errors.Is(err, ErrUnknown) || !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s, with no standby: %v, want %v", call.name, err, ErrUnknown)
		}
	}
	// Who only looks is not held up.
	mustHold(t, s, key, 2)
	w.set(false, 0)
	if err := again(); err != nil {
		t.Errorf("the same message again, with a standby: %v", err)
	}
	if err := s.Delete(ctx, testKey(1)); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an erasure again, with a standby: %v", err)
	}
}

// A wait that was given up is waited for anew, and the turn goes on when the standby is there.
func TestStandbyHasItLater(t *testing.T) {
	t.Parallel()
	w, dsn := startStandbyWire(t, newSchema(t))
	s := open(t, dsn, &Options{NoNotify: true, Pooled: true})
	key := testKey(0)
	talk(t, s, key, 1)
	snap := load(t, s, key)
	w.set(false, 1)
	if err := s.Commit(context.Background(), turnOf(snap, "r2")); err != nil {
		t.Errorf("Commit: %v", err)
	}
	about := memory.About{Title: "t"}
	w.set(false, 1)
	if err := s.Describe(context.Background(), key, about); err != nil {
		t.Errorf("Describe: %v", err)
	}
	mustHold(t, s, key, 2)
}
