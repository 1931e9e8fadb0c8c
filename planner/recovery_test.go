package planner

import (
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// A turn may resume a suspended task and die in its call. What became of the call is the
// suspended task's: were it called again, its journal row would be in the way for ever.
func TestSettledOfASuspendedTask(t *testing.T) {
	def := &config.Agent{Intents: []*config.Intent{{ID: "order", Plan: []*config.Step{
		{ID: "call.1", Kind: config.StepCall, Tool: "buy", With: map[string]expr.Arg{"item": {Ref: []string{"item"}}}},
	}}}}
	for name, c := range map[string]struct {
		held  string // the item that the task has
		out   Outcome
		known bool
		left  int
		tries int
		mark  mark
	}{
		"done":              {"I-7", Outcome{Value: "v"}, true, 1, 0, markWrote},
		"unknown":           {"I-7", Outcome{Code: "timeout", Uncertain: true}, true, 0, 0, ""},
		"failed":            {"I-7", Outcome{Code: "rate_limited"}, true, 1, 1, ""},
		"of something else": {"I-8", Outcome{Value: "v"}, false, 1, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			st := &Turn{def: def, State: &State{
				Active: &frame{ID: "b"}, Session: map[string]*paramCell{"item": {Value: "I-9"}},
				Suspended: []*frame{{ID: "a", Intent: "order", Kept: map[string]*paramCell{"item": {Value: c.held}}}},
			}}
			known := st.recoverCall(InterruptedCall{Frame: "a", Step: "call.1", Args: map[string]any{"item": "I-7"}, Outcome: c.out})
			if known != c.known || len(st.Suspended) != c.left {
				t.Fatalf("known %v, %d tasks are suspended", known, len(st.Suspended))
			}
			if c.left == 1 && (st.Suspended[0].Tries[callHash(def.Intents[0].Plan[0], map[string]any{"item": "I-7"})] != c.tries || st.Suspended[0].Done["call.1"] != c.mark) {
				t.Errorf("%+v", st.Suspended[0])
			}
			if c.known {
				saidOnce(t, def, st)
			}
		})
	}
}

// saidOnce checks that what became of a call is said, and is not said again.
func saidOnce(t *testing.T, def *config.Agent, st *Turn) {
	t.Helper()
	if len(st.Agenda) != 1 {
		t.Fatalf("%d things are to be said", len(st.Agenda))
	}
	said, ok := st.next().(Respond)
	if !ok {
		t.Fatalf("next comes %T", st.next())
	}
	if st.performed(said); len(st.Agenda) != 0 {
		t.Errorf("%q is said again", said.Response)
	}
}
