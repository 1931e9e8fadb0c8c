package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/storetest"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"durable":                  nil,
		"relaxed":                  {Durability: Relaxed},
		"uncached with one reader": {Durability: Relaxed, CacheSessions: -1, Readers: 1},
		"small cache and WAL":      {Durability: Relaxed, CacheSessions: 2, CheckpointBytes: 64 << 10, MaxWALBytes: 128 << 10},
	} {
		if raceEnabled && (name == "relaxed" || name == "uncached with one reader") {
			continue // the plain run tries these as well
		}
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) memory.Backend {
				file := filepath.Join(t.TempDir(), "memory.db")
				t.Cleanup(func() { mustBeSound(t, file) })
				return open(t, file, opts)
			})
		})
	}
}

func open(t testing.TB, path string, opts *Options) *Store {
	t.Helper()
	store, err := Open(t.Context(), path, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}
