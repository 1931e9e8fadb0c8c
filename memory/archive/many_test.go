package archive

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// counting is a store that counts the sessions it has listed.
type counting struct {
	memory.Backend
	listed int
}

func (c *counting) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	list, err := c.Backend.Sessions(ctx, q)
	c.listed += len(list)
	return list, err
}

// The job of a new session costs no more because the user has very many others: those are
// not looked through each time. Once that is due again, the ones that are over are archived.
func TestAUserWithVeryManySessions(t *testing.T) {
	w := newFixture(t, nil)
	store := &counting{Backend: w.store}
	w.store = store
	w.open(nil)
	const sessions = 400
	job := func(i int) {
		t.Helper()
		if err := w.tier.Work(t.Context(), memory.Job{Key: keyOf(fmt.Sprintf("all/shop/s%d", i)), Kind: Kind}); err != nil {
			t.Fatal(err)
		}
	}
	begun := w.clock
	for i := range sessions {
		w.clock = begun
		w.turn(fmt.Sprintf("all/shop/s%d", i), "Where is my order O-12345?", "It is on its way.")
		job(i)
	}
	// The first hundred look at all there are, which is 5,050 sessions; the clock stands still.
	if most := sweptAlways*(sweptAlways+1)/2 + 2*sessions; store.listed > most {
		t.Errorf("%d jobs listed %d sessions, %d are expected at most", sessions, store.listed, most)
	}
	w.clock = w.clock.Add(31 * time.Minute)
	w.turn("all/shop/last", "Hello", "How can I help you?")
	if err := w.tier.Work(t.Context(), memory.Job{Key: keyOf("all/shop/last"), Kind: Kind}); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, sessions / 2, sessions - 1} {
		views, err := w.store.Views(t.Context(), memory.ViewsOf(keyOf(fmt.Sprintf("all/shop/s%d", i)), Name, ""))
		if err != nil || len(views) != 1 {
			t.Errorf("session %d, which is over, has %d documents (%v)", i, len(views), err)
		}
	}
}
