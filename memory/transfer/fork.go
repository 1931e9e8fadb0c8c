package transfer

import (
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
)

// Forker is a store in which sessions are forked.
type Forker interface {
	memory.Reader
	memory.Transfer
}

// Fork copies a session as it stood after a turn to a new key; turn 0 is now. Calls that are under
// way stay with the original. change may alter the state of the copy; nil leaves it. ErrNotFound:
// no such session or turn; ErrConflict: the new key has a session; ErrNoSnapshot as for
// memory.Session.Undo.
func Fork(ctx context.Context, store Forker, from, to memory.Key, turn int64, change func(*memory.State) error) error {
	if err := printable.CheckID(to.SessionID); err != nil {
		return fmt.Errorf("%w: the new session: %w", memory.ErrBadKey, err)
	}
	if err := to.Validate(); err != nil {
		return err
	}
	f := &fork{to: to, change: change}
	if turn > 0 {
		if err := f.find(ctx, store, from, turn); err != nil {
			return err
		}
	}
	n := 0
	export := func(_ io.Reader, w io.Writer) error { return Export(ctx, store, from, w) }
	if err := Pipe(nil, export, func(r io.Reader) (err error) {
		n, err = ImportChanged(ctx, store, r, f.changes())
		return err
	}); err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("fork: %w", memory.ErrConflict)
	}
	return nil
}

// fork is the state of one fork.
type fork struct {
	to     memory.Key
	change func(*memory.State) error
	last   *memory.Turn // the copy ends with it; nil: with the session
	gone   int64        // messages up to there that were retracted
}

// find reads the turn that the copy ends with. What was undone later stays undone.
func (f *fork) find(ctx context.Context, store memory.Reader, from memory.Key, turn int64) error {
	list, err := store.Turns(ctx, from, memory.Page{After: turn - 1, Limit: 1, Inactive: true})
	switch {
	case err != nil:
		return err
	case len(list) == 0 || list[0].Number != turn:
		return fmt.Errorf("turn %d: %w", turn, memory.ErrNotFound)
	case list[0].Snapshot == nil:
		return memory.ErrNoSnapshot
	}
	f.last = &list[0]
	counters := f.last.Snapshot.Counters
	for next := counters.Floor; next < counters.NextSeq; {
		page, err := store.Messages(ctx, from, memory.Page{After: next - 1, Limit: exportPage, Inactive: true})
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			if page[i].Retracted && page[i].Seq < counters.NextSeq {
				f.gone++
			}
		}
		next = page[len(page)-1].Seq + 1
	}
	return nil
}

// changes makes the copy of the original.
func (f *fork) changes() *Parts {
	var counters memory.Counters
	only := func(wanted bool) error {
		if wanted {
			return nil
		}
		return ErrLeaveOut
	}
	return &Parts{
		Header: func(h *Header) error {
			h.Key = f.to
			if f.last != nil {
				h.Counters, h.UpdatedAt = f.last.Snapshot.Counters, f.last.At
				h.Counters.Gone = f.gone
			}
			counters = h.Counters
			return nil
		},
		State: func(s *memory.State) error {
			if f.last != nil {
				*s = f.last.Snapshot.State.Clone()
			}
			if f.change != nil {
				return f.change(s)
			}
			return nil
		},
		Message: func(m *memory.Message) error { return only(m.Seq < counters.NextSeq) },
		Turn:    func(t *memory.Turn) error { return only(t.Number <= counters.Turns) },
		Step:    func(s *memory.Step) error { return only(s.Status != memory.StepStarted && s.Turn <= counters.Turns) },
	}
}
