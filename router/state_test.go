package router

import (
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

func TestTheMachineIsTheTable(t *testing.T) {
	machine := newMachine()
	for _, row := range transitions {
		machine.SetState(row.from)
		if err := move(t.Context(), machine, row.on); err != nil || machine.Current() != row.to {
			t.Errorf("%s --%s--> %q, %v; want %s", row.from, row.on, machine.Current(), err, row.to)
		}
	}
	machine.SetState(idle)
	if err := move(t.Context(), machine, evCall); !errors.Is(err, errMachine) {
		t.Errorf("call in idle: %v, want errMachine", err)
	}
}

func BenchmarkMachineOfATurn(b *testing.B) {
	walk := []string{evReceive, evClassify, evPlan, evAsk, evWait}
	b.ReportAllocs()
	for b.Loop() {
		machine := machines.Get().(*fsm.FSM)
		machine.SetState(idle)
		for _, event := range walk {
			if err := move(b.Context(), machine, event); err != nil {
				b.Fatal(err)
			}
		}
		machines.Put(machine)
	}
}
