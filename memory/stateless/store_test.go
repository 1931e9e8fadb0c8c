package stateless_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/stateless"
)

// What is kept of a turn are ids and the journal; the arguments of a call stay where it is made
// again after a crash, and a reply is told again by the process that gave it.
func TestWhatIsKept(t *testing.T) {
	inner := inmem.New(nil)
	store := stateless.New(inner, func(tool string) bool { return tool == "again" })
	key := memory.Key{UserID: "ann", AgentID: "shop", SessionID: "m1"}
	s, err := memory.NewConversations(store, 10).ForTurn(t.Context(), key, "m1", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"again", "once"} {
		step := memory.Step{IdempotencyKey: tool, Origin: "o." + tool, Tool: tool, Args: []byte(`{"to":"Ann"}`), StartedAt: time.Now()}
		if err := s.Start(t.Context(), step); err != nil {
			t.Fatal(err)
		}
		step.Status, step.Result = memory.StepDone, []byte(`"Ann"`)
		s.FinishStep(step)
	}
	s.Append(memory.Message{Role: memory.User, Text: "I am Ann", Timestamp: time.Now()})
	s.SetState(memory.State{Params: map[string]any{"name": "Ann"}, LastResult: []byte(`"Ann"`), PlanExecution: []byte(`{"a":"Ann"}`)})
	s.RecordTurn(memory.Turn{RequestID: "m1", Response: json.RawMessage(`{"reply":"Hello Ann"}`)})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	rows, err := inner.Steps(t.Context(), key)
	if err != nil || len(rows) != 2 || string(rows[0].Args) != `{"to":"Ann"}` || string(rows[1].Args) != "null" ||
		rows[0].Result != nil || rows[1].Result != nil || rows[1].Status != memory.StepDone {
		t.Errorf("the journal is %+v, %v", rows, err)
	}
	snap, err := inner.Load(t.Context(), key, memory.LoadOptions{Recent: 10, RequestID: "m1"})
	if err != nil || len(snap.Recent) != 0 || len(snap.State.Params) != 0 || snap.State.LastResult != nil || snap.State.PlanExecution != nil ||
		snap.Replay == nil || len(snap.Replay.Response) != 0 {
		t.Errorf("stored is %+v, %v", snap, err)
	}
	again, err := store.Load(t.Context(), key, memory.LoadOptions{RequestID: "m1"})
	if err != nil || again.Replay == nil || string(again.Replay.Response) != `{"reply":"Hello Ann"}` {
		t.Errorf("the reply is %+v, %v", again.Replay, err)
	}
}
