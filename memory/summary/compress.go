package summary

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
	"github.com/slotway/slotway/memory/window"
)

// Compress summarises all but the newest Keep messages and makes them inactive once the active ones
// take more tokens than the threshold: they stay stored, but leave the window. Exactly Keep spoken
// messages stay active, with the tool messages between them. Work calls it if Options.Compress is
// set. If turns change the session meanwhile, it begins again, and after maxAgain times returns
// memory.ErrConflict.
func (t *Tier) Compress(ctx context.Context, key memory.Key) (err error) {
	for range maxAgain {
		if err = t.compress(ctx, key); !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
	return err
}

func (t *Tier) compress(ctx context.Context, key memory.Key) error {
	snap, enough, err := t.newest(ctx, key, t.opts.Keep)
	if err != nil || snap.State.Version == 0 || !enough || snap.History() <= int64(len(snap.Recent)) {
		return err
	}
	if over, err := t.weighs(ctx, key, memory.Page{After: snap.Floor - 1}, t.opts.ThresholdTokens, window.Tokens); err != nil || !over {
		return err
	}
	stay := snap.Recent[0].Seq
	if told, err := t.coverTo(ctx, snap, stay); err != nil || !told {
		return err
	}
	var then []memory.WantedJob
	for _, kind := range t.opts.FollowUpJobs {
		then = append(then, memory.WantedJob{Kind: kind})
	}
	err = t.store.Commit(ctx, &memory.Delta{
		Key: key, Base: snap.State.Version, State: snap.State, Floor: stay, Jobs: then,
		At: snap.UpdatedAt, // nobody spoke: the session keeps its age
	})
	if err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	return nil
}

// weighs reports whether the messages after one together weigh more than a limit. It reads only as
// many as needed.
func (t *Tier) weighs(ctx context.Context, key memory.Key, page memory.Page, limit int, weight func(*memory.Message) int) (bool, error) {
	for m, err := range history.Messages(ctx, t.store, key, page) {
		if err != nil {
			return false, ignore(err, memory.ErrNotFound)
		}
		if limit -= weight(m); limit < 0 {
			return true, nil
		}
	}
	return false, nil
}

// compressPage is the number of messages that are read at a time.
const compressPage = 100

// cover makes blocks of all messages before stay that no block covers, however few, and reports
// whether all are covered.
func (w *work) cover(ctx context.Context, stay int64) (bool, error) {
	for next := w.rollup.UpTo + 1; next < stay; {
		page, err := w.store.Messages(ctx, w.key, memory.Page{After: next - 1, Limit: compressPage, Inactive: true})
		if err != nil || len(page) == 0 {
			return false, ignore(err, memory.ErrNotFound)
		}
		next = page[len(page)-1].Seq + 1
		list := slices.DeleteFunc(page, func(m memory.Message) bool { return m.Seq >= stay || m.Retracted })
		if len(list) == 0 {
			continue
		}
		b, err := w.build(ctx, list)
		if err != nil {
			return false, err
		}
		if upTo, err := w.put(ctx, b); err != nil || upTo != b.UpTo {
			return false, err // another worker covers them
		}
	}
	return true, nil
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
