package sessions

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/planner"
)

// AskAgain takes every yes out of a state that no turn of its session has just left: it was gone
// back to, or copied. A confirmation that was open is put again, for whoever says yes now may
// have another question in mind. planner.ErrForm: the plan cannot be read.
func AskAgain(state *memory.State) error { return unsaid(state, false) }

// unsaid is AskAgain; with everything, no question stays open.
func unsaid(state *memory.State, everything bool) (err error) {
	state.PlanExecution, err = planner.AskAgain(state.PlanExecution, everything)
	return err
}

// Fork is transfer.Fork to a session that asks again before it does anything.
func Fork(ctx context.Context, store transfer.Forker, from, to memory.Key, turn int64) error {
	return transfer.Fork(ctx, store, from, to, turn, AskAgain)
}
