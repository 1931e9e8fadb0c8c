package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Salvaged is what a Load with LoadOptions.Salvage found damaged.
type Salvaged struct {
	Damaged []string // the rows that were passed over, as an operator finds them; no values

	// Lost: the state cannot be read. Snapshot.State is empty but for its Version, which is the
	// stored one as far as it can be read, and the counters are those that the other rows tell.
	StateLost bool
	Last      *Turn // the newest turn, where Lost; nil: it cannot be read either
	// Intact: the row of the lost state is as it was written; what it holds cannot be opened.
	Intact bool
	// UnreadableSteps are the idempotency keys of open journal rows that cannot be read.
	UnreadableSteps []string
}

// Repair is what takes the place of what Salvaged found.
type Repair struct {
	Base            int64 // version of the state that was found
	Intact          bool
	UnreadableSteps []string // are over: nobody knows what came of them

	State              *State // nil: the state is not lost
	Counters           Counters
	CreatedAt, Updated time.Time
	Restored           bool // the state is the one that was lost
}

// Salvage is ForTurn for a session with damaged rows. What can be read is read, and the rest is
// passed over and named by Session.Damage. A state that cannot be read is taken from the newest
// turn, which holds a copy; where that does not serve, the session goes on without params, plan
// and history, and Session.StateLost says so. Whoever mends a session first is the one who does.
func (c *Conversations) Salvage(ctx context.Context, key Key, requestID string, at time.Time) (*Session, error) {
	opts := LoadOptions{Recent: c.recent, RequestID: requestID, Fresh: true, Salvage: true}
	snap, err := c.store.Load(ctx, key, opts)
	if err != nil {
		return nil, err
	}
	found := snap.Salvaged
	m := newRepair(snap, at)
	if m.State != nil || len(m.UnreadableSteps) > 0 {
		if err := c.store.Repair(ctx, key, m); err != nil && !errors.Is(err, ErrConflict) {
			return nil, fmt.Errorf("mend session: %w", err)
		}
		if snap, err = c.store.Load(ctx, key, opts); err != nil {
			return nil, err
		}
		if snap.StateLost { // somebody damages it faster than it is mended
			return nil, fmt.Errorf("mend session: %w", ErrCorrupt)
		}
	}
	s := newSession(c.store, snap, c.recent)
	s.damage = found.Damaged
	s.stateLost, s.stepsLost = m.State != nil && !m.Restored, len(m.UnreadableSteps) > 0
	return s, nil
}

// Read is ForSession for somebody who only looks: damaged messages are left out, and nothing is
// mended. ErrCorrupt: the state itself is damaged, which the next turn mends.
func (c *Conversations) Read(ctx context.Context, key Key) (*Session, error) {
	snap, err := LoadReadable(ctx, c.store, key, LoadOptions{Recent: c.recent})
	if err != nil {
		return nil, err
	}
	s := newSession(c.store, snap, c.recent)
	s.damage = snap.Damaged
	return s, nil
}

// loader loads sessions, as a store does.
type loader interface {
	Load(ctx context.Context, key Key, opts LoadOptions) (*Snapshot, error)
}

// LoadReadable is Load for somebody who only looks: damaged messages, turns and calls are passed
// over. ErrCorrupt: the state itself is damaged, which the next turn mends.
func LoadReadable(ctx context.Context, store loader, key Key, opts LoadOptions) (*Snapshot, error) {
	snap, err := store.Load(ctx, key, opts)
	if !errors.Is(err, ErrCorrupt) {
		return snap, err
	}
	opts.Salvage, opts.Fresh = true, true
	salvaged, failed := store.Load(ctx, key, opts)
	if failed != nil {
		return nil, failed
	}
	if salvaged.StateLost {
		return nil, err
	}
	return salvaged, nil
}

// TurnsReadable is Store.Turns for somebody who only looks: damaged turns are left out, and damaged
// says that there are any.
func TurnsReadable(ctx context.Context, store Reader, key Key, page Page) (list []Turn, damaged bool, err error) {
	list, err = store.Turns(ctx, key, page)
	if !errors.Is(err, ErrCorrupt) {
		return list, false, err
	}
	page.Salvage = true
	list, err = store.Turns(ctx, key, page)
	return list, true, err
}

// Damage names the stored rows that the session was loaded without.
func (s *Session) Damage() []string { return s.damage }

// StateLost reports that params, plan and history were lost with a damaged row.
func (s *Session) StateLost() bool { return s.stateLost }

// StepsLost reports that the journal has calls of which nobody can tell what came of them.
func (s *Session) StepsLost() bool { return s.stepsLost }

// maxVersion is above any version that a session can have come to by itself.
const maxVersion = 1 << 40

// mended works out how a session goes on. The copy in the newest turn is the lost state only if
// nothing was committed after it: a clear that came later must not be undone by mending.
func newRepair(s *Snapshot, at time.Time) *Repair {
	m := &Repair{Base: s.State.Version, Intact: s.Intact, UnreadableSteps: s.UnreadableSteps}
	if !s.StateLost {
		return m
	}
	m.CreatedAt, m.Updated = s.CreatedAt, at
	version := s.State.Version
	if version < 0 || version > maxVersion {
		version = 0
	}
	counters := Counters{Version: max(version, s.Turns), NextSeq: s.NextSeq, Floor: s.NextSeq, Turns: s.Turns, Epoch: max(s.Epoch, 0) + 1}
	state := State{Params: map[string]any{}}
	if last := s.Last; last != nil {
		m.Updated = last.At
		if past := last.Snapshot; past != nil {
			counters.Version, counters.Epoch = max(counters.Version, past.Counters.Version), past.Counters.Epoch+1
			if m.Restored = past.Counters.NextSeq == s.NextSeq && past.Counters.Version == s.State.Version && !last.Undone; m.Restored {
				counters, state = past.Counters, past.State.Clone()
			}
		}
	}
	if m.CreatedAt.After(m.Updated) || m.CreatedAt.Year() < 1980 {
		m.CreatedAt = m.Updated
	}
	counters.Version++
	state.Version = counters.Version
	m.Counters, m.State = counters, &state
	return m
}
