// Package expiring hides and erases sessions that have expired: it wraps a [memory.Store], and from
// About.ExpiresAt on the session does not exist. A turn then begins a new session under its id.
//
// A session with a call under way stays as it is until the outcome of the call is known.
package expiring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// Every is how often Run looks for expired sessions at least: another process may have set the
// expiry of a session.
const Every = time.Minute

// Store is a store without its expired sessions.
type Store struct {
	memory.Backend

	now  func() time.Time
	wake chan struct{} // a session has got an expiry
	mu   sync.Mutex    // held from checking a session until it is erased
}

var _ memory.Backend = (*Store)(nil)

// New wraps a store. now is the clock; nil: time.Now.
func New(store memory.Backend, now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{Backend: store, now: now, wake: make(chan struct{}, 1)}
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	snap, err := s.Backend.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	gone, err := s.expired(ctx, snap)
	if err != nil {
		return nil, err
	}
	if gone {
		empty := memory.NewSnapshot(key)
		empty.Lineage = snap.Lineage
		return empty, nil
	}
	return snap, nil
}

// expired reports whether a session has expired. It does not trust a damaged row.
func (s *Store) expired(ctx context.Context, snap *memory.Snapshot) (bool, error) {
	now := s.now()
	at := memory.About{ExpiresAt: snap.ExpiresAt}
	if !at.Expired(now) || len(snap.OpenSteps) > 0 {
		return false, nil
	}
	list, err := s.Backend.Sessions(ctx, memory.Query{
		UserID: snap.Key.UserID, AgentID: snap.Key.AgentID, SessionID: snap.Key.SessionID, Expired: now, Limit: 1,
	})
	return len(list) == 1 && !list[0].Damaged, err
}

// checkExpired returns memory.ErrNotFound for a session that is stored and has expired.
func (s *Store) checkExpired(ctx context.Context, key memory.Key) error {
	snap, err := s.Backend.Load(ctx, key, memory.LoadOptions{})
	if errors.Is(err, memory.ErrCorrupt) || errors.Is(err, memory.ErrBadKey) {
		return nil // the store itself reports it where it matters
	}
	if err != nil {
		return err
	}
	is, err := s.expired(ctx, snap)
	if err == nil && is {
		err = fmt.Errorf("the session has expired: %w", memory.ErrNotFound)
	}
	return err
}

// erase erases an expired session to make room for a new one.
func (s *Store) erase(ctx context.Context, key memory.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkExpired(ctx, key); !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if err := s.Backend.Delete(ctx, key); err != nil && !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("erase an expired session: %w", err)
	}
	return nil
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	err := s.Backend.Commit(ctx, d)
	if d.Base != 0 || !errors.Is(err, memory.ErrConflict) {
		return err
	}
	if err := s.erase(ctx, d.Key); err != nil {
		return err
	}
	return s.Backend.Commit(ctx, d)
}

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	err := s.Backend.Start(ctx, key, base, step)
	if base != 0 || !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrStarted) {
		return err
	}
	if err := s.erase(ctx, key); err != nil {
		return err
	}
	return s.Backend.Start(ctx, key, base, step)
}

// Sessions implements memory.Reader. It erases expired sessions before it lists.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	if q.Expired.IsZero() && q.SessionID == "" {
		if _, _, err := s.Expire(ctx); err != nil {
			return nil, err
		}
	}
	list, err := s.Backend.Sessions(ctx, q)
	if err != nil || q.SessionID == "" || !q.Expired.IsZero() {
		return list, err
	}
	kept := list[:0]
	for i := range list {
		gone := list[i].Expired(s.now())
		if gone {
			err := s.checkExpired(ctx, list[i].Key)
			if gone = errors.Is(err, memory.ErrNotFound); err != nil && !gone {
				return nil, err
			}
		}
		if !gone {
			kept = append(kept, list[i])
		}
	}
	return kept, nil
}

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := s.checkExpired(ctx, key); err != nil {
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
	if err := s.checkExpired(ctx, key); err != nil {
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
	now := s.now()
	next = now.Add(Every)
	list, err := s.Backend.Sessions(ctx, memory.Query{Expired: next, All: true})
	if err != nil {
		return 0, next, fmt.Errorf("look for expired sessions: %w", err)
	}
	for i := range list {
		if list[i].Damaged { // its expiry is not trusted
			continue
		}
		if at := list[i].ExpiresAt; at.After(now) {
			if at.Before(next) {
				next = at
			}
			continue
		}
		is, err := s.eraseListed(ctx, list[i].Key, now)
		if err != nil {
			return n, next, err
		}
		if is {
			n++
		}
	}
	return n, next, nil
}

// eraseListed erases a session that has expired, unless it has a call under way or was begun anew
// since it was listed.
func (s *Store) eraseListed(ctx context.Context, key memory.Key, now time.Time) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap, err := s.Backend.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err == nil && (len(snap.OpenSteps) > 0 || !(&memory.About{ExpiresAt: snap.ExpiresAt}).Expired(now)) {
		return false, nil
	}
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return false, err
	}
	switch err := s.Backend.Delete(ctx, key); {
	case err == nil:
		return true, nil
	case !errors.Is(err, memory.ErrNotFound):
		return false, fmt.Errorf("erase an expired session: %w", err)
	}
	return false, nil
}

// Run erases sessions when they expire, until ctx ends. failed is called with errors.
func (s *Store) Run(ctx context.Context, failed func(error)) {
	for ctx.Err() == nil {
		_, next, err := s.Expire(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		timer := time.NewTimer(max(next.Sub(s.now()), time.Millisecond))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.wake:
		}
		timer.Stop()
	}
}
