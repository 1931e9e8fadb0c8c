package sqlite

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// What looks for idle sessions goes along the table by number, a stretch at a time, and the writer asks
// for one session only.
func TestPruneLooksAtStretches(t *testing.T) {
	store := open(t, newFile(t), nil)
	for _, text := range []string{selectIdle, selectIdleOne, selectStretch} {
		if plan := planOf(t, store, text); strings.Contains(plan, "SCAN s ") || !strings.Contains(plan, "INTEGER PRIMARY KEY") {
			t.Errorf("%s\nis carried out as\n%s", text, plan)
		}
	}
}

// Sessions of more than one stretch are found, those that are in use stay, and one that is used between
// the look and the deletion stays too.
func TestPruneGoesThroughAllStretches(t *testing.T) {
	store := open(t, newFile(t), &Options{Durability: Relaxed})
	const all = pruneStretch + 100
	old := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var wg sync.WaitGroup
	for first := range 64 {
		wg.Go(func() {
			for i := first; i < all; i += 64 {
				d := memory.Delta{Key: benchKey(i), At: old}
				if i%100 == 0 {
					d.At = old.AddDate(0, 6, 0)
				}
				if err := store.Commit(t.Context(), &d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	before := old.AddDate(0, 3, 0)
	ids, last, err := store.idle(t.Context(), micros(before), 0)
	if err != nil || last == 0 || len(ids) == 0 {
		t.Fatalf("idle: %d, up to %d, %v", len(ids), last, err)
	}
	used := benchKey(1)
	snap, err := store.Load(t.Context(), used, memory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), &memory.Delta{Key: used, Base: snap.State.Version, At: before.AddDate(0, 1, 0)}); err != nil {
		t.Fatal(err)
	}
	change := &pruneChange{before: micros(before), ids: ids}
	if err := store.writer.do(t.Context(), change.apply); err != nil {
		t.Fatal(err)
	}
	n, err := store.Prune(t.Context(), before)
	if want := all - all/100 - 1; change.visible+n != want || n == 0 || err != nil {
		t.Errorf("%d and %d deleted, %v; want %d", change.visible, n, err, want)
	}
	if snap, err := store.Load(t.Context(), used, memory.LoadOptions{}); err != nil || snap.State.Version == 0 {
		t.Errorf("the session that was used meanwhile: %+v, %v", snap, err)
	}
}
