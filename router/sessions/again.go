package sessions

import (
	"context"

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

// Fork is memory.Fork to a session that asks again before it does anything.
func Fork(ctx context.Context, store transfer.Forker, from, to memory.Key, turn int64) error {
	return transfer.Fork(ctx, store, from, to, turn, AskAgain)
}
