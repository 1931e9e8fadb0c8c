package inmem

import (
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Export implements memory.Transfer.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	return transfer.Export(ctx, s, key, w)
}

// Import implements memory.Transfer.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	return transfer.Import(r, func(in *transfer.Incoming) (bool, error) { return s.restore(ctx, in) })
}

// sessionOf is a session as it comes in.
func sessionOf(in *transfer.Incoming) (*session, error) {
	e := newSession(in.Key)
	e.counters, e.state, e.about, e.created, e.updated = in.Counters, in.State, in.About, in.CreatedAt, in.UpdatedAt
	e.state.Version = in.Counters.Version
	err := in.EachMessage(func(list []memory.Message) error {
		e.messages = append(e.messages, list...)
		return nil
	})
	if err == nil {
		err = in.EachTurn(func(list []memory.Turn) error {
			for _, t := range list {
				e.addTurn(t)
			}
			return nil
		})
	}
	if err == nil {
		err = in.EachStep(func(list []memory.Step) error {
			for _, step := range list {
				e.finishStep(step)
			}
			return nil
		})
	}
	return e, err
}

func (s *Store) restore(ctx context.Context, in *transfer.Incoming) (bool, error) {
	e, err := sessionOf(in)
	if err != nil {
		return false, err
	}
	if err := s.lock(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	if old := s.get(in.Key); old != nil {
		if old.counters.Version == in.Counters.Version {
			return false, nil
		}
		return false, fmt.Errorf("import session over version %d: %w", old.counters.Version, memory.ErrConflict)
	}
	s.add(e)
	return true, nil
}

// Ping implements memory.Connection.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	s.mu.Unlock()
	return nil
}

// Close implements memory.Connection. What was stored is gone.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.sessions, s.used = nil, nil
	return nil
}
