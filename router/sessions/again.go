package sessions

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/planner"
)

// AskAgain takes every yes out of a restored or copied state, and makes its open confirmation be
// asked again: the next yes may be meant for another question. It returns planner.ErrForm if the
// plan cannot be read.
func AskAgain(state *memory.State) error { return revokeConfirmations(state, false) }

// revokeConfirmations is AskAgain. With everything, it also closes the open question.
func revokeConfirmations(state *memory.State, everything bool) (err error) {
	state.PlanExecution, err = planner.AskAgain(state.PlanExecution, everything)
	return err
}

// Fork is memory.Fork to a session that asks again before it does anything. No person has the copy: who
// has the session does not know of it.
func Fork(ctx context.Context, store transfer.Forker, from, to memory.Key, turn int64) error {
	return transfer.Fork(ctx, store, from, to, turn, func(state *memory.State) error {
		return errors.Join(AskAgain(state), keepHandOver(state, nil))
	})
}

// keepHandOver gives a state the hand-over of a plan.
func keepHandOver(state *memory.State, from json.RawMessage) (err error) {
	state.PlanExecution, err = planner.KeepHandOver(state.PlanExecution, from)
	return err
}

// keeping makes a change that leaves it to a person whether the person has the session: a user who
// clears or undoes does not send the person away, and does not bring one back.
func keeping(do func(*memory.Session) error) func(*memory.Session) error {
	return func(s *memory.Session) error {
		before := s.State().PlanExecution
		if err := do(s); err != nil {
			return err
		}
		state := s.State()
		if err := keepHandOver(&state, before); err != nil {
			return err
		}
		s.SetState(state)
		return nil
	}
}
