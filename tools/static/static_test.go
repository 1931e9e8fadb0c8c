package static_test

import (
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/static"
)

// What one caller does to a static result must not reach the next.
func TestStaticIsCopied(t *testing.T) {
	r := tools.New(nil)
	if err := r.Register(&tools.Spec{Name: "s", Effect: config.EffectRead}, static.New(map[string]any{"a": []any{"b"}})); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		res, err := r.Call(t.Context(), tools.Call{Tool: "s"})
		if err != nil {
			t.Fatal(err)
		}
		list := res.Value.(map[string]any)["a"].([]any)
		if list[0] != "b" {
			t.Errorf("got %v", list)
		}
		list[0] = "changed"
	}
}
