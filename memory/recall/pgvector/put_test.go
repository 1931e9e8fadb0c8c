package pgvector

import (
	"math"
	"testing"
)

func TestVectorText(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, test := range []struct {
		vector []float32
		want   string // "" for a vector without a direction
	}{
		{[]float32{3, 4}, "[0.6,0.8]"},
		{[]float32{0, -2, 0}, "[0,-1,0]"},
		{[]float32{1e-20, 1}, "[0.00000000000000000001,1]"},
		{[]float32{0, 0}, ""},
		{[]float32{inf, 1}, ""},
		{nil, ""},
	} {
		if got, ok := vectorText(test.vector); got != test.want || ok != (test.want != "") {
			t.Errorf("vectorText(%v) = %q, %t, want %q", test.vector, got, ok, test.want)
		}
	}
}
