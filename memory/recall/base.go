package recall

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/slotway/slotway/memory"
)

// base is the first message of a session's epoch. What left the window since, because a
// summary tells of it, is recalled; what was cleared is not. It is where the floor was
// after the epoch's first turn.
func (t *Tier) base(ctx context.Context, snap *memory.Snapshot) (int64, error) {
	if snap.Epoch == 0 {
		return 1, nil
	}
	var failed error
	turn := func(n int) *memory.Turn {
		list, err := t.store.Turns(ctx, snap.Key, memory.Page{After: int64(n), Limit: 1, Inactive: true, Salvage: true})
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

// page reads the messages around one that was found. Those that left the window are read
// only while the session has not been cleared since.
func (t *Tier) page(ctx context.Context, key memory.Key, l *located, page memory.Page) ([]memory.Message, error) {
	page.Salvage = true
	messages, err := t.store.Messages(ctx, key, page)
	if err != nil {
		return nil, err
	}
	messages = slices.DeleteFunc(messages, func(m memory.Message) bool { return m.Damaged() })
	if len(messages) > 0 && messages[0].Seq <= l.seq && messages[0].Seq == max(page.After+1, l.floor) {
		return messages, nil
	}
	snap, err := memory.LoadReadable(ctx, t.store, key, memory.LoadOptions{})
	if err != nil {
		return nil, err
	}
	if snap.State.Version == 0 || snap.Epoch != l.epoch {
		return messages, nil
	}
	page.Inactive = true
	if messages, err = t.store.Messages(ctx, key, page); err != nil {
		return nil, err
	}
	kept := messages[:0]
	for i := range messages {
		if !messages[i].Retracted && messages[i].Seq >= l.floor {
			kept = append(kept, messages[i])
		}
	}
	return kept, nil
}
