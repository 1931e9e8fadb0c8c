package inmem

import (
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/retention"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/sqlite"
)

// Options of a store; the zero value is right.
type Options struct {
	// MaxSessions bounds how many sessions are kept: a new one replaces the least recently used
	// one. 0: no bound.
	MaxSessions int
}

// Store keeps sessions in memory.
type Store struct {
	memory.Backend

	rows memory.Backend // without a bound
	max  int
}

// New returns an empty store.
func New(opts *Options) *Store {
	store, err := sqlite.NewMemory()
	if err != nil {
		panic(err) // without a file there is nothing that can fail but memory
	}
	if opts == nil {
		opts = &Options{}
	}
	return bound(store, opts.MaxSessions)
}

func bound(rows memory.Backend, most int) *Store {
	return &Store{retention.New(rows, retention.Options{Max: most}), rows, most}
}

// Sealed implements seal.Rows.
func (s *Store) Sealed(keys *seal.Keys) memory.Backend { return bound(seal.New(s.rows, keys), s.max) }
