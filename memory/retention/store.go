// Package retention erases sessions that need not be kept: it wraps a [memory.Backend].
//
// From About.ExpiresAt on a session does not exist: who asks for it gets none, and it is erased. A
// turn then begins a new session under its id. A bound on the number of sessions erases the least
// recently used one for each that is begun. Sessions are erased from every table, as
// memory.Backend.Delete does.
//
// A session with a call under way stays until the outcome of the call is known, and a damaged one,
// whose times cannot be trusted, stays as well.
package retention

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/memory"
)

// Every is how often Run looks for expired sessions at least: another process may have set the
// expiry of a session.
const Every = time.Minute

// Options of a store.
type Options struct {
	Now     func() time.Time // the clock of expiry; nil: nothing expires
	Max     int              // sessions that stay; 0: all
	PerUser bool             // Max of each user; else of all together
	Failed  func(error)      // is called if sessions above Max could not be erased; may be nil
}

// Store is a store without the sessions that need not be kept.
type Store struct {
	memory.Backend

	opts Options
	wake chan struct{} // a session has got an expiry

	mu      sync.Mutex   // held from looking at a session until it is erased
	pending atomic.Int64 // sessions begun since the last look at the bound
}

var _ memory.Backend = (*Store)(nil)

// New wraps a store.
func New(store memory.Backend, opts Options) *Store {
	return &Store{Backend: store, opts: opts, wake: make(chan struct{}, 1)}
}

// expired reports whether a moment of expiry has come.
func (s *Store) expired(at time.Time) bool {
	return s.opts.Now != nil && !at.IsZero() && !at.After(s.opts.Now())
}

// expire erases a session if it has expired, and reports whether it did.
func (s *Store) expire(ctx context.Context, key memory.Key) (bool, error) {
	if s.opts.Now == nil || key.Validate() != nil {
		return false, nil // the store itself refuses the key
	}
	list, err := s.Backend.Sessions(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Expired: s.opts.Now(), Limit: 1})
	if err != nil {
		return false, fmt.Errorf("look for an expired session: %w", err)
	}
	if len(list) == 0 {
		return false, nil
	}
	// The state may be damaged: the moment is that of the listing, whose row is sound.
	return s.erase(ctx, &list[0], func(snap *memory.Snapshot) bool { return snap == nil || s.expired(snap.ExpiresAt) })
}

// erase erases a listed session unless its row is damaged, so that its times cannot be trusted, it
// has a call under way, or is not to go any more: due is called with what it is now, nil if that is
// damaged.
func (s *Store) erase(ctx context.Context, listed *memory.Info, due func(*memory.Snapshot) bool) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap, err := s.Backend.Load(ctx, listed.Key, memory.LoadOptions{Fresh: true})
	damaged := errors.Is(err, memory.ErrCorrupt)
	if err != nil && !damaged {
		return false, err
	}
	if damaged {
		snap = nil
	}
	calling := snap != nil && len(snap.OpenSteps) > 0
	if listed.Damaged || calling || !due(snap) {
		return false, nil
	}
	if err := s.Delete(ctx, listed.Key); err != nil {
		if errors.Is(err, memory.ErrNotFound) {
			return false, nil
		}
		return false, fmt.Errorf("erase a session: %w", err)
	}
	return true, nil
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := s.Backend.Load(ctx, key, opts)
	if err != nil || !s.expired(snap.ExpiresAt) {
		return snap, err
	}
	gone, err := s.expire(ctx, key)
	if err != nil {
		return nil, err
	}
	if !gone { // another may have erased it
		return s.Backend.Load(ctx, key, opts)
	}
	empty := memory.NewSnapshot(key)
	empty.Lineage = snap.Lineage
	return empty, nil
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	err := s.Backend.Commit(ctx, d)
	if err == nil && d.Base == 0 {
		s.bound(ctx, d.Key, 1)
	}
	return err
}

