package scopes

import (
	"container/list"
	"sync"

	"github.com/slotway/slotway/memory"
)

// Key names a scope. Nothing is ever found outside it.
type Key struct{ User, Agent string }

// Of is the scope of a session.
func Of(key memory.Key) Key { return Key{key.UserID, key.AgentID} }

// Limits of what is kept.
type Limits struct {
	Scopes int   // at most
	Bytes  int64 // of their weights together, at most
	Least  int   // scopes that are kept whatever they weigh; default 1
}

// LRU keeps a value for each scope. It is safe for concurrent use; what a value holds is
// guarded by the value itself.
type LRU[V comparable] struct {
	limits Limits
	build  func(Key) V

	mu    sync.Mutex // guards everything below
	items map[Key]*list.Element
	used  *list.List // of *item[V], the most recently used first
	bytes int64
}

type item[V comparable] struct {
	key   Key
	value V
	bytes int64
}

// New returns an empty LRU; build makes the value of a scope that is not there.
func New[V comparable](limits Limits, build func(Key) V) *LRU[V] {
	limits.Least = max(limits.Least, 1)
	return &LRU[V]{limits: limits, build: build, items: map[Key]*list.Element{}, used: list.New()}
}

// Get returns the value of a scope, which may be new, and marks it as used.
func (l *LRU[V]) Get(key Key) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.items[key]
	if e == nil {
		e = l.used.PushFront(&item[V]{key: key, value: l.build(key)})
		l.items[key] = e
		for len(l.items) > max(l.limits.Scopes, l.limits.Least) {
			l.drop(l.used.Back())
		}
	}
	l.used.MoveToFront(e)
	return e.Value.(*item[V]).value
}

// Loaded returns the value of a scope if it is in memory.
func (l *LRU[V]) Loaded(key Key) (value V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.items[key]; e != nil {
		return e.Value.(*item[V]).value, true
	}
	return value, false
}

// Weigh notes what a value takes and lets go of those that have not been used for long. A
// value that was let go meanwhile is not counted.
func (l *LRU[V]) Weigh(key Key, value V, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.items[key]
	if e == nil || e.Value.(*item[V]).value != value {
		return
	}
	it := e.Value.(*item[V])
	l.bytes += bytes - it.bytes
	it.bytes = bytes
	for len(l.items) > l.limits.Least && (len(l.items) > l.limits.Scopes || l.bytes > l.limits.Bytes) {
		l.drop(l.used.Back())
	}
}

// drop lets go of a scope. l.mu is held.
func (l *LRU[V]) drop(e *list.Element) {
	it := l.used.Remove(e).(*item[V])
	delete(l.items, it.key)
	l.bytes -= it.bytes
}

// Drop lets go of what is in memory about a user, or of everything for "".
func (l *LRU[V]) Drop(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, e := range l.items {
		if user == "" || key.User == user {
			l.drop(e)
		}
	}
}

// All returns the values in memory and what they weigh together.
func (l *LRU[V]) All() ([]V, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []V
	for e := l.used.Front(); e != nil; e = e.Next() {
		out = append(out, e.Value.(*item[V]).value)
	}
	return out, l.bytes
}
