// Package inmem is a store in memory.
package inmem

import (
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Options of a store; the zero value is right.
type Options struct {
	// MaxSessions bounds how many sessions are kept: a new one replaces the least recently used
	// one. 0: no bound.
	MaxSessions int
}

// Store keeps sessions in memory.
type Store = sqlstore.Store

// New returns an empty store.
func New(opts *Options) *Store {
	store, err := sqlite.NewMemory()
	if err != nil {
		panic(err) // without a file there is nothing that can fail but memory
	}
	if opts != nil {
		store.Keep(memory.Rules{Max: opts.MaxSessions})
	}
	return store
}
