package postgres

import (
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/storetest"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"prepared":                  {MaxConns: 2, CacheCounters: 2},
		"described":                 {Pooled: true},
		"one connection, no memory": {MaxConns: 1, CacheCounters: -1, NoNotify: true},
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
	var stores []*Store
	storetest.Run(t, func(t *testing.T) memory.Backend {
		s := open(t, pooled(newDatabase(t)), &Options{MaxConns: 8})
		stores = append(stores, s)
		return s
	})
	n := 0
	for _, s := range stores {
		if s.pooled.Load() {
			n++
		}
	}
	t.Logf("%d of %d stores have noticed the pooler", n, len(stores))
}
