package router

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/planner"
)

// The planner may not import the classifier, so each names the acts and the cues itself: by
// place, as values pass from one to the other. They must not drift apart.
func TestPlannerAndClassifierNameTheSame(t *testing.T) {
	if int(classifier.NumActs) != int(planner.NumActs) {
		t.Fatalf("%d acts and %d", classifier.NumActs, planner.NumActs)
	}
	for a := range classifier.NumActs {
		if got, want := planner.Act(a).String(), a.String(); got != want {
			t.Errorf("act %d is %q to the planner and %q to the classifier", a, got, want)
		}
	}
	cues := map[string]planner.Cues{
		"label": planner.CueLabel, "unit": planner.CueUnit, "role": planner.CueRole, "correct": planner.CueCorrect, "add": planner.CueAdd,
		"negated": planner.CueNegated, "remove": planner.CueRemove, "condition": planner.CueCondition, "asked": planner.CueAsked,
	}
	for name, cue := range cues {
		if got := classifier.Cues(cue).Names(); !slices.Equal(got, []string{name}) {
			t.Errorf("cue %s of the planner is %v to the classifier", name, got)
		}
	}
	if got := classifier.Cues(^uint16(0)).Names(); len(got) != len(cues) {
		t.Errorf("the classifier has the cues %v, the planner %d", got, len(cues))
	}
}
