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

// ErrForeign reports an import with a session of another user or agent.
var ErrForeign = errors.New("a session of another user or agent")

// Import stores the sessions of an export, which must all belong to owner, by user and agent. It
// reads all of it before it writes anything. It returns how many sessions were added; those that
// exist at the same version are not added. The errors are ErrForeign, memory.ErrBadExport if the
// export cannot be read, and memory.ErrConflict if a session exists with another history.
// Confirmations, questions and calls of the export are left out (see Restore).
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

// Restore stores the sessions of an export, of any owner. Anyone may have written the export,
// so nothing in it may cause an effect: Restore drops confirmations, open questions and the
// journal, because a call that was "started" would be made again. Messages, params and the progress
// of tasks are kept.
func Restore(ctx context.Context, store memory.Transfer, export io.Reader) (int, error) {
	return transfer.ImportChanged(ctx, store, export, revoking(true))
}

// Asking is a store in whose exports every confirmation is asked again.
type Asking struct{ memory.Backend }

// Export implements memory.Transfer.
func (a Asking) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	export := func(_ io.Reader, w io.Writer) error { return a.Backend.Export(ctx, key, w) }
	return transfer.Pipe(nil, export, func(r io.Reader) error { return transfer.Change(r, w, revoking(false)) })
}

// revoking takes the confirmations out of an export, or everything that could lead to a call.
func revoking(everything bool) *transfer.Parts {
	change := &transfer.Parts{
		State: func(s *memory.State) error {
			if everything {
				s.WaitingForParam = ""
			}
			return asExport(revokeConfirmations(s, everything))
		},
		Turn: func(t *memory.Turn) error {
			if t.Snapshot == nil {
				return nil
			}
			return asExport(AskAgain(&t.Snapshot.State))
		},
	}
	if everything {
		change.Step = func(*memory.Step) error { return transfer.ErrLeaveOut }
	}
	return change
}

// asExport returns memory.ErrBadExport for a plan that cannot be read.
func asExport(err error) error {
	if errors.Is(err, planner.ErrForm) {
		return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	return err
}
