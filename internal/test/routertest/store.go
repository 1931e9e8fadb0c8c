package routertest

import (
	"context"
	"sync"

	"github.com/slotway/slotway/memory"
)

// Store is a backend with a hook for the next call of some of its methods. A hook runs once.
type Store struct {
	memory.Backend
	mu       sync.Mutex // guards the hooks
	commit   func(*memory.Delta) error
	putViews func() error
	turns    func()
	start    func(memory.Step) error
}

// OnCommit sets a hook that runs before the next Commit. Its error becomes that of Commit.
func (s *Store) OnCommit(hook func(*memory.Delta) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commit = hook
}

// OnPutViews sets a hook that runs before the next PutViews. Its error becomes that of PutViews.
func (s *Store) OnPutViews(hook func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.putViews = hook
}

// OnTurns sets a hook that runs after the next Turns has read.
func (s *Store) OnTurns(hook func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = hook
}

// OnStart sets a hook that runs before the next Start. Its error becomes that of Start.
func (s *Store) OnStart(hook func(memory.Step) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = hook
}

// Start implements memory.Backend.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	if hook := take(s, &s.start); hook != nil {
		if err := hook(step); err != nil {
			return err
		}
	}
	return s.Backend.Start(ctx, key, base, step)
}

// Commit implements memory.Backend.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if hook := take(s, &s.commit); hook != nil {
		if err := hook(d); err != nil {
			return err
		}
	}
	return s.Backend.Commit(ctx, d)
}

// PutViews implements memory.Backend.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	if hook := take(s, &s.putViews); hook != nil {
		if err := hook(); err != nil {
			return 0, err
		}
	}
	return s.Backend.PutViews(ctx, views)
}

// Turns implements memory.Backend.
func (s *Store) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := s.Backend.Turns(ctx, key, page)
	if hook := take(s, &s.turns); hook != nil {
		hook()
	}
	return list, err
}

// take removes a hook and returns it.
func take[T any](s *Store, hook *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := *hook
	var none T
	*hook = none
	return taken
}
