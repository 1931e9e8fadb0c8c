// Package bounded limits a store to a number of conversations: a new one replaces the least recently
// used one, which is erased from every table, as memory.Backend.Delete does.
package bounded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Options of a store.
type Options struct {
	Max     int         // conversations that stay
	PerUser bool        // of each user; else of all together
	Failed  func(error) // hears why some could not be erased; nil: nobody
}

// Store is a store that forgets the least recently used conversations.
type Store struct {
	memory.Backend

	opts Options

	mu      sync.Mutex // guards pending; one is looking at a time
	pending int        // begun since the last look
}

var _ memory.Backend = (*Store)(nil)

// New wraps a store.
func New(store memory.Backend, opts Options) *Store {
	if opts.Failed == nil {
		opts.Failed = func(error) {}
	}
	return &Store{Backend: store, opts: opts}
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	err := s.Backend.Commit(ctx, d)
	if err == nil && d.Base == 0 {
		s.begun(ctx, d.Key, 1)
	}
	return err
}

// Import implements memory.Transfer.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	keys, n, err := transfer.ImportKeys(ctx, s.Backend, r)
	users := map[string]bool{}
	for _, key := range keys {
		if n > 0 && !users[key.UserID] {
			users[key.UserID] = true
			s.begun(ctx, key, n)
		}
	}
	return n, err
}

// begun looks for room after a conversation was begun. What is committed stays committed, whatever
// comes of it.
func (s *Store) begun(ctx context.Context, key memory.Key, n int) {
	if memory.Reserved(key.UserID) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// To list all costs as much as there are: for large numbers one in a hundred is enough.
	if s.pending += n; !s.opts.PerUser && s.pending*100 < s.opts.Max {
		return
	}
	s.pending = 0
	if err := s.evict(context.WithoutCancel(ctx), key); err != nil {
		s.opts.Failed(err)
	}
}

// evict erases the least recently used conversations above the bound, but for key's.
func (s *Store) evict(ctx context.Context, key memory.Key) error {
	q := memory.Query{All: true}
	if s.opts.PerUser {
		q.UserID = key.UserID
	}
	list, err := s.Sessions(ctx, q)
	if err != nil {
		return fmt.Errorf("look for conversations to forget: %w", err)
	}
	kept := 0
	var failed error
	for i := range list {
		in := &list[i]
		if memory.Reserved(in.Key.UserID) {
			continue
		}
		if kept++; kept <= s.opts.Max || in.Key == key {
			continue
		}
		failed = errors.Join(failed, s.forget(ctx, in))
	}
	return failed
}

// forget erases a conversation unless it was used meanwhile, has a call under way, of which it is
// still to be found out what came, or is damaged: when it was used last cannot be told.
func (s *Store) forget(ctx context.Context, in *memory.Info) error {
	snap, err := s.Load(ctx, in.Key, memory.LoadOptions{Fresh: true})
	if errors.Is(err, memory.ErrCorrupt) || err == nil && (snap.State.Version != in.Version || len(snap.OpenSteps) > 0) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.Delete(ctx, in.Key); err != nil && !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("forget a conversation: %w", err)
	}
	return nil
}
