package memory_test

import (
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/transfer"
)

// A store's digests are its own, and stay; a copy of it has them.
func TestDigests(t *testing.T) {
	open := func(store memory.Backend) *memory.Digests {
		t.Helper()
		d, err := memory.OpenDigests(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, copied := inmem.New(nil), inmem.New(nil)
	d := open(first)
	if open(first).Hex("a", "b") != d.Hex("a", "b") || d.Hex("a", "b") == d.Hex("ab") || d.UUID("a") != open(first).UUID("a") {
		t.Error("digests of one store differ")
	}
	if _, err := transfer.Copy(t.Context(), first, copied, nil); err != nil {
		t.Fatal(err)
	}
	if open(copied).Hex("a") != d.Hex("a") {
		t.Error("a copy has digests of its own")
	}
	if other := open(inmem.New(nil)); other.Hex("a") == d.Hex("a") {
		t.Error("two stores have the same digests")
	}
	if list, err := first.Sessions(t.Context(), memory.Query{}); err != nil || len(list) != 0 {
		t.Errorf("the key is listed: %v, %v", list, err)
	}
}
