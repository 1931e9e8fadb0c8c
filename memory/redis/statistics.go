package redis

import (
	"sync/atomic"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// outcomes are those that each operation can have.
var outcomes = map[string][]string{
	OpLoad:   {Hit, Miss, Stale, Damaged, Failed, Open},
	OpCommit: {Done, Failed, Open},
	OpForget: {Done, Failed, Open, Lost},
}

// Count is how often an operation had an outcome since the store was opened.
type Count struct {
	Operation, Outcome string // constants of this package
	N                  uint64
}

// statistics counts what Options.Observe is called with.
type statistics struct {
	ended   map[Count]*atomic.Uint64 // N is 0 in the keys; nothing is added later
	outages atomic.Uint64            // times that Redis became unhealthy
}

func newStatistics() *statistics {
	t := &statistics{ended: map[Count]*atomic.Uint64{}}
	for operation, outcomes := range outcomes {
		for _, outcome := range outcomes {
			t.ended[Count{Operation: operation, Outcome: outcome}] = new(atomic.Uint64)
		}
	}
	return t
}

// before returns a function that counts an outcome and then calls observe.
func (t *statistics) before(observe func(operation, outcome string)) func(operation, outcome string) {
	return func(operation, outcome string) {
		if n := t.ended[Count{Operation: operation, Outcome: outcome}]; n != nil {
			n.Add(1)
		}
		observe(operation, outcome)
	}
}

// changed counts how often Redis became unhealthy. Each further failed try opens the circuit, too,
// but belongs to the same outage.
func (t *statistics) changed(e circuitbreaker.StateChangedEvent) {
	if e.OldState == circuitbreaker.ClosedState && e.NewState == circuitbreaker.OpenState {
		t.outages.Add(1)
	}
}

// Counts returns how often each operation had each outcome, zeros included, in no particular
// order.
func (s *Store) Counts() []Count {
	list := make([]Count, 0, len(s.counts.ended))
	for c, n := range s.counts.ended {
		c.N = n.Load()
		list = append(list, c)
	}
	return list
}

// Unhealthy reports whether Redis is bypassed now because it failed, until it is known to
// answer again, and how often that began since the store was opened.
func (s *Store) Unhealthy() (now bool, times uint64) {
	return !s.cache.circuit.IsClosed(), s.counts.outages.Load()
}
