package actcases

import (
	"testing"

	"github.com/slotway/slotway/classifier/acts"
)

// Floors of the model that ships, on clauses that its training has not seen.
const (
	leastActsF1    = 0.88
	leastActsExact = 0.83
	leastYesRight  = 0.92 // precision of a yes: a write may follow it
)

func TestActsFloor(t *testing.T) {
	lines, err := Lines()
	if err != nil {
		t.Fatal(err)
	}
	f := Measure(lines, acts.Of)
	if f.MacroF1 < leastActsF1 || f.Exact < leastActsExact || f.ByAct["yes"].Precision < leastYesRight {
		t.Errorf("macro F1 %.4f, exact %.4f, precision of yes %.4f; want %.2f, %.2f, %.2f or more",
			f.MacroF1, f.Exact, f.ByAct["yes"].Precision, leastActsF1, leastActsExact, leastYesRight)
	}
	if f.Bytes > 2<<20 {
		t.Errorf("the model has %d bytes", f.Bytes)
	}
}
