package postgres

import (
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/storetest"
)

func TestStore(t *testing.T) {
	for name, opts := range map[string]*Options{
		"described":                  nil,
		"prepared":                   {Prepare: true},
		"one connection, no memory":  {MaxConns: 1, CacheHeads: -1, Deaf: true},
		"two connections, few heads": {MaxConns: 2, CacheHeads: 2},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) memory.Store { return open(t, newSchema(t), opts) })
		})
	}
}
