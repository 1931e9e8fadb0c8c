package planner

import (
	"fmt"
	"testing"
	"time"

	"github.com/slotway/slotway/config"
)

// A message that comes again is known, however long nothing was said meanwhile, and after the
// session was begun afresh: what is asked by then is another thing all the more.
func TestSpentOutlivesIdleness(t *testing.T) {
	def := &config.Agent{Session: config.SessionPolicy{IdleTTL: time.Minute}}
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	st, err := Begin(def, New(), TurnInput{
		Number: 3, MessageDigest: "m3", Now: now, Since: now.Add(-time.Hour),
		Interrupted: []InterruptedCall{{MessageDigest: "m2"}, {MessageDigest: "m3"}, {MessageDigest: ""}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !st.IdleExpired || len(st.Handled) != 1 || st.Handled[0] != (handledMessage{Message: "m2", Told: "already_done"}) {
		t.Fatalf("fresh %v, spent %+v", st.IdleExpired, st.Handled)
	}
	if st.IsHandled() {
		t.Error("the message that is answered is taken for one that was spent")
	}
	if st.MessageDigest = "m2"; !st.IsHandled() {
		t.Error("the message is not known again")
	}
}

// Messages whose calls were lost are kept for as long as they may come again, and no more.
func TestSpentIsBounded(t *testing.T) {
	st := &Turn{State: New()}
	for i := range 2 * maxHandled {
		st.markHandled(InterruptedCall{MessageDigest: fmt.Sprint("m", i)})
		st.markHandled(InterruptedCall{MessageDigest: "m0", Outcome: Outcome{Code: "timeout", Uncertain: true}})
	}
	if n := len(st.Handled); n != maxHandled {
		t.Fatalf("%d are kept, want %d", n, maxHandled)
	}
	if newest := st.Handled[maxHandled-1]; newest != (handledMessage{Message: "m0", Told: "tool_unknown"}) {
		t.Errorf("the newest is %+v", newest)
	}
}
