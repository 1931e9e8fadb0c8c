package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Salvaged lists the damage that Load with LoadOptions.Salvage found.
type Salvaged struct {
	Damaged []string // the rows that were skipped, as an operator finds them; no values

	// StateLost: the state cannot be read. Snapshot.State is empty except for its Version, as far as
	// that can be read, and the counters are derived from the other rows.
	StateLost bool
	Last      *Turn // the newest turn, where StateLost; nil: it cannot be read either
	// Intact: the row of the lost state is as it was written, but its content cannot be decrypted.
	Intact bool
	// UnreadableSteps are the idempotency keys of open journal rows that cannot be read.
	UnreadableSteps []string
}

// Repair replaces what Salvaged found damaged.
type Repair struct {
	Base            int64 // version of the state that was found
	Intact          bool
	UnreadableSteps []string // are closed: their outcome is unknown

	State              *State // nil: the state is not lost
	Counters           Counters
	CreatedAt, Updated time.Time
	Restored           bool // the state is the one that was lost
}

// Salvage is ForTurn for a session with damaged rows. It skips what cannot be read, and
// Session.Damage lists that. What the row of the session told is restored from the newest turn,
// which has the state; a session whose newest turn is damaged goes on from the turn before; where neither is
// possible, it goes on without params, plan and history. Session.StateLost reports the latter two. The first call on a damaged session repairs it.
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
			return nil, fmt.Errorf("repair session: %w", err)
		}
		if snap, err = c.store.Load(ctx, key, opts); err != nil {
			return nil, err
		}
		if snap.StateLost { // it is damaged faster than it is repaired
			return nil, fmt.Errorf("repair session: %w", ErrCorrupt)
		}
	}
	s := newSession(c.store, snap, c.recent)
	s.damage = found.Damaged
	s.stateLost, s.stepsLost = m.State != nil && !m.Restored, len(m.UnreadableSteps) > 0
	return s, nil
}

// Read is ForSession for readers: it leaves out damaged messages and repairs nothing. ErrCorrupt:
// the state itself is damaged, which the next turn repairs.
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

// LoadReadable is Load for readers: it skips damaged messages, turns and calls. ErrCorrupt: the
// state itself is damaged, which the next turn repairs.
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

// Damage lists the stored rows that the session was loaded without.
func (s *Session) Damage() []string { return s.damage }

// StateLost reports that params, plan and history were lost with a damaged row.
func (s *Session) StateLost() bool { return s.stateLost }

// StepsLost reports that the journal has calls whose outcome cannot be told.
func (s *Session) StepsLost() bool { return s.stepsLost }

// maxVersion is above any version that a session can reach by itself.
const maxVersion = 1 << 40

// newRepair works out how a session goes on. The state in the newest turn is the lost one only if nothing
// was committed after it: a repair must not undo a later clear.
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
		switch past := last.Snapshot; {
		case past == nil:
		case s.Intact && last.Number < s.Turns: // only the newest turn is lost
			counters, state = s.Counters, past.State.Clone()
		default:
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
