package pgvector

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/internal/test/vectortest"
)

// BenchmarkNearest searches a scope of n rows.
func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		rows := vectortest.Cloud(n, vectortest.BenchDim)
		s := open(b)
		if err := vectortest.Fill(b.Context(), s, vectortest.BenchSet(), rows); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) { vectortest.Bench(b, s, rows) })
	}
}

// BenchmarkPut writes ten rows of a session, which is a few turns, and the same again.
func BenchmarkPut(b *testing.B) {
	s := open(b)
	rows := vectortest.Cloud(10, vectortest.BenchDim)
	for b.Loop() {
		if err := s.Put(b.Context(), vectortest.BenchSet(), rows); err != nil {
			b.Fatal(err)
		}
	}
}
