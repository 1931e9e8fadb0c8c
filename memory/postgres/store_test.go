package postgres

import (
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/storetest"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"described":                 nil,
		"prepared":                  {Prepare: true, MaxConns: 2, CacheHeads: 2},
		"one connection, no memory": {MaxConns: 1, CacheHeads: -1, Deaf: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) memory.Store { return open(t, newSchema(t), opts) })
		})
	}
}

// A pooler in transaction mode gives each transaction another connection of the server.
func TestStoreBehindPooler(t *testing.T) {
	t.Parallel()
	pooled := startPgBouncer(t)
	storetest.Run(t, func(t *testing.T) memory.Store { return open(t, pooled(newDatabase(t)), &Options{MaxConns: 8}) })
}