// Sessions implements memory.Reader. It erases expired sessions before it lists.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	var err error
	switch {
	case !q.Expired.IsZero():
	case q.SessionID == "":
		_, _, err = s.Expire(ctx)
	default:
		_, err = s.expire(ctx, memory.Key{UserID: q.UserID, AgentID: q.AgentID, SessionID: q.SessionID})
	}
	if err != nil {
		return nil, err
	}
	return s.Backend.Sessions(ctx, q)
}

// alive returns memory.ErrNotFound for a session that has expired.
func (s *Store) alive(ctx context.Context, key memory.Key) error {
	gone, err := s.expire(ctx, key)
	if gone {
		return fmt.Errorf("the session has expired: %w", memory.ErrNotFound)
	}
	return err
}

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := s.alive(ctx, key); err != nil {
		return err
	}
	err := s.Backend.Describe(ctx, key, about)
	if err == nil && !about.ExpiresAt.IsZero() {
		s.nudge()
	}
	return err
}

// Export implements memory.Transfer.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	if err := s.alive(ctx, key); err != nil {
		return err
	}
	return s.Backend.Export(ctx, key, w)
}

// Import implements memory.Transfer. It erases expired sessions first, so that they cause no conflict.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	if _, _, err := s.Expire(ctx); err != nil {
		return 0, err
	}
	n, err := s.Backend.Import(ctx, r)
	if n > 0 {
		s.nudge()
		s.bound(ctx, memory.Key{}, n)
	}
	return n, err
}

func (s *Store) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Expire erases expired sessions, and returns how many those were and when it is due again.
func (s *Store) Expire(ctx context.Context) (n int, next time.Time, err error) {
	if s.opts.Now == nil {
		return 0, next, nil
	}
	now := s.opts.Now()
	next = now.Add(Every)
	list, err := s.Backend.Sessions(ctx, memory.Query{Expired: next, All: true})
	if err != nil {
		return 0, next, fmt.Errorf("look for expired sessions: %w", err)
	}
	for i := range list {
		if at := list[i].ExpiresAt; at.After(now) {
			if at.Before(next) && !list[i].Damaged {
				next = at
			}
			continue
		}
		gone, err := s.expire(ctx, list[i].Key)
		if err != nil {
			return n, next, err
		}
		if gone {
			n++
		}
	}
	return n, next, nil
}

// Run erases sessions when they expire, until ctx ends. failed is called with errors.
func (s *Store) Run(ctx context.Context, failed func(error)) {
	for ctx.Err() == nil {
		_, next, err := s.Expire(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		timer := time.NewTimer(max(next.Sub(s.opts.Now()), time.Millisecond))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.wake:
		}
		timer.Stop()
	}
}

// bound erases the least recently used sessions above the bound, after n were begun. What is
// committed stays committed, whatever comes of it. key is the one that was begun, and stays; the
// zero key is of an import.
func (s *Store) bound(ctx context.Context, key memory.Key, n int) {
	if s.opts.Max <= 0 || memory.Reserved(key.UserID) {
		return
	}
	q := memory.Query{All: true}
	if s.opts.PerUser {
		q.UserID = key.UserID
	} else if pending := s.pending.Add(int64(n)); pending*100 < int64(s.opts.Max) {
		return // to list all costs as much as there are: for large bounds one time in a hundred is enough
	}
	s.pending.Store(0)
	ctx = context.WithoutCancel(ctx)
	list, err := s.Sessions(ctx, q)
	kept := map[string]int{}
	for i := range list {
		listed := &list[i]
		if memory.Reserved(listed.Key.UserID) {
			continue
		}
		user := ""
		if s.opts.PerUser {
			user = listed.Key.UserID
		}
		kept[user]++
		if kept[user] <= s.opts.Max || listed.Key == key {
			continue
		}
		_, failed := s.erase(ctx, listed, func(snap *memory.Snapshot) bool { return snap != nil && snap.State.Version == listed.Version })
		err = errors.Join(err, failed)
	}
	if err != nil && s.opts.Failed != nil {
		s.opts.Failed(fmt.Errorf("forget sessions: %w", err))
	}
}
