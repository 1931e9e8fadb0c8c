package sqlite

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// A page of turns by their ranks is what a search through all of them gives, with turns of
// another session between them, with some undone, and with some lost.
func TestTurnsByRank(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	conversations := memory.NewConversations(store, 4)
	for n := range 12 {
		oneTurnOf(t, store, benchKey(1))
		oneTurnOf(t, store, benchKey(2))
		if n%4 != 1 {
			continue
		}
		s, err := conversations.ForSession(t.Context(), benchKey(1))
		if err == nil {
			_, err = s.Undo(t.Context())
		}
		if err == nil {
			err = s.Commit(t.Context(), time.Now())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	compare := func(ranked bool) {
		t.Helper()
		for after := int64(-1); after < 14; after++ {
			for _, limit := range []int{1, 2, 5, 100} {
				for n := range 4 {
					samePage(t, store, memory.Page{After: after, Limit: limit, Last: n&1 != 0, Inactive: n&2 != 0}, ranked)
				}
			}
		}
	}
	compare(true)
	mustSQL(t, file, "DELETE FROM turns WHERE turn IN (3, 7)")
	compare(false)
}

// samePage reads a page in both ways; ranked says that there is no gap, so that both must
// be able to.
func samePage(t *testing.T, store *Store, page memory.Page, ranked bool) {
	t.Helper()
	var want, byRank []memory.Turn
	if err := store.readers.with(t.Context(), func(c *conn) error {
		e, err := readState(c, benchKey(1))
		if err != nil {
			return err
		}
		if want, err = searchTurns(c, e.id, page); err == nil && ranked {
			byRank, err = pageOfTurns(c, e, page)
		}
		return err
	}); err != nil {
		t.Fatalf("%+v: %v", page, err)
	}
	got, err := store.Turns(t.Context(), benchKey(1), page)
	if err != nil {
		t.Fatalf("%+v: %v", page, err)
	}
	if !ranked {
		byRank = got
	}
	for _, list := range [][]memory.Turn{got, byRank} {
		if len(list)+len(want) > 0 && !cmp.Equal(want, list) {
			t.Errorf("%+v (-want +got):\n%s", page, cmp.Diff(want, list))
		}
	}
}
