package archive

import (
	"testing"

	"github.com/slotway/slotway/memory"
)

func TestReservedUserFindsNothing(t *testing.T) {
	w := newFixture(t, nil)
	if _, err := w.tier.Search(w.ctx, Query{Key: memory.Key{UserID: Owner, AgentID: "shop"}, Text: "x"}); err == nil {
		t.Error("a search for the reserved user is possible")
	}
	if _, err := w.tier.Archive(w.ctx, memory.Key{UserID: Owner, AgentID: "shop", SessionID: "x"}); err == nil {
		t.Error("a document can be archived as a conversation")
	}
	if !memory.Reserved(Owner) || memory.Reserved("ada") {
		t.Error("Reserved is wrong")
	}
}
