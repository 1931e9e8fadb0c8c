package redis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory/inmem"
)

// The counts are what Observe was told, and an illness is one however often Redis is tried
// meanwhile.
func TestCountsAndOutages(t *testing.T) {
	g := newGate(t)
	var seen counts
	s := open(t, inmem.New(nil), g.url(), Options{observe: seen.observe, Pause: time.Nanosecond})
	for range 2 {
		say(t, s, ada, "x")
	}
	load(t, s, ada, 5)
	ill := func(now bool, times uint64) {
		t.Helper()
		if n, ever := unhealthy(s); n != now || ever != times {
			t.Errorf("ill %t, %d times, want %t, %d", n, ever, now, times)
		}
	}
	ill(false, 0)
	for times := range uint64(2) {
		g.setShut(true)
		for range 3 * failures {
			load(t, s, ada, 5)
		}
		ill(true, times+1)
		g.setShut(false)
		load(t, s, ada, 5)
		ill(false, times+1)
	}
	if err := s.Delete(t.Context(), ada); err != nil {
		t.Error(err)
	}
	got, all := map[string]int{}, 0
	for _, c := range s.cache.health().Operations {
		all++
		if c.N > 0 {
			got[c.Operation+" "+c.Outcome] = int(c.N)
		}
	}
	if diff := cmp.Diff(seen.n, got); diff != "" {
		t.Errorf("counts (-observed +counted):\n%s", diff)
	}
	if all != 12 {
		t.Errorf("%d counts, want all 12", all)
	}
}

func unhealthy(s *Store) (now bool, times uint64) {
	h := s.cache.health()
	return h.Unhealthy, h.UnhealthyTotal
}
