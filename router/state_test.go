package router

import (
	"context"
	"errors"
	"testing"

	"github.com/looplab/fsm"
)

// The table is the machine; what looplab/fsm accepts silently is checked here.
func TestTransitionsAreATable(t *testing.T) {
	type cause struct{ from, on string }
	seen := map[cause]bool{}
	for _, row := range transitions {
		if row.from == row.to {
			t.Errorf("%s --%s--> itself: a self-loop is an error in looplab/fsm", row.from, row.on)
		}
		if seen[cause{row.from, row.on}] {
			t.Errorf("two rows for state %s and event %s", row.from, row.on)
		}
		seen[cause{row.from, row.on}] = true
	}
}

func TestEveryStateIsReachableAndTurnsCanEnd(t *testing.T) {
	reach := func(from string) map[string]bool {
		seen := map[string]bool{from: true}
		for changed := true; changed; {
			changed = false
			for _, row := range transitions {
				if seen[row.from] && !seen[row.to] {
					seen[row.to], changed = true, true
				}
			}
		}
		return seen
	}
	fromIdle := reach(idle)
	for _, row := range transitions {
		for _, state := range []string{row.from, row.to} {
			if !fromIdle[state] {
				t.Errorf("state %s cannot be reached", state)
			}
			if to := reach(state); !to[waiting] && !to[responded] {
				t.Errorf("from state %s no turn can end", state)
			}
		}
	}
}

func TestEveryStateThatDoesNotRestHasOneStage(t *testing.T) {
	states := map[string]bool{}
	for _, row := range transitions {
		states[row.from], states[row.to] = true, true
	}
	for state := range states {
		needs := !resting[state] && state != idle
		if _, has := stages[state]; has != needs {
			t.Errorf("state %s: has a stage %v, needs one %v", state, has, needs)
		}
	}
	for state := range stages {
		if !states[state] {
			t.Errorf("a stage for %s, which is no state of the table", state)
		}
	}
}

// A wedged machine would refuse every later event ("previous transition did not complete").
func TestACancelledContextDoesNotWedgeAMachine(t *testing.T) {
	m := fsm.NewFSM(idle, events(), fsm.Callbacks{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, ev := range []string{evReceive, evClassify, evPlan} {
		if err := fire(ctx, m, ev); err != nil {
			t.Fatalf("fire(%s) with a cancelled context: %v", ev, err)
		}
	}
	if m.Current() != planned {
		t.Errorf("state %s, want %s", m.Current(), planned)
	}
}

func TestAnEventThatTheTableLacksIsAnError(t *testing.T) {
	m := fsm.NewFSM(idle, events(), fsm.Callbacks{})
	if err := fire(context.Background(), m, evCall); !errors.Is(err, errMachine) {
		t.Errorf("fire(call) in idle: %v, want errMachine", err)
	}
}

func BenchmarkMachineOfATurn(b *testing.B) {
	walk := []string{evReceive, evClassify, evPlan, evAsk, evWait}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		m := machines.Get().(*fsm.FSM)
		m.SetState(idle)
		for _, ev := range walk {
			if err := fire(ctx, m, ev); err != nil {
				b.Fatal(err)
			}
		}
		machines.Put(m)
	}
}
