package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
)

// ErrForeign: an import holds a session of another user or agent.
var ErrForeign = errors.New("a session of another user or agent")

// Import stores the sessions of an export, all of which must be owner's, by user and agent:
// it reads the whole before it writes anything. It returns how many were added; those that
// are there already at the same version are not. ErrForeign; memory.ErrBadExport: it cannot
// be read; memory.ErrConflict: one of the sessions went on differently. What an export claims
// to have been confirmed, asked or called is left out (see Restore).
func Import(ctx context.Context, store memory.Store, owner memory.Key, export []byte) (int, error) {
	err := memory.ReadArchives(bytes.NewReader(export), func(a *memory.Archive) error {
		if a.Key.UserID != owner.UserID || a.Key.AgentID != owner.AgentID {
			return ErrForeign
		}
		snap, err := store.Load(ctx, a.Key, memory.LoadOptions{Fresh: true})
		if err != nil {
			return fmt.Errorf("look for the session: %w", err)
		}
		if v := snap.State.Version; v != 0 && v != a.Head.Version {
			return fmt.Errorf("import over version %d: %w", v, memory.ErrConflict)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return Restore(ctx, store, bytes.NewReader(export))
}

// Restore stores the sessions of an export, whosever they are. Anybody may have written it, so
// nothing in it does anything: confirmations and open questions are taken out of it, and the
// journal of calls is left behind, for a call that was "started" would be made again. What was
// said, the params and how far a task has come are kept.
func Restore(ctx context.Context, store memory.Store, export io.Reader) (int, error) {
	n := 0
	err := memory.ReadArchives(export, func(a *memory.Archive) error {
		if err := disarm(a); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := a.Write(&b); err != nil {
			return err
		}
		added, err := store.Import(ctx, &b)
		n += added
		return err
	})
	return n, err
}

// disarm takes out of an archive whatever could lead to a call.
func disarm(a *memory.Archive) error {
	a.Steps, a.State.WaitingForParam = nil, ""
	err := unsaid(&a.State, true)
	for i := range a.Turns {
		if a.Turns[i].Past != nil && err == nil {
			err = AskAgain(&a.Turns[i].Past.State)
		}
	}
	if errors.Is(err, planner.ErrForm) {
		return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	return err
}
