package router

import (
	"context"
	"fmt"
)

// stages holds the stage of every state that does not rest.
var stages = map[string]func(context.Context, *turn) (event string, err error){
	received:   receive,
	classified: classify,
	planned:    plan,
	asking:     ask,
	confirming: confirm,
	calling:    call,
	responding: respond,
}

// drive runs the stages of a turn until it rests: the stage of the current state returns an event, and
// the event moves the turn to the next state. Stages decide, the machine permits, only drive moves.
func drive(ctx context.Context, t *turn) error {
	state, err := move(idle, evReceive)
	if err != nil {
		return err
	}
	for !resting[state] {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.path = append(t.path, state)
		event, err := stages[state](ctx, t)
		if err != nil {
			return err
		}
		if state, err = move(state, event); err != nil {
			return err
		}
	}
	t.rest = state
	t.path = append(t.path, state)
	return nil
}

// move returns the state that an event leads to.
func move(state, event string) (string, error) {
	to, ok := machine[edge{state, event}]
	if !ok {
		return "", fmt.Errorf("state %s does not allow event %s: %w", state, event, errMachine)
	}
	return to, nil
}
