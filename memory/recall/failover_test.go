package recall

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory/inmem"
)

// After a failover that lost a turn nothing of it is found, and the turn that came in its
// place is, although it has the same number, whether it is the newest or not.
func TestAnIndexOfAnotherHistory(t *testing.T) {
	for name, more := range map[string][]string{"the newest": nil, "not the newest": {"user: Good night."}} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, nil)
			f := storetest.NewFailover(inmem.New(nil), inmem.New(nil))
			w.store = f
			w.tier = New(f, &Options{})
			finds := func(text, message string) bool { return slices.Contains(w.find(scoped(text)), "s:"+message) }
			w.say("u/a/s", "user: The kite is red.")
			f.Follow(t)
			w.say("u/a/s", "user: A zebra was lost.")
			if !finds("zebra", "A zebra was lost.") {
				t.Fatal("the search does not find what was said")
			}
			f.Promote()
			w.say("u/a/s", "user: The giraffe came instead.")
			if more != nil {
				w.say("u/a/s", more...)
			}
			if finds("zebra", "A zebra was lost.") {
				t.Error("what is lost is found")
			}
			if !finds("giraffe", "The giraffe came instead.") {
				t.Error("what came instead is not found")
			}
		})
	}
}
