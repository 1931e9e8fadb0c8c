package sqlstore

import (
	"context"
	"sync/atomic"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
)

var (
	_ memory.Backend = (*Store)(nil)
	_ seal.Rows      = (*Store)(nil)
)

// Store keeps sessions in a SQL database.
type Store struct {
	db       DB
	cache    *cache
	sessions int
	keys     *seal.Keys // nil: rows are not sealed
	shared   Shared     // nil: there is none
	rules    memory.Rules
	pending  atomic.Int64 // sessions begun since the last look at the bound
}

// Bounds of the cache: sessions and the estimated bytes of them.
const (
	cacheSessions = 1024
	cacheBytes    = 64 << 20
)

// New returns the store of a database whose schema is up to date. It keeps up to so many sessions in memory; 0 is
// some.
func New(db DB, sessions int) *Store {
	if sessions <= 0 {
		sessions = cacheSessions
	}
	return &Store{db: db, cache: newCache(sessions, cacheBytes), sessions: sessions}
}

// Sealed implements seal.Rows.
func (s *Store) Sealed(keys *seal.Keys) memory.Backend {
	sealed := New(s.db, s.sessions)
	sealed.keys, sealed.shared, sealed.rules = keys, s.shared, s.rules
	return sealed
}

// Ping implements memory.Connection.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// Close implements memory.Connection.
func (s *Store) Close() error {
	err := s.db.Close()
	if s.shared != nil {
		_ = s.shared.Close() // the store is closed: that a cache could not be closed well is no error of it
	}
	return err
}
