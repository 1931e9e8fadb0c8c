package memory

import (
	"context"
	"fmt"
	"sort"
)

// EpochStart returns the number of the first message since a session was last cleared. Messages
// that merely left the window since then lie after it. It is the floor that the first turn of the
// epoch left behind; where no turn records it, it is the floor of today.
func EpochStart(ctx context.Context, store Reader, snap *Snapshot) (int64, error) {
	if snap.Floor == 1 || snap.Epoch == 0 {
		return 1, nil
	}
	var failed error
	turn := func(n int) *Turn {
		list, err := store.Turns(ctx, snap.Key, Page{After: int64(n), Limit: 1, Inactive: true})
		if err != nil {
			failed = fmt.Errorf("read turn %d: %w", n+1, err)
		}
		if failed != nil || len(list) == 0 {
			return nil
		}
		return &list[0]
	}
	first := turn(sort.Search(int(snap.Turns), func(n int) bool {
		t := turn(n)
		return t == nil || t.Snapshot != nil && t.Snapshot.Counters.Epoch >= snap.Epoch
	}))
	if failed != nil || first == nil || first.Snapshot == nil || first.Snapshot.Counters.Epoch != snap.Epoch {
		return snap.Floor, failed
	}
	return min(first.Snapshot.Counters.Floor, snap.Floor), nil
}
