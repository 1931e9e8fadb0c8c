package memory

import (
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/config/printable"
)

// Undo takes the last turn back: its messages become inactive, and the state is again what
// it was after the turn before. Calls that the turn made stay made. It returns the turn;
// the next Commit writes it. ErrNoSnapshot: there is no turn, or one of a release that did not
// keep how the session stood.
func (s *Session) Undo(ctx context.Context) (Turn, error) {
	if len(s.appended) > 0 || s.turn != nil || s.cleared || s.undo != nil {
		return Turn{}, fmt.Errorf("%w: undo in the middle of other changes", ErrBadDelta)
	}
	live, err := s.store.Turns(ctx, s.Key(), Page{Limit: 2, Last: true})
	if err != nil {
		return Turn{}, err
	}
	if len(live) == 0 || live[len(live)-1].Snapshot == nil {
		return Turn{}, ErrNoSnapshot
	}
	last := live[len(live)-1]
	state := State{Params: map[string]any{}}
	if len(live) == 2 {
		if live[0].Snapshot == nil {
			return Turn{}, ErrNoSnapshot
		}
		state = live[0].Snapshot.State.Clone()
	}
	from := int64(1)
	if last.Number > 1 {
		before, err := s.store.Turns(ctx, s.Key(), Page{After: last.Number - 2, Limit: 1, Inactive: true})
		if err != nil {
			return Turn{}, err
		}
		if len(before) == 0 || before[0].Snapshot == nil {
			return Turn{}, ErrNoSnapshot
		}
		from = before[0].Snapshot.Counters.NextSeq
	}
	s.undo = &Undo{Turn: last.Number, From: from, Until: last.Snapshot.Counters.NextSeq}
	for len(s.active) > 0 && s.active[len(s.active)-1].Seq >= from {
		s.active = s.active[:len(s.active)-1]
	}
	state.Version = s.state.Version
	s.state, s.dirty = state, true
	return last, nil
}

// Fork copies a session as it stood after a turn to a new key; turn 0 is now. Calls that
// are under way stay the original's alone. change may alter the state that the copy begins
// with; nil leaves it. ErrNotFound: no such session or turn; ErrConflict: the new key has a
// session; ErrNoSnapshot as for Undo.
func Fork(ctx context.Context, store Forker, from, to Key, turn int64, change func(*State) error) error {
	if err := printable.CheckID(to.SessionID); err != nil {
		return fmt.Errorf("%w: the new session: %w", ErrBadKey, err)
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
	export := func(_ io.Reader, w io.Writer) error {
		return Pipe(nil, func(_ io.Reader, w io.Writer) error { return Export(ctx, store, from, w) },
			func(r io.Reader) error { return f.copy(r, w) })
	}
	if err := Pipe(nil, export, func(r io.Reader) (err error) {
		n, err = store.Import(ctx, r)
		return err
	}); err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("fork: %w", ErrConflict)
	}
	return nil
}

// fork is a copy of a session under way.
type fork struct {
	to     Key
	change func(*State) error
	last   *Turn // the copy ends with it; nil: with the session
	gone   int64 // messages up to there that were retracted
}

// find looks for the turn that the copy ends with. What was undone later stays undone.
func (f *fork) find(ctx context.Context, store Reader, from Key, turn int64) error {
	list, err := store.Turns(ctx, from, Page{After: turn - 1, Limit: 1, Inactive: true})
	switch {
	case err != nil:
		return err
	case len(list) == 0 || list[0].Number != turn:
		return fmt.Errorf("turn %d: %w", turn, ErrNotFound)
	case list[0].Snapshot == nil:
		return ErrNoSnapshot
	}
	f.last = &list[0]
	head := f.last.Snapshot.Counters
	for next := head.Floor; next < head.NextSeq; {
		page, err := store.Messages(ctx, from, Page{After: next - 1, Limit: exportPage, Inactive: true, Salvage: true})
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			if page[i].Retracted && page[i].Seq < head.NextSeq {
				f.gone++
			}
		}
		next = page[len(page)-1].Seq + 1
	}
	return nil
}

// copy writes what the copy has of an export.
func (f *fork) copy(r io.Reader, w io.Writer) error {
	out := NewExportWriter(w)
	parts := out.Parts()
	var head Counters
	parts.Header = func(h *ExportHeader) error {
		h.Key = f.to
		if f.last != nil {
			h.Counters, h.UpdatedAt = f.last.Snapshot.Counters, f.last.At
			h.Counters.Gone = f.gone
		}
		head = h.Counters
		return out.Header(h)
	}
	parts.State = func(s *State) error {
		if f.last != nil {
			*s = f.last.Snapshot.State.Clone()
		}
		if f.change != nil {
			if err := f.change(s); err != nil {
				return err
			}
		}
		return out.State(s)
	}
	parts.Message = func(m *Message) error {
		if m.Seq >= head.NextSeq {
			return nil
		}
		return out.Message(m)
	}
	parts.Turn = func(t *Turn) error {
		if t.Number > head.Turns {
			return nil
		}
		return out.Turn(t)
	}
	parts.Step = func(s *Step) error {
		if s.Status == StepStarted || s.Turn > head.Turns {
			return nil
		}
		return out.Step(s)
	}
	return ReadParts(r, parts)
}

// Erase deletes every session of a person from a store, with all that tiers made of them,
// and returns how many those were.
func Erase(ctx context.Context, store Admin, userID string) (int, error) {
	if userID == "" {
		return 0, fmt.Errorf("%w: user id is empty", ErrBadKey)
	}
	n := 0
	for {
		list, err := store.Sessions(ctx, Query{UserID: userID, Limit: 1000})
		if err != nil || len(list) == 0 {
			return n, err
		}
		for _, info := range list {
			if err := store.Delete(ctx, info.Key); err != nil {
				return n, err
			}
			n++
		}
	}
}
