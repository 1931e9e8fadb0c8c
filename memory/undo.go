package memory

import (
	"context"
	"fmt"
)

// Undo undoes the last turn: its messages become inactive, and the state is again that after the
// turn before. Calls that the turn made stay made. It returns the turn; the next Commit writes the
// change. ErrNoSnapshot: there is no turn that keeps its state.
func (s *Session) Undo(ctx context.Context) (Turn, error) {
	if len(s.appended) > 0 || s.turn != nil || s.cleared || s.undo != nil {
		return Turn{}, fmt.Errorf("%w: undo in the middle of other changes", ErrBadDelta)
	}
	live, err := s.store.Turns(ctx, s.Key(), Page{Limit: 2, Last: true})
	if err != nil {
		return Turn{}, err
	}
	if len(live) == 0 || live[len(live)-1].Snapshot == nil {
		return Turn{}, ErrNoSnapshot
	}
	last := live[len(live)-1]
	state := State{Params: map[string]any{}}
	if len(live) == 2 {
		if live[0].Snapshot == nil {
			return Turn{}, ErrNoSnapshot
		}
		state = live[0].Snapshot.State.Clone()
	}
	from := int64(1)
	if last.Number > 1 {
		before, err := s.store.Turns(ctx, s.Key(), Page{After: last.Number - 2, Limit: 1, Inactive: true})
		if err != nil {
			return Turn{}, err
		}
		if len(before) == 0 || before[0].Snapshot == nil {
			return Turn{}, ErrNoSnapshot
		}
		from = before[0].Snapshot.Counters.NextSeq
	}
	s.undo = &Undo{Turn: last.Number, From: from, Until: last.Snapshot.Counters.NextSeq}
	for len(s.active) > 0 && s.active[len(s.active)-1].Seq >= from {
		s.active = s.active[:len(s.active)-1]
	}
	state.Version = s.state.Version
	s.state, s.dirty = state, true
	return last, nil
}
