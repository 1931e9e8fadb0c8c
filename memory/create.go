package memory

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/slotway/slotway/config/printable"
)

// Create begins a session in which nothing has been said yet. ErrConflict: there is one.
func Create(ctx context.Context, store Transfer, key Key, about About, at time.Time) error {
	if err := printable.CheckID(key.SessionID); err != nil {
		return fmt.Errorf("%w: the new session: %w", ErrBadKey, err)
	}
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.Validate(); err != nil {
		return err
	}
	at = Moment(at)
	a := &Archive{
		Header: Header{Key: key, Counters: Counters{Version: 1, NextSeq: 1, Floor: 1}, CreatedAt: at, UpdatedAt: at, About: about.Clone()},
		State:        State{Params: map[string]any{}, Version: 1},
	}
	n := 0
	err := Pipe(nil, func(_ io.Reader, w io.Writer) error { return a.Write(w) }, func(r io.Reader) (err error) {
		n, err = store.Import(ctx, r)
		return err
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("create session: %w", ErrConflict)
	}
	return err
}
