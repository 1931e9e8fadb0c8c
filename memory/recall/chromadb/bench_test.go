package chromadb

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/internal/test/vectortest"
)

func BenchmarkNearest(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		rows := vectortest.Cloud(n, vectortest.BenchDim)
		s := open(b)
		if err := vectortest.Fill(b.Context(), s, vectortest.BenchSet(), rows); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) { vectortest.Bench(b, s, rows) })
	}
}
