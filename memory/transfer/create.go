package transfer

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
)

// Create begins a session without messages. ErrConflict: the session exists.
func Create(ctx context.Context, store memory.Transfer, key memory.Key, about memory.About, at time.Time) error {
	if err := printable.CheckID(key.SessionID); err != nil {
		return fmt.Errorf("%w: the new session: %w", memory.ErrBadKey, err)
	}
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.Validate(); err != nil {
		return err
	}
	at = memory.Moment(at)
	a := &Archive{
		Header: Header{Key: key, Counters: memory.Counters{Version: 1, NextSeq: 1, Floor: 1}, CreatedAt: at, UpdatedAt: at, About: about.Clone()},
		State:  memory.State{Params: map[string]any{}, Version: 1},
	}
	var export bytes.Buffer
	if err := a.Write(&export); err != nil {
		return err
	}
	n, err := store.Import(ctx, &export)
	if err == nil && n == 0 {
		err = fmt.Errorf("create session: %w", memory.ErrConflict)
	}
	return err
}
