package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
)

// maxTries is how often a change starts over because a turn was committed first.
const maxTries = 8

// Clear empties a session's memory and returns how many messages became inactive. A person who has the
// session keeps it. Clear returns memory.ErrNotFound if there is no such session, and memory.ErrConflict if turns keep changing it.
func Clear(ctx context.Context, store memory.SessionStore, key memory.Key, at time.Time) (int, error) {
	n := 0
	err := change(ctx, store, key, at, 0, keeping(func(s *memory.Session) (err error) {
		n, err = s.Clear()
		return err
	}))
	return n, err
}

// Undone is a turn that was undone.
type Undone struct {
	Turn  int64
	Calls []memory.Step // write calls that it made, or may have made: those stay made
}

// undoWindow is how many messages an undo loads: those of the last two turns.
const undoWindow = 6

// Undo undoes the last turn of a session. A confirmation that the turn before asked for is asked
// again, and who has the session does not change. Undo returns memory.ErrNotFound if there is no such session, memory.ErrNoSnapshot if there
// is no turn to undo, and memory.ErrConflict as Clear does.
func Undo(ctx context.Context, store memory.SessionStore, key memory.Key, at time.Time) (Undone, error) {
	var out Undone
	err := change(ctx, store, key, at, undoWindow, keeping(func(s *memory.Session) error {
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
	}))
	if err != nil {
		return Undone{}, err
	}
	return out, nil
}

// change applies do to the current session and commits it.
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
