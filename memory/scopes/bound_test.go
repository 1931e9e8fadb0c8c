package scopes_test

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/memory/scopes"
)

// A scope that is only asked for, and never weighed because nothing is in it, counts as well:
// whoever may name users can ask for any number of them.
func TestScopesThatAreOnlyAskedForAreBounded(t *testing.T) {
	l := scopes.New(scopes.Limits{Scopes: 3, Bytes: 100}, build)
	for i := range 1000 {
		l.Get(key(fmt.Sprint(i)))
	}
	if all, _ := l.All(); len(all) != 3 {
		t.Errorf("%d scopes are kept, want 3", len(all))
	}
	if _, ok := l.Loaded(key("999")); !ok {
		t.Error("the last one is not there")
	}
}
