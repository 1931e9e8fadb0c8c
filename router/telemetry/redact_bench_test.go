package telemetry

import "testing"

// BenchmarkMask masks what a turn shows outside, with two values of the session to look for.
func BenchmarkMask(b *testing.B) {
	r := NewRedactor(agentWith(nil))
	k := r.Masker(map[string]any{"order_id": "O-12345", "name": "Ann Lee", "city": "Bonn"})
	order := map[string]any{"id": "O-12345", "item": "wool blanket", "status": "pending", "eta": "Friday", "total": 49.0, "to": "Ann Lee, Bonn"}
	b.Run("plain text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			k.Text("I want to check my order")
		}
	})
	b.Run("text with a value", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			k.Text("It's O-12345, for Ann Lee")
		}
	})
	b.Run("result of a tool", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			k.Value(order)
		}
	})
	// Once a turn: the values may have changed since the last one.
	b.Run("new masker", func(b *testing.B) {
		params := map[string]any{"order_id": "O-12345", "name": "Ann Lee", "city": "Bonn"}
		b.ReportAllocs()
		for b.Loop() {
			r.Masker(params)
		}
	})
}
