package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/planner"
)

// ErrForeign: an import holds a session of another user or agent.
var ErrForeign = errors.New("a session of another user or agent")

// Import stores the sessions of an export, all of which must be owner's, by user and agent:
// it reads the whole before it writes anything. It returns how many were added; those that
// are there already at the same version are not. ErrForeign; memory.ErrBadExport: it cannot
// be read; memory.ErrConflict: one of the sessions went on differently. What an export claims
// to have been confirmed, asked or called is left out (see Restore).
func Import(ctx context.Context, store transfer.Forker, owner memory.Key, export []byte) (int, error) {
	err := transfer.Read(bytes.NewReader(export), &transfer.Parts{Header: func(h *transfer.Header) error {
		if h.Key.UserID != owner.UserID || h.Key.AgentID != owner.AgentID {
			return ErrForeign
		}
		snap, err := store.Load(ctx, h.Key, memory.LoadOptions{Fresh: true})
		if err != nil {
			return fmt.Errorf("look for the session: %w", err)
		}
		if v := snap.State.Version; v != 0 && v != h.Counters.Version {
			return fmt.Errorf("import over version %d: %w", v, memory.ErrConflict)
		}
		return nil
	}})
	if err != nil {
		return 0, err
	}
	return Restore(ctx, store, bytes.NewReader(export))
}

// Restore stores the sessions of an export, whosever they are. Anybody may have written it, so
// nothing in it does anything: confirmations and open questions are taken out of it, and the
// journal of calls is left behind, for a call that was "started" would be made again. What was
// said, the params and how far a task has come are kept.
func Restore(ctx context.Context, store memory.Transfer, export io.Reader) (n int, err error) {
	err = transfer.Pipe(export, disarm, func(r io.Reader) error {
		n, err = store.Import(ctx, r)
		return err
	})
	return n, err
}

// disarm takes out of an export whatever could lead to a call.
func disarm(r io.Reader, w io.Writer) error {
	out := transfer.NewWriter(w)
	parts := out.Parts()
	parts.State = func(s *memory.State) error {
		s.WaitingForParam = ""
		if err := asExport(unsaid(s, true)); err != nil {
			return err
		}
		return out.State(s)
	}
	parts.Turn = func(t *memory.Turn) error {
		if t.Snapshot != nil {
			if err := asExport(AskAgain(&t.Snapshot.State)); err != nil {
				return err
			}
		}
		return out.Turn(t)
	}
	parts.Step = nil
	return transfer.Read(r, parts)
}

// asExport blames the export for a plan that cannot be read.
func asExport(err error) error {
	if errors.Is(err, planner.ErrForm) {
		return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	return err
}
