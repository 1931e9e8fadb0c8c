package tools_test

import (
	"testing"

	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/static"
)

// BenchmarkCall is what the registry itself costs: the tool answers from memory.
func BenchmarkCall(b *testing.B) {
	r := tools.New(nil)
	if err := r.Register(readSpec(), static.New(map[string]any{"n": 1.0})); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Call(b.Context(), tools.Call{Tool: "t", Args: map[string]any{"id": "O-1"}}); err != nil {
			b.Fatal(err)
		}
	}
}
