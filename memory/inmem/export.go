package inmem

import (
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
)

// Export implements memory.Store.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	a, err := s.archive(ctx, key)
	if err != nil {
		return err
	}
	return a.Write(w) // outside the lock: w may be slow
}

func (s *Store) archive(ctx context.Context, key memory.Key) (*memory.Archive, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	e := s.get(key)
	if e == nil || e.head.Version == 0 {
		return nil, memory.ErrNotFound
	}
	a := &memory.Archive{
		Key: key, Head: e.head, CreatedAt: e.created, UpdatedAt: e.updated,
		State: e.state.Clone(), About: e.about.Clone(), Messages: memory.CloneMessages(e.messages),
	}
	for _, t := range e.turns {
		a.Turns = append(a.Turns, t.Clone())
	}
	for _, step := range e.steps {
		a.Steps = append(a.Steps, step.Clone())
	}
	return a, nil
}

// Import implements memory.Store.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	n := 0
	err := memory.ReadArchives(r, func(a *memory.Archive) error {
		added, err := s.restore(ctx, a)
		if added {
			n++
		}
		return err
	})
	return n, err
}

// restore takes ownership of the archive.
func (s *Store) restore(ctx context.Context, a *memory.Archive) (bool, error) {
	if err := s.lock(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	if old := s.get(a.Key); old != nil {
		if old.head.Version == a.Head.Version {
			return false, nil
		}
		return false, fmt.Errorf("import session over version %d: %w", old.head.Version, memory.ErrConflict)
	}
	e := newSession(a.Key)
	e.head, e.state, e.about, e.created, e.updated = a.Head, a.State, a.About, a.CreatedAt, a.UpdatedAt
	e.state.Version = a.Head.Version
	e.messages = a.Messages
	for _, t := range a.Turns {
		e.addTurn(t)
	}
	for _, step := range a.Steps {
		e.settle(step)
	}
	s.add(e)
	return true, nil
}

// Ping implements memory.Store.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	s.mu.Unlock()
	return nil
}

// Close implements memory.Store. What was stored is gone.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.sessions, s.used = nil, nil
	return nil
}
