package linear

import (
	"math"
	"testing"
)

// The held-out part of a large set is one run of every intent's examples.
func TestLastFold(t *testing.T) {
	o := (*Options)(nil).withDefaults(0)
	d := newDataset(synthetic(7, 10), &o)
	seen := map[int32]string{}
	for i, out := range d.lastFold(4) {
		mark := "-"
		if out {
			mark = "x"
		}
		seen[d.classes[i]] += mark
	}
	for class, marks := range seen {
		if marks != "--------xx-" { // the last is the intent's name
			t.Errorf("intent %d is held out as %s", class, marks)
		}
	}
}

func TestCurve(t *testing.T) {
	right := func(n int) (seen []observation) {
		for i := range n {
			seen = append(seen, observation{score: float64(i)/float64(n)*2 - 1, known: 1, right: true})
		}
		return seen
	}
	c := fitLarge(right(4000))
	var lost, rejected int
	for _, o := range right(4000) {
		if p := c.confidence(o.score, o.known); p < acceptAt {
			lost++
			if p < rejectAt {
				rejected++
			}
		}
	}
	if lost != int(acceptLoss*4000) || rejected > lost {
		t.Errorf("the curve gives up %d and rejects %d of 4000, want %d and fewer", lost, rejected, int(acceptLoss*4000))
	}
	for _, c := range []curve{c, priorCurve, fitLarge(nil), fitSmall(nil), fitLarge(right(1)), fitSmall(right(3))} {
		last := -1.0
		for score := -3.0; score <= 3; score += 0.01 {
			p := c.confidence(score, 1)
			if !(p >= last) || p < 0 || p > 1 {
				t.Fatalf("%+v: confidence(%.2f) = %v after %v", c, score, p, last)
			}
			last = p
		}
		if got := c.confidence(c.accept, 1); math.Abs(got-acceptAt) > 1e-9 {
			t.Errorf("confidence at accept = %v", got)
		}
		if got := c.confidence(c.reject, 1); math.Abs(got-rejectAt) > 1e-9 {
			t.Errorf("confidence at reject = %v", got)
		}
	}
}
