package memory

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/config/printable"
)

// Undo takes the last turn back: its messages become inactive, and the state is again what
// it was after the turn before. Calls that the turn made stay made. It returns the turn;
// the next Commit writes it. ErrNoPast: there is no turn, or one of a release that did not
// keep how the session stood.
func (s *Session) Undo(ctx context.Context) (Turn, error) {
	if len(s.appended) > 0 || s.turn != nil || s.cleared || s.undo != nil {
		return Turn{}, fmt.Errorf("%w: undo in the middle of other changes", ErrBadDelta)
	}
	live, err := s.store.Turns(ctx, s.Key(), Page{Limit: 2, Last: true})
	if err != nil {
		return Turn{}, err
	}
	if len(live) == 0 || live[len(live)-1].Past == nil {
		return Turn{}, ErrNoPast
	}
	last := live[len(live)-1]
	state := State{Params: map[string]any{}}
	if len(live) == 2 {
		if live[0].Past == nil {
			return Turn{}, ErrNoPast
		}
		state = live[0].Past.State.Clone()
	}
	from := int64(1)
	if last.Number > 1 {
		before, err := s.store.Turns(ctx, s.Key(), Page{After: last.Number - 2, Limit: 1, Inactive: true})
		if err != nil {
			return Turn{}, err
		}
		if len(before) == 0 || before[0].Past == nil {
			return Turn{}, ErrNoPast
		}
		from = before[0].Past.Head.NextSeq
	}
	s.undo = &Undo{Turn: last.Number, From: from, Until: last.Past.Head.NextSeq}
	for len(s.active) > 0 && s.active[len(s.active)-1].Seq >= from {
		s.active = s.active[:len(s.active)-1]
	}
	state.Version = s.state.Version
	s.state, s.dirty = state, true
	return last, nil
}

// Fork copies a session as it stood after a turn to a new key; turn 0 is now. Calls that
// are under way stay the original's alone. ErrNotFound: no such session or turn;
// ErrConflict: the new key has a session; ErrNoPast as for Undo.
func Fork(ctx context.Context, store Store, from, to Key, turn int64) error {
	if err := printable.CheckID(to.SessionID); err != nil {
		return fmt.Errorf("%w: the new session: %w", ErrBadKey, err)
	}
	if err := to.Validate(); err != nil {
		return err
	}
	var whole bytes.Buffer
	if err := store.Export(ctx, from, &whole); err != nil {
		return err
	}
	var copied bytes.Buffer
	if err := ReadArchives(&whole, func(a *Archive) error { return a.fork(to, turn, &copied) }); err != nil {
		return err
	}
	switch n, err := store.Import(ctx, &copied); {
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("fork: %w", ErrConflict)
	}
	return nil
}

func (a *Archive) fork(to Key, turn int64, w io.Writer) error {
	a.Key = to
	if turn > 0 {
		if err := a.cutAfter(turn); err != nil {
			return err
		}
	}
	kept := a.Steps[:0]
	for _, s := range a.Steps {
		if s.Status != StepStarted && s.Turn <= a.Head.Turns {
			kept = append(kept, s)
		}
	}
	a.Steps = kept
	return a.Write(w)
}

// cutAfter takes the archive back to how the session stood after a turn.
func (a *Archive) cutAfter(turn int64) error {
	for i := range a.Turns {
		if t := &a.Turns[i]; t.Number == turn {
			if t.Past == nil {
				return ErrNoPast
			}
			a.Head, a.State, a.UpdatedAt = t.Past.Head, t.Past.State.Clone(), t.At
			a.Messages, a.Turns = a.Messages[:a.Head.NextSeq-1], a.Turns[:i+1]
			a.Head.Gone = a.gone() // what was undone later stays undone
			return nil
		}
	}
	return fmt.Errorf("turn %d: %w", turn, ErrNotFound)
}

// Erase deletes every session of a person from a store, with all that tiers made of them,
// and returns how many those were.
func Erase(ctx context.Context, store Store, userID string) (int, error) {
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
