package gotool_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/gotool"
)

type shipIn struct {
	OrderID string `json:"order_id"`
	Count   int    `json:"count"`
}

type shipOut struct {
	Label string `json:"label"`
}

func TestTyped(t *testing.T) {
	r := tools.New(nil)
	spec := &tools.Spec{Name: "ship", Effect: config.EffectWrite}
	tool := gotool.Typed(func(_ context.Context, in shipIn, key string) (shipOut, error) {
		return shipOut{Label: fmt.Sprint(in.OrderID, "x", in.Count, "/", key)}, nil
	})
	if err := r.Register(spec, tool); err != nil {
		t.Fatal(err)
	}
	res, err := r.Call(t.Context(), tools.Call{
		Tool: "ship", Args: map[string]any{"order_id": "O-1", "count": 2.0}, IdempotencyKey: "k",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(map[string]any{"label": "O-1x2/k"}), res.Value); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	for name, args := range map[string]map[string]any{
		"type": {"count": "CANARY"}, "fraction": {"count": 1.5}, "unknown": {"CANARY": true},
	} {
		_, err := r.Call(t.Context(), tools.Call{Tool: "ship", Args: args})
		if tools.CodeOf(err) != tools.InvalidInput || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if res, err := r.Call(t.Context(), tools.Call{Tool: "ship", Args: map[string]any{"count": nil}}); err != nil {
		t.Errorf("an absent argument: %v, %v", res, err)
	}
}

func ExampleFunc() {
	r := tools.New(nil)
	hours := gotool.Func(func(_ context.Context, call tools.Call) (any, error) {
		if call.Args["day"] == "sunday" {
			return nil, &tools.Error{Code: tools.NotFound, Detail: "closed that day"}
		}
		return map[string]any{"opens": "09:00"}, nil
	})
	if err := r.Register(&tools.Spec{Name: "hours", Effect: config.EffectRead}, hours); err != nil {
		fmt.Println(err)
	}
	res, _ := r.Call(context.Background(), tools.Call{Tool: "hours", Args: map[string]any{"day": "monday"}})
	_, err := r.Call(context.Background(), tools.Call{Tool: "hours", Args: map[string]any{"day": "sunday"}})
	fmt.Println(res.Value, "|", err)
	// Output: map[opens:09:00] | tool hours: not_found: closed that day
}
