package router

import (
	"context"
	"fmt"
	"sync"

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

// machines reuses machines: building one costs five times as much as the events of a turn.
var machines = sync.Pool{New: func() any { return fsm.NewFSM(idle, events(), fsm.Callbacks{}) }}

// drive runs the stages of a turn until it rests: the stage of the current state returns an event, and
// the event moves the machine to the next state. A machine goes back to the pool only after a turn
// that rested.
func drive(ctx context.Context, t *turn) error {
	m := machines.Get().(*fsm.FSM)
	m.SetState(idle)
	if err := fire(ctx, m, evReceive); err != nil {
		return err
	}
	for !resting[m.Current()] {
		if err := ctx.Err(); err != nil {
			return err
		}
		state := m.Current()
		t.path = append(t.path, state)
		event, err := stages[state](ctx, t)
		if err != nil {
			return err
		}
		if err := fire(ctx, m, event); err != nil {
			return err
		}
	}
	t.rest = m.Current()
	t.path = append(t.path, t.rest)
	machines.Put(m)
	return nil
}

// fire moves the machine. A context that ends during Event would block the machine for ever
// (looplab/fsm v1.0.3), so fire passes one that cannot end.
func fire(ctx context.Context, m *fsm.FSM, event string) error {
	if err := m.Event(context.WithoutCancel(ctx), event); err != nil {
		return fmt.Errorf("state %s does not allow event %s: %w", m.Current(), event, errMachine)
	}
	return nil
}
