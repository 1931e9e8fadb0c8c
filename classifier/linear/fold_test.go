package linear

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCrossValidate(t *testing.T) {
	set := append(lights(), Example{"heating", "switch the kitchen lights off"}, Example{"lights_on", "?"})
	var steps []int
	got, err := CrossValidate(set, 4, nil, func(done, total int) { steps = append(steps, done, total) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 4, 2, 4, 3, 4, 4, 4}, steps); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	for i, h := range got {
		if h.Example != i || h.Known < 0 || h.Known > 1 {
			t.Errorf("example %d: %+v", i, h)
		}
	}
	wrong := got[len(set)-2] // says what lights_off has an example of, to the word
	if len(wrong.Ranking) == 0 || wrong.Ranking[0].Intent != "lights_off" || wrong.Score < 0.5 {
		t.Errorf("a misplaced example is held out as %+v, want lights_off", wrong)
	}
	if empty := got[len(set)-1]; len(empty.Ranking) != 0 {
		t.Errorf("a text without a word ranks %v", empty.Ranking)
	}
	again, _ := CrossValidate(set, 4, nil, nil)
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

func TestFoldsAreStratified(t *testing.T) {
	o := (*Options)(nil).withDefaults(0)
	for folds, want := range map[int]int{0: 5, 1: 5, 3: 3, math.MaxInt: 5} {
		if got := newDataset(lights(), &o).foldCount(folds); got != want {
			t.Errorf("foldCount(%d) = %d, want %d", folds, got, want)
		}
	}
	d := newDataset(synthetic(7, 10), &o)
	count := map[[2]int]int{}
	for i, k := range d.split(5) {
		count[[2]int{int(d.classes[i]), k}]++
	}
	for at, n := range count {
		if n != 2 {
			t.Errorf("fold %d holds %d examples of intent %d, want 2", at[1], n, at[0])
		}
	}
}

func TestCrossValidateNothing(t *testing.T) {
	if _, err := CrossValidate(nil, 3, nil, nil); !errors.Is(err, ErrNoExamples) {
		t.Errorf("CrossValidate(nil) = %v, want ErrNoExamples", err)
	}
	if got, err := CrossValidate([]Example{{"only", "hello"}}, 3, nil, nil); err != nil || len(got) != 1 {
		t.Errorf("one example: %v, %v", got, err)
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
