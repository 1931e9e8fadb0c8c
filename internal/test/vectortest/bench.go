package vectortest

import (
	"context"
	"testing"

	"github.com/slotway/slotway/memory/recall"
)

// BenchDim is the length of the vectors of Bench.
const BenchDim = 256

// BenchSet is the session whose rows Bench searches.
func BenchSet() recall.VectorSet {
	s := set("bench", "s")
	s.Dim = BenchDim
	return s
}

// Bench measures a search for as many rows as a turn asks for, among the rows of BenchSet.
func Bench(b *testing.B, v recall.VectorStore, rows []recall.VectorRow) {
	b.Helper()
	s := BenchSet()
	q := recall.VectorQuery{Scope: s.Scope, Model: s.Model, K: 24}
	for i := 0; b.Loop(); i++ {
		q.Vector = rows[(i*7919)%len(rows)].Vector
		found, err := v.Nearest(context.Background(), q)
		if err != nil || len(found) != q.K {
			b.Fatalf("found %d rows, %v", len(found), err)
		}
	}
}
