package rasatool_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// action makes the tool of one action of scripts/services/rasa/actions.py.
func action(t *testing.T, name string) tools.Tool {
	t.Helper()
	at := os.Getenv("SLOTWAY_TEST_RASA_URL")
	if at == "" {
		const how = "SLOTWAY_TEST_RASA_URL names no action server; run scripts/services.sh start rasa and scripts/services.sh env rasa"
		if os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1" {
			t.Fatal(how)
		}
		t.Skip(how)
	}
	return newTool(t, tools.Spec{URL: at, Remote: name, Effect: config.EffectWrite})
}

func rasaCall(orderID any) tools.Call {
	return tools.Call{Tool: "check", Args: map[string]any{"order_id": orderID}, IdempotencyKey: "k", Caller: tools.Caller{SessionID: "s-9"}}
}

// TestRasa talks to the SDK's own server.
func TestRasa(t *testing.T) {
	found, err := action(t, "action_check_order").Call(t.Context(), rasaCall("O-12345"))
	want := any(map[string]any{
		"slots":     map[string]any{"order_status": "shipped", "lines": 2.0, "seen_sender": "s-9"},
		"responses": []any{"It is shipped."}, "templates": []any{}, "events": []any{"followup"},
	})
	if diff := cmp.Diff(want, found); diff != "" || err != nil {
		t.Errorf("found: %v (-want +got):\n%s", err, diff)
	}
	unknown, err := action(t, "action_check_order").Call(t.Context(), rasaCall("O-1"))
	want = map[string]any{
		"slots": map[string]any{"order_status": nil}, "responses": []any{}, "templates": []any{"utter_unknown_order"}, "events": []any{},
	}
	if diff := cmp.Diff(want, unknown); diff != "" || err != nil {
		t.Errorf("unknown: %v (-want +got):\n%s", err, diff)
	}
}

// What an action commonly reads of a tracker must be there, though it is empty.
func TestRasaTracker(t *testing.T) {
	got, err := action(t, "action_describe").Call(t.Context(), rasaCall(nil))
	want := any(map[string]any{
		"slots":     map[string]any{"intent": nil, "entity": nil, "channel": nil, "slots": map[string]any{"order_id": nil}},
		"responses": []any{}, "templates": []any{}, "events": []any{},
	})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRasaFailures(t *testing.T) {
	for name, want := range map[string]tools.Error{
		"action_reject":  {Code: tools.Conflict},
		"action_crash":   {Code: tools.Unavailable, Retryable: true, Uncertain: true},
		"action_nowhere": {Code: tools.Unavailable},
	} {
		_, err := action(t, name).Call(t.Context(), rasaCall("CANARY-order"))
		checkError(t, err, want)
	}
}
