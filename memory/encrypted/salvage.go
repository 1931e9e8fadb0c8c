package encrypted

import (
	"context"
	"errors"

	"github.com/slotway/slotway/memory"
)

// damaged reports a value that does not open. One of another key is not damaged: all sessions have
// it, and the key helps.
func damaged(err error) bool {
	return errors.Is(err, memory.ErrCorrupt) && !errors.Is(err, ErrWrongKey) && !errors.Is(err, ErrUnencrypted)
}

// salvage decrypts what is left of a session with damaged rows.
func (s *Store) salvage(ctx context.Context, snap *memory.Snapshot) (*memory.Snapshot, error) {
	o := s.opener(snap.Key)
	pass := func(err error) error {
		if damaged(err) {
			snap.Damaged = append(snap.Damaged, err.Error())
			return nil
		}
		return err
	}
	if v := snap.State.Version; v > 0 && !snap.StateLost {
		err := o.state(kindCurrent, v, &snap.State, position{snap.NextSeq, snap.Turns, micros(snap.UpdatedAt)})
		if damaged(err) {
			snap.StateLost, snap.Intact = true, true
			snap.State = memory.State{Params: map[string]any{}, Version: v}
			list, failed := s.Backend.Turns(ctx, snap.Key, memory.Page{Limit: 1, Last: true, Inactive: true})
			if failed == nil && len(list) == 1 {
				snap.Last = &list[0]
			} else if failed = pass(failed); failed != nil {
				return nil, failed
			}
		}
		if err := pass(err); err != nil {
			return nil, err
		}
	}
	if snap.Last != nil {
		if err := o.turn(snap.Last); err != nil {
			snap.Last = nil
			if err := pass(err); err != nil {
				return nil, err
			}
		}
	}
	recent := snap.Recent[:0]
	for i := range snap.Recent {
		err := o.message(&snap.Recent[i])
		if err == nil {
			recent = append(recent, snap.Recent[i])
		} else if err := pass(err); err != nil {
			return nil, err
		}
	}
	snap.Recent = recent
	if snap.StateLost {
		snap.Recent = nil
	}
	open := snap.OpenSteps[:0]
	for i := range snap.OpenSteps {
		err := o.step(&snap.OpenSteps[i])
		if err == nil {
			open = append(open, snap.OpenSteps[i])
			continue
		}
		if err := pass(err); err != nil {
			return nil, err
		}
		snap.UnreadableSteps = append(snap.UnreadableSteps, snap.OpenSteps[i].IdempotencyKey)
	}
	snap.OpenSteps = open
	if t := snap.Replay; t != nil && len(t.Response) > 0 { // else its row is damaged
		if err := o.turn(t); err != nil {
			snap.Replay = &memory.Turn{RequestID: t.RequestID}
			return snap, pass(err)
		}
	}
	return snap, nil
}

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if m.State == nil {
		return s.Backend.Repair(ctx, key, m)
	}
	sealed, state := *m, m.State.Clone()
	at := position{m.Counters.NextSeq, m.Counters.Turns, micros(m.Updated)}
	if err := s.keys.box(key).sealState(kindCurrent, m.Counters.Version, &state, at); err != nil {
		return err
	}
	sealed.State = &state
	return s.Backend.Repair(ctx, key, &sealed)
}
