package redis

import (
	"sync/atomic"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// ends are all that an operation can end with.
var ends = map[string][]string{
	OpLoad:   {Hit, Miss, Stale, Damaged, Failed, Open},
	OpCommit: {Done, Failed, Open},
	OpForget: {Done, Failed, Open, Lost},
}

// Count is how often an operation ended in one way since the store was opened.
type Count struct {
	Operation, Outcome string // constants of this package
	N                  uint64
}

// tally is what Options.Observe is told, added up.
type statistics struct {
	ended map[Count]*atomic.Uint64 // N is 0 in the keys; nothing is added later
	ill   atomic.Uint64            // times that Redis was left alone
}

func newStatistics() *statistics {
	t := &statistics{ended: map[Count]*atomic.Uint64{}}
	for operation, outcomes := range ends {
		for _, outcome := range outcomes {
			t.ended[Count{Operation: operation, Outcome: outcome}] = new(atomic.Uint64)
		}
	}
	return t
}

// before counts and then tells another.
func (t *statistics) before(observe func(operation, outcome string)) func(operation, outcome string) {
	return func(operation, outcome string) {
		if n := t.ended[Count{Operation: operation, Outcome: outcome}]; n != nil {
			n.Add(1)
		}
		observe(operation, outcome)
	}
}

// changed counts the times that Redis began to be left alone. Each further try in vain opens
// the circuit, too, but belongs to the same illness.
func (t *statistics) changed(e circuitbreaker.StateChangedEvent) {
	if e.OldState == circuitbreaker.ClosedState && e.NewState == circuitbreaker.OpenState {
		t.ill.Add(1)
	}
}

// Counts are how often each operation ended in each way, those that never happened too. Their
// order means nothing.
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
	return !s.cache.circuit.IsClosed(), s.counts.ill.Load()
}
