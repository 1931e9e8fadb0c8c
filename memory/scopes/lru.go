// Package scopes caches what tiers build for a user and an agent: one value for each scope, within a
// number and a weight; the least recently used one is dropped first.
package scopes

import (
	"slices"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
)

// Key names a scope. Nothing is ever found outside it.
type Key struct{ User, Agent string }

// Of is the scope of a session.
func Of(key memory.Key) Key { return Key{key.UserID, key.AgentID} }

// Limits of what is kept.
type Limits struct {
	Scopes  int   // at most
	Bytes   int64 // of their weights together, at most
	Minimum int   // scopes that are kept whatever they weigh; default 1
}

// LRU keeps a value for each scope. It is safe for concurrent use; what a value holds is
// guarded by the value itself.
type LRU[V comparable] struct {
	build func(Key) V

	mu    sync.Mutex // guards items
	items *lru.Cache[Key, V]
}

// New returns an empty LRU; build makes the value of a scope that is not there.
func New[V comparable](limits Limits, build func(Key) V) *LRU[V] {
	least := max(limits.Minimum, 1)
	return &LRU[V]{build: build, items: lru.New[Key, V](lru.Limits{
		Entries: max(limits.Scopes, least), Weight: limits.Bytes, Minimum: least,
	})}
}

// Get returns the value of a scope, which may be new, and marks it as used.
func (l *LRU[V]) Get(key Key) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	value, ok := l.items.Get(key)
	if !ok {
		value = l.build(key)
		l.items.Put(key, value, 0)
	}
	return value
}

// Loaded returns the value of a scope if it is in memory.
func (l *LRU[V]) Loaded(key Key) (value V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.items.Peek(key)
}

// SetWeight sets the weight of a value and drops the least recently used ones above the limit. It
// ignores a value that was dropped meanwhile.
func (l *LRU[V]) SetWeight(key Key, value V, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if kept, ok := l.items.Peek(key); ok && kept == value {
		l.items.SetWeight(key, bytes)
	}
}

// Drop removes the values of a user, or all of them for "".
func (l *LRU[V]) Drop(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range l.items.Keys() {
		if user == "" || key.User == user {
			l.items.Remove(key)
		}
	}
}

// All returns the values in memory, the most recently used first, and what they weigh together.
func (l *LRU[V]) All() ([]V, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []V
	for _, key := range slices.Backward(l.items.Keys()) {
		value, _ := l.items.Peek(key)
		out = append(out, value)
	}
	return out, l.items.Weight()
}
