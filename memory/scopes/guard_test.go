package scopes_test

import (
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// What a search has read that another one waits for is read once, also where the other has an older listing. Else each
// of many searches at once would read all sessions of a person.
func TestWaitingSearchesReadNothingAgain(t *testing.T) {
	var g scopes.Guard
	var stored, known int64 = 1, 0 // a session's version in the store and in the index
	read := 0
	catchUp := func(listed chan<- bool, use <-chan bool) error {
		list := func() ([]memory.Info, error) {
			infos := []memory.Info{{Version: stored}}
			if listed != nil {
				close(listed)
				listed = nil
				<-use
			}
			return infos, nil
		}
		current := func(infos []memory.Info) bool { return infos[0].Version == known }
		return g.CatchUp(list, current, func(infos []memory.Info) error {
			if !current(infos) {
				read++
			}
			known = stored
			return nil
		})
	}
	listed, use, done := make(chan bool), make(chan bool), make(chan error, 1)
	go func() { done <- catchUp(listed, use) }()
	<-listed
	stored = 2
	if err := catchUp(nil, nil); err != nil {
		t.Fatal(err)
	}
	close(use)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if read != 1 {
		t.Errorf("the session was read %d times, want once", read)
	}
}
