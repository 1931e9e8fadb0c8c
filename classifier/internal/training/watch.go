package training

import (
	"math"
	"sync"
)

// Whole is the total of the steps that a Watch reports.
const Whole = 1000

// Watch follows one training, which is a row of parts. A nil Watch follows nothing and never stops
// anything. It is safe for concurrent use.
type Watch struct {
	tick func(done, total int) error

	mu          sync.Mutex
	base, share float64 // of the whole: what is behind the current part, and the part itself
	done, total int     // steps of the current part
	told        int
	err         error // ends the training
}

// NewWatch returns a Watch that calls tick with each change of what is done, in turn, from 0 to
// [Whole]. An error of tick ends the training. A nil tick gives a nil Watch.
func NewWatch(tick func(done, total int) error) *Watch {
	if tick == nil {
		return nil
	}
	w := &Watch{tick: tick}
	w.err = tick(0, Whole)
	return w
}

// Part begins the next part of the training: its share of what is left, and how many steps it has.
func (w *Watch) Part(share float64, steps int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.base += w.share
	w.share, w.done, w.total = share*(1-w.base), 0, max(steps, 1)
	w.tell()
}

// Step counts one step of the current part. It reports whether the training goes on.
func (w *Watch) Step() bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = min(w.done+1, w.total)
	w.tell()
	return w.err == nil
}

// tell calls tick for every step, so that an end is noticed, whether or not the count changes.
func (w *Watch) tell() {
	if w.err != nil {
		return
	}
	whole := w.base + w.share*float64(w.done)/float64(w.total)
	w.told = max(w.told, min(int(math.Round(whole*Whole)), Whole))
	w.err = w.tick(w.told, Whole)
}

// Stopped asks whether the training must end, without a step.
func (w *Watch) Stopped() bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell()
	return w.err != nil
}

// Err returns the error that ended the training; nil if none did.
func (w *Watch) Err() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// End reports the whole as done, and returns the error that ended the training before.
func (w *Watch) End() error {
	if w == nil {
		return nil
	}
	w.Part(1, 1)
	w.Step()
	return w.Err()
}
