package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// Keep implements memory.Backend.
func (s *Store) Keep(rules memory.Rules) { s.rules = rules }

// eraseUnused erases a session unless it was used or described meanwhile, or a call of it is under way.
const eraseUnused = eraseIdle + ` AND expires_at = $4
	AND NOT EXISTS (SELECT 1 FROM plan_steps WHERE session = $1::uuid AND status = 'started')`

// Expire implements memory.Admin.
func (s *Store) Expire(ctx context.Context) (int, error) { return s.expire(ctx, memory.Query{}) }

// expireOne erases one session if it has expired.
func (s *Store) expireOne(ctx context.Context, key memory.Key) error {
	_, err := s.expire(ctx, memory.Query{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID})
	return err
}

// expire erases those sessions that have expired, of some.
func (s *Store) expire(ctx context.Context, of memory.Query) (n int, err error) {
	if s.rules.Now == nil {
		return 0, nil
	}
	list, err := s.list(ctx, memory.Query{UserID: of.UserID, AgentID: of.AgentID, SessionID: of.SessionID, Expired: s.rules.Now(), All: true})
	if err != nil {
		return 0, fmt.Errorf("look for expired sessions: %w", err)
	}
	for i := range list {
		gone, err := s.eraseListed(ctx, &list[i])
		if err != nil {
			return n, err
		}
		n += gone
	}
	return n, nil
}

// eraseListed erases a session that is as it was listed, and returns how many that were. A damaged one stays: its
// times cannot be trusted.
func (s *Store) eraseListed(ctx context.Context, listed *memory.Info) (gone int, err error) {
	var r *sessionRow
	d := digestOf(listed.Key)
	if err := s.db.Read(ctx, sessionQuery(d, &r)); err != nil {
		return 0, fmt.Errorf("erase a session: %w", err)
	}
	isSound := !listed.Damaged && r.begun() && r.verify() == nil
	if !isSound || r.counters.Version != listed.Version {
		return 0, nil
	}
	return s.eraseRow(ctx, r, eraseUnused, r.counters.Version, r.updated, r.expires)
}

// bound erases the least recently used sessions above the bound, after n were begun. What is
// committed stays committed, whatever comes of it. key is the one that was begun, and stays; the
// zero key is of an import.
func (s *Store) bound(ctx context.Context, key memory.Key, n int) {
	if s.rules.Max <= 0 || memory.Reserved(key.UserID) {
		return
	}
	q := memory.Query{All: true}
	if s.rules.PerUser {
		q.UserID = key.UserID
	} else if pending := s.pending.Add(int64(n)); pending*100 < int64(s.rules.Max) {
		return // to list all costs as much as there are: for large bounds one time in a hundred is enough
	}
	s.pending.Store(0)
	ctx = context.WithoutCancel(ctx)
	list, err := s.list(ctx, q)
	kept := map[string]int{}
	for i := range list {
		listed := &list[i]
		if memory.Reserved(listed.Key.UserID) {
			continue
		}
		user := ""
		if s.rules.PerUser {
			user = listed.Key.UserID
		}
		kept[user]++
		if kept[user] <= s.rules.Max || listed.Key == key {
			continue
		}
		_, failed := s.eraseListed(ctx, listed)
		err = errors.Join(err, failed)
	}
	if err != nil && s.rules.Failed != nil {
		s.rules.Failed(fmt.Errorf("forget sessions: %w", err))
	}
}

// bare is a delta without texts, where none are kept.
func (s *Store) bare(d *memory.Delta) *memory.Delta {
	if s.rules.Textless == nil {
		return d
	}
	kept := &memory.Delta{
		Key: d.Key, Base: d.Base, At: d.At, Clear: d.Clear, Undo: d.Undo,
		State: memory.State{Params: map[string]any{}, LastIntentID: d.State.LastIntentID},
	}
	for _, step := range d.Steps {
		kept.Steps = append(kept.Steps, s.bareStep(step))
	}
	if d.Turn != nil {
		turn := *d.Turn
		turn.Response, turn.Snapshot = nil, nil
		kept.Turn = &turn
	}
	return kept
}

// bareStep is a journal row without what no other try needs.
func (s *Store) bareStep(step memory.Step) memory.Step {
	if s.rules.Textless == nil {
		return step
	}
	if !s.rules.Textless(step.Tool) {
		step.Args = []byte("null")
	}
	step.Result = nil
	return step
}
