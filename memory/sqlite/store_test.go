package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"durable":                 nil,
		"relaxed with one reader": {Durability: Relaxed, Readers: 1},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) memory.Backend {
				file := filepath.Join(t.TempDir(), "memory.db")
				t.Cleanup(func() {
					if r, err := Check(t.Context(), file, nil); err == nil && !r.Sound {
						t.Errorf("%+v", r)
					}
				})
				return open(t, file, opts)
			})
		})
	}
}

func open(t testing.TB, path string, opts *Options) *sqlstore.Store {
	t.Helper()
	store, err := Open(t.Context(), path, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}
