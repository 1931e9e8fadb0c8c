package main

import (
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// A commit that took the place of another leaves a version that is behind.
func TestRivalCheck(t *testing.T) {
	store := inmem.New(nil)
	v := &rival{service: &service{name: "shop", agent: "shop"}, session: "r", refused: 3}
	key := v.service.key(v.session)
	for range 2 {
		snap, err := store.Load(t.Context(), key, memory.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Commit(t.Context(), &memory.Delta{Key: key, Base: snap.State.Version, At: time.Now(), State: snap.State}); err != nil {
			t.Fatal(err)
		}
	}
	for taken, want := range map[int]int{1: 0, 2: 0, 3: 1, 5: 3} {
		r := &report{}
		v.taken = taken
		if err := v.check(t.Context(), store, r); err != nil || r.StaleTaken != want || r.Harms[rivalRefused] != 3 {
			t.Errorf("%d commits: %+v, %v", taken, r, err)
		}
		if bad := len(r.notes) > 0; bad != (want > 0) {
			t.Errorf("%d commits: notes %q", taken, r.notes)
		}
	}
}
