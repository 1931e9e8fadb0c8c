package postgres

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// countTrips returns a dsn by way of a proxy, which counts the round trips: how often a client tells the
// server that it waits for an answer.
func countTrips(t *testing.T, dsn string) (through string, trips *atomic.Int64) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal("the dsn is not a URL")
	}
	server := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	trips = &atomic.Int64{}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(client, up) // it ends with the connection
				_ = client.Close()
			}()
			go func() {
				copyCounted(up, client, trips)
				_ = up.Close()
			}()
		}
	}()
	u.Host = l.Addr().String()
	q := u.Query()
	q.Set("sslmode", "disable")
	u.RawQuery = q.Encode()
	return u.String(), trips
}

// copyCounted copies messages of the frontend
// (https://www.postgresql.org/docs/current/protocol-message-formats.html) and counts Sync and Query.
func copyCounted(to io.Writer, from io.Reader, trips *atomic.Int64) {
	header := make([]byte, 5)
	for first := true; ; first = false {
		size := 5
		if first {
			size = 4 // the first message has no type
		}
		if _, err := io.ReadFull(from, header[:size]); err != nil {
			return
		}
		if kind := header[0]; !first && (kind == 'S' || kind == 'Q') {
			trips.Add(1)
		}
		body := make([]byte, binary.BigEndian.Uint32(header[size-4:size])-4)
		if _, err := io.ReadFull(from, body); err != nil {
			return
		}
		if _, err := to.Write(append(append([]byte{}, header[:size]...), body...)); err != nil {
			return
		}
	}
}

// A turn loads in one round trip and commits in one, its first one in a session too; a call that changes
// something outside is one more. Its lease is taken in one, and given back in one that nobody waits for.
func TestRoundTrips(t *testing.T) {
	dsn := newSchema(t)
	stored, trips := countTrips(t, dsn)
	locked, lockTrips := countTrips(t, dsn)
	s, locks := open(t, stored, &Options{MaxConns: 1}), open(t, locked, &Options{MaxConns: 1})
	n := 0
	turn := func(l *sqlstore.Leases, key memory.Key, calls int) {
		leave, err := l.Enter(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		n++
		id := strconv.Itoa(n)
		snap, err := s.Load(t.Context(), key, memory.LoadOptions{Recent: 24, RequestID: id})
		if err != nil {
			t.Fatal(err)
		}
		d := turnOf(snap, id)
		for i := range calls {
			step := memory.Step{IdempotencyKey: id + strconv.Itoa(i), Turn: snap.Turns + 1, Tool: "pay", StartedAt: noon}
			if err := s.Start(t.Context(), key, snap.State.Version, step); err != nil {
				t.Fatal(err)
			}
			step.Status, step.EndedAt = memory.StepDone, noon
			d.Steps = append(d.Steps, step)
		}
		if err := s.Commit(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		leave()
	}
	first := sqlstore.NewLeases(locks, 0)
	for i := range 2 { // statements are prepared
		for _, calls := range []int{0, 1, 2, 0} {
			turn(first, testKey(i), calls)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	l, locksBefore, turnsBefore := sqlstore.NewLeases(locks, 0), lockTrips.Load(), n
	for _, c := range []struct {
		name  string
		key   memory.Key
		calls int
		want  int64
	}{
		{"a turn", testKey(0), 0, 2},
		{"the first of a session", testKey(9), 0, 2},
		{"the second", testKey(9), 0, 2},
		{"one with a call", testKey(9), 1, 3},
		{"one with two", testKey(9), 2, 4},
	} {
		before := trips.Load()
		turn(l, c.key, c.calls)
		if got := trips.Load() - before; got != c.want {
			t.Errorf("%s: %d round trips of the store, want %d", c.name, got, c.want)
		}
	}
	if err := l.Close(); err != nil { // the last lease is given back
		t.Fatal(err)
	}
	if got, want := lockTrips.Load()-locksBefore, 2*int64(n-turnsBefore); got != want {
		t.Errorf("%d round trips of the locks, want %d", got, want)
	}
	snap := load(t, s, testKey(9))
	if len(snap.OpenSteps) > 0 {
		t.Errorf("calls are open: %v", snap.OpenSteps)
	}
}
