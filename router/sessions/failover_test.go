package sessions

import (
	"testing"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory/inmem"
)

// What is kept of a session hides nothing less after a failover that lost a turn: the value of
// the turn that came in its place is hidden, although it was there before anybody looked again.
func TestKeptOfAnotherHistory(t *testing.T) {
	f, r := storetest.NewFailover(inmem.New(nil), inmem.New(nil)), redactor(t)
	k := NewMaskCache(f, nil)
	look := func() *Mask {
		t.Helper()
		m, err := k.Masks(r).Of(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	speak(t, f, key, "1", "ann")
	f.Follow(t)
	speak(t, f, key, "2", "bob")
	look()
	f.Promote()
	speak(t, f, key, "3", "carla")
	speak(t, f, key, "4", "dora")
	if got, want := look().Text("ann carla dora"), "<name> <name> <name>"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}
