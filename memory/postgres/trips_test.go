package postgres

import (
	"encoding/binary"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/internal/test/wiretest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// countTrips returns a dsn by way of a wire, which counts the round trips: how often a client tells the server that it
// waits for an answer, by a Sync or a Query (https://www.postgresql.org/docs/current/protocol-message-formats.html).
func countTrips(t *testing.T, dsn string) (through string, trips *atomic.Int64) {
	t.Helper()
	trips = &atomic.Int64{}
	return wiretest.New(t, dsn, func() func([]byte) wiretest.Fate {
		kind := 0 // bytes before the length: the first message has no type
		var rest []byte
		return func(data []byte) wiretest.Fate {
			rest = append(rest, data...)
			for len(rest) >= kind+4 {
				size := kind + int(binary.BigEndian.Uint32(rest[kind:]))
				if len(rest) < size {
					break
				}
				if kind > 0 && (rest[0] == 'S' || rest[0] == 'Q') {
					trips.Add(1)
				}
				rest, kind = rest[size:], 1
			}
			return wiretest.Arrives
		}
	}).URL, trips
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
