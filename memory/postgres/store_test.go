package postgres

import (
	"testing"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"usual":          {MaxConns: 2},
		"one connection": {MaxConns: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) memory.Backend { return open(t, newSchema(t), opts) })
		})
	}
}

// A pooler in transaction mode gives each transaction another connection of the server.
func TestStoreBehindPooler(t *testing.T) {
	t.Parallel()
	pooled := startPgBouncer(t, testDSN(t))
	storetest.Run(t, func(t *testing.T) memory.Backend {
		return open(t, pooled(newDatabase(t)), &Options{MaxConns: 8})
	})
}
