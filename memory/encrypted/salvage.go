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

// noteDamage lists a damaged value in the snapshot. It returns any other error.
func noteDamage(snap *memory.Snapshot, err error) error {
	if damaged(err) {
		snap.Damaged = append(snap.Damaged, err.Error())
		return nil
	}
	return err
}

// salvage decrypts what is left of a session with damaged rows.
func (s *Store) salvage(ctx context.Context, snap *memory.Snapshot) (*memory.Snapshot, error) {
	b := s.keys.box(snap.Key)
	if err := s.salvageState(ctx, b, snap); err != nil {
		return nil, err
	}
	if err := b.salvageLast(snap); err != nil {
		return nil, err
	}
	if err := b.salvageRecent(snap); err != nil {
		return nil, err
	}
	if err := b.salvageSteps(snap); err != nil {
		return nil, err
	}
	return snap, b.salvageReplay(snap)
}

// salvageState decrypts the state. For one that is damaged it stores an empty state and the last
// turn.
func (s *Store) salvageState(ctx context.Context, b box, snap *memory.Snapshot) error {
	v := snap.State.Version
	if v <= 0 || snap.StateLost {
		return nil
	}
	err := b.state(v, &snap.State, position{snap.NextSeq, snap.Turns, micros(snap.UpdatedAt)})
	if damaged(err) {
		snap.StateLost, snap.Intact = true, true
		snap.State = memory.State{Params: map[string]any{}, Version: v}
		list, failed := s.Backend.Turns(ctx, snap.Key, memory.Page{Limit: 2, Last: true, Inactive: true})
		if failed = noteDamage(snap, failed); failed != nil {
			return failed
		}
		for i := range list { // the newest may hold what was damaged
			if whole := list[i].Clone(); b.turn(&whole) == nil {
				snap.Last = &list[i]
			}
		}
	}
	return noteDamage(snap, err)
}

// salvageLast decrypts the last turn, or leaves it out.
func (b box) salvageLast(snap *memory.Snapshot) error {
	if snap.Last == nil {
		return nil
	}
	err := b.turn(snap.Last)
	if err != nil {
		snap.Last = nil
	}
	return noteDamage(snap, err)
}

// salvageRecent decrypts the recent messages and leaves out damaged ones. Without a state there are
// none.
func (b box) salvageRecent(snap *memory.Snapshot) error {
	recent := snap.Recent[:0]
	for i := range snap.Recent {
		err := b.message(&snap.Recent[i])
		if err == nil {
			recent = append(recent, snap.Recent[i])
		} else if err := noteDamage(snap, err); err != nil {
			return err
		}
	}
	snap.Recent = recent
	if snap.StateLost {
		snap.Recent = nil
	}
	return nil
}

// salvageSteps decrypts the open steps. It lists those that are damaged as unreadable.
func (b box) salvageSteps(snap *memory.Snapshot) error {
	open := snap.OpenSteps[:0]
	for i := range snap.OpenSteps {
		err := b.step(&snap.OpenSteps[i])
		if err == nil {
			open = append(open, snap.OpenSteps[i])
			continue
		}
		if err := noteDamage(snap, err); err != nil {
			return err
		}
		snap.UnreadableSteps = append(snap.UnreadableSteps, snap.OpenSteps[i].IdempotencyKey)
	}
	snap.OpenSteps = open
	return nil
}

// salvageReplay decrypts the turn of the request that comes again. Of a damaged one only the id of
// the request is left.
func (b box) salvageReplay(snap *memory.Snapshot) error {
	t := snap.Replay
	if t == nil || len(t.Response) == 0 { // then its row is damaged
		return nil
	}
	err := b.turn(t)
	if err != nil {
		snap.Replay = &memory.Turn{RequestID: t.RequestID}
	}
	return noteDamage(snap, err)
}

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if m.State == nil {
		return s.Backend.Repair(ctx, key, m)
	}
	repaired, state := *m, m.State.Clone()
	at := position{m.Counters.NextSeq, m.Counters.Turns, micros(m.Updated)}
	if err := s.keys.box(key).sealState(m.Counters.Version, &state, at); err != nil {
		return err
	}
	repaired.State = &state
	return s.Backend.Repair(ctx, key, &repaired)
}
