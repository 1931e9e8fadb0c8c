package router

import (
	"context"
	"fmt"

	"github.com/looplab/fsm"
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
// the event moves the machine to the next state. Stages decide, the machine permits, only drive moves.
func drive(ctx context.Context, t *turn) error {
	machine := machines.Get().(*fsm.FSM)
	defer machines.Put(machine)
	machine.SetState(idle)
	if err := move(ctx, machine, evReceive); err != nil {
		return err
	}
	for !resting[machine.Current()] {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.path = append(t.path, machine.Current())
		event, err := stages[machine.Current()](ctx, t)
		if err != nil {
			return err
		}
		if err := move(ctx, machine, event); err != nil {
			return err
		}
	}
	t.rest = machine.Current()
	t.path = append(t.path, t.rest)
	return nil
}

// move fires an event. A context that ends within looplab/fsm would leave the machine between two states.
func move(ctx context.Context, machine *fsm.FSM, event string) error {
	if err := machine.Event(context.WithoutCancel(ctx), event); err != nil {
		return fmt.Errorf("state %s does not allow event %s: %w", machine.Current(), event, errMachine)
	}
	return nil
}
