package training

import (
	"errors"
	"slices"
	"testing"
)

func TestWatchReportsFromZeroToTheWhole(t *testing.T) {
	var told []int
	w := NewWatch(func(done, total int) error {
		if total != Whole {
			t.Errorf("total %d", total)
		}
		told = append(told, done)
		return nil
	})
	w.Part(0.5, 2)
	w.Step()
	w.Step()
	w.Step() // more than was said
	w.Part(0.5, 5)
	w.Step()
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 250, 500, 500, 500, 550, 750, 1000}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestWatchEndsOnce(t *testing.T) {
	end, calls := errors.New("enough"), 0
	w := NewWatch(func(int, int) error {
		if calls++; calls == 3 {
			return end
		}
		return nil
	})
	w.Part(1, 10)
	if w.Step() || !w.Stopped() || w.Step() {
		t.Error("the training goes on")
	}
	if err := w.End(); !errors.Is(err, end) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestNoWatchStopsNothing(t *testing.T) {
	w := NewWatch(nil)
	w.Part(1, 1)
	if w != nil || !w.Step() || w.Stopped() || w.Err() != nil || w.End() != nil {
		t.Error("a watch without a tick watches")
	}
}
