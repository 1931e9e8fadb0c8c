package planner

import (
	"testing"

	"github.com/slotway/slotway/config"
)

// A turn may resume a suspended task and die in its call. What became of the call is the
// suspended task's: were it called again, its journal row would be in the way for ever.
func TestSettledOfASuspendedTask(t *testing.T) {
	for name, c := range map[string]struct {
		out   Outcome
		left  int
		tries int
		mark  mark
	}{
		"done":    {Outcome{Value: "v"}, 1, 0, markWrote},
		"unknown": {Outcome{Code: "timeout", Uncertain: true}, 0, 0, ""},
		"failed":  {Outcome{Code: "rate_limited"}, 1, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			st := &State{Active: &Frame{ID: "b"}, Suspended: []*Frame{{ID: "a"}}}
			st.Settled(&config.Agent{}, "a", "call.1", c.out)
			if len(st.Suspended) != c.left {
				t.Fatalf("%d tasks are suspended", len(st.Suspended))
			}
			if c.left == 1 && (st.Suspended[0].Tries["call.1"] != c.tries || st.Suspended[0].Done["call.1"] != c.mark) {
				t.Errorf("%+v", st.Suspended[0])
			}
		})
	}
}
