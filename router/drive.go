package router

import (
	"context"
	"fmt"
	"sync"

	"github.com/looplab/fsm"
)

// stages has the stage of every state that does not rest.
var stages = map[string]func(context.Context, *turn) (event string, err error){
	received:   receive,
	classified: classify,
	planned:    plan,
	asking:     ask,
	confirming: confirm,
	calling:    call,
	responding: respond,
}

// machines are reused: building one costs five times what a turn's events do.
var machines = sync.Pool{New: func() any { return fsm.NewFSM(idle, events(), fsm.Callbacks{}) }}

// drive moves a turn from received until it rests. A machine goes back to the pool only
// after a turn that rested: after an error or a panic it is dropped.
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

// fire moves the machine. A context that ends during Event would wedge the machine for
// ever (looplab/fsm v1.0.3), so it never sees one that can.
func fire(ctx context.Context, m *fsm.FSM, event string) error {
	if err := m.Event(context.WithoutCancel(ctx), event); err != nil {
		return fmt.Errorf("state %s does not allow event %s: %w", m.Current(), event, errMachine)
	}
	return nil
}
