package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
)

// maxTries is how often a change begins anew because a turn was faster.
const maxTries = 8

// Clear empties what a session remembers and returns how many messages became inactive.
// memory.ErrNotFound: no such session; memory.ErrConflict: its turns leave no gap.
func Clear(ctx context.Context, store memory.SessionStore, key memory.Key, at time.Time) (int, error) {
	n := 0
	err := change(ctx, store, key, at, 0, func(s *memory.Session) (err error) {
		n, err = s.Clear()
		return err
	})
	return n, err
}

// Undone is a turn that was taken back.
type Undone struct {
	Turn  int64
	Calls []memory.Step // write calls that it made, or may have made: those stay made
}

// undoWindow is how many messages an undo loads: what the last two turns said.
const undoWindow = 6

// Undo takes the last turn of a session back. A confirmation that the turn before asked for is
// asked for again. memory.ErrNotFound: no such session;
// memory.ErrNoSnapshot: nothing to take back; memory.ErrConflict as for Clear.
func Undo(ctx context.Context, store memory.SessionStore, key memory.Key, at time.Time) (Undone, error) {
	var out Undone
	err := change(ctx, store, key, at, undoWindow, func(s *memory.Session) error {
		last, err := s.Undo(ctx)
		if err != nil {
			return err
		}
		state := s.State()
		if err := AskAgain(&state); err != nil {
			return err
		}
		s.SetState(state)
		steps, err := store.Steps(ctx, key)
		if err != nil {
			return err
		}
		out = Undone{Turn: last.Number}
		for _, step := range steps {
			if step.Turn == last.Number && step.Status != memory.StepFailed {
				out.Calls = append(out.Calls, step)
			}
		}
		return nil
	})
	if err != nil {
		return Undone{}, err
	}
	return out, nil
}

// change commits what do does to a session as it is now.
func change(ctx context.Context, store memory.SessionStore, key memory.Key, at time.Time, recent int, do func(*memory.Session) error) error {
	conversations := memory.NewConversations(store, recent)
	for try := 1; ; try++ {
		session, err := conversations.ForTurn(ctx, key, "", true)
		if err != nil {
			return err
		}
		if session.Version() == 0 {
			return memory.ErrNotFound
		}
		if err := do(session); err != nil {
			return err
		}
		err = session.Commit(ctx, at)
		if try == maxTries || !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
}
