package summary

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// Compress makes covered messages inactive once the active ones take more tokens than the
// threshold: they stay stored, but leave the window. The newest Keep messages stay active,
// and so does everything that no block covers. Work calls it if Options.Compress is set.
// A session that changes meanwhile is left to the next run.
func (t *Tier) Compress(ctx context.Context, key memory.Key) error {
	snap, err := t.store.Load(ctx, key, memory.LoadOptions{Recent: t.opts.Keep, Fresh: true})
	if err != nil {
		return fmt.Errorf("load the session: %w", err)
	}
	if snap.State.Version == 0 || len(snap.Recent) == 0 {
		return nil
	}
	h, err := t.head(ctx, key, snap.Epoch)
	if err != nil || h == nil {
		return ignore(err, errUnusable)
	}
	if t.active(h, snap) <= t.opts.ThresholdTokens {
		return nil
	}
	if gone, err := t.retracted(ctx, key, h); err != nil || gone {
		return err
	}
	floor := h.floor(snap.Recent[0].Seq)
	if floor <= snap.Floor {
		return nil
	}
	err = t.store.Commit(ctx, &memory.Delta{
		Key: key, Base: snap.State.Version, State: snap.State, Floor: floor,
		At: snap.UpdatedAt, // nobody spoke: the session is as old as it was
	})
	if err = ignore(err, memory.ErrConflict); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	return nil
}

// floor is where the active messages may begin so that those from stay on are among them:
// after a block, which ends with a turn. 0: nowhere.
func (h *head) floor(stay int64) int64 {
	var floor int64
	for _, m := range h.Marks {
		if m.UpTo < stay {
			floor = m.UpTo + 1
		}
	}
	return floor
}

// active is about how many tokens the active messages have: blocks above the floor, and
// the loaded ones after the last block.
func (t *Tier) active(h *head, snap *memory.Snapshot) int {
	n := 0
	for _, m := range h.Marks {
		if m.UpTo >= snap.Floor {
			n += m.Tokens
		}
	}
	for i := range snap.Recent {
		if m := &snap.Recent[i]; m.Seq > h.UpTo {
			n += window.Tokens(m)
		}
	}
	return n
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
