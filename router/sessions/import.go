package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// ErrForeign: an import holds a session of another user or agent.
var ErrForeign = errors.New("a session of another user or agent")

// Import stores the sessions of an export, all of which must be owner's, by user and agent:
// it reads the whole before it writes anything. It returns how many were added; those that
// are there already at the same version are not. ErrForeign; memory.ErrBadExport: it cannot
// be read; memory.ErrConflict: one of the sessions went on differently.
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
	return store.Import(ctx, bytes.NewReader(export))
}
