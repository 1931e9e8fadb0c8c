package sessions

import (
	"errors"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// FuzzImport: an export that was made up is refused as one or becomes sessions of its
// owner, and of nobody else.
func FuzzImport(f *testing.F) {
	for _, s := range []string{
		"", "{}", "null\n[]\n", `{"session":{"key":{"UserID":"other"}}}`, `{"version":1e999}`, `{"a":{"a":{"a":[`, "\xff\x00",
		`{"__proto__":{},"version":99999999999999999999}`, "a: &a [x]\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, export []byte) {
		store := inmem.New(nil)
		n, err := Import(t.Context(), store, key, export)
		if err != nil && !errors.Is(err, memory.ErrBadExport) && !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%v", err)
		}
		all, listErr := store.Sessions(t.Context(), memory.Query{})
		own, ownErr := store.Sessions(t.Context(), memory.Query{UserID: key.UserID})
		if listErr == nil && ownErr == nil && (len(all) != len(own) || err != nil && len(all) > 0) {
			t.Errorf("%d were said to be imported, %d are there, %d of the owner: %v", n, len(all), len(own), err)
		}
	})
}
