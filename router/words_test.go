package router

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/planner"
)

// The planner may not import the classifier, so each package lists the acts and the cues itself.
// Values pass from one to the other by position, so the lists must stay the same.
func TestPlannerAndClassifierNameTheSame(t *testing.T) {
	var acts []string
	for a := range classifier.NumActs {
		acts = append(acts, a.String())
	}
	if diff := cmp.Diff(acts, planner.ActNames()); diff != "" {
		t.Errorf("acts (-classifier +planner):\n%s", diff)
	}
	if diff := cmp.Diff(classifier.Cues(^uint16(0)).Names(), planner.CueNames()); diff != "" {
		t.Errorf("cues (-classifier +planner):\n%s", diff)
	}
}
