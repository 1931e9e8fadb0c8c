package summary

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// spoken reports whether a message is given to a model word for word. Tool results are not, so that
// the tier does not count them.
func spoken(m *memory.Message) bool { return m.Role == memory.User || m.Role == memory.Agent }

// newestSpoken returns the index of the nth newest spoken message; 0 and false if there are fewer.
func newestSpoken(list []memory.Message, n int) (int, bool) {
	for i := len(list) - 1; i >= 0; i-- {
		if spoken(&list[i]) {
			if n--; n == 0 {
				return i, true
			}
		}
	}
	return 0, false
}

// newest loads a session with its n newest spoken messages and the tool messages between them.
// enough is false if it has fewer.
func (t *Tier) newest(ctx context.Context, key memory.Key, n int) (snap *memory.Snapshot, enough bool, err error) {
	for size := n; ; size *= 2 {
		snap, err = t.store.Load(ctx, key, memory.LoadOptions{Recent: size, Fresh: true})
		if err != nil {
			return nil, false, fmt.Errorf("load the session: %w", err)
		}
		at, enough := newestSpoken(snap.Recent, n)
		if enough || len(snap.Recent) < size {
			snap.Recent = snap.Recent[at:]
			return snap, enough, nil
		}
	}
}
