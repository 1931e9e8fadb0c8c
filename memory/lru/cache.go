package lru

import (
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Limits bound a cache.
type Limits struct {
	Entries int   // at most; 0 or less: no limit
	Weight  int64 // of all entries together, at most, in any unit
	Minimum int   // entries that stay whatever they weigh; default 0
}

// Cache maps keys to values. Its owner guards it with a lock: no two calls may run at the same
// time.
type Cache[K comparable, V any] struct {
	limits Limits
	list   *simplelru.LRU[K, *entry[V]]
	weight int64
}

type entry[V any] struct {
	value  V
	weight int64
}

// New returns an empty cache.
func New[K comparable, V any](limits Limits) *Cache[K, V] {
	if limits.Entries <= 0 {
		limits.Entries = math.MaxInt
	}
	c := &Cache[K, V]{limits: limits}
	list, err := simplelru.NewLRU(limits.Entries, func(_ K, e *entry[V]) { c.weight -= e.weight })
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	c.list = list
	return c
}

// Get returns the value of a key and marks it as used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) { return valueOf(c.list.Get(key)) }

// Peek returns the value of a key without marking it as used.
func (c *Cache[K, V]) Peek(key K) (value V, ok bool) { return valueOf(c.list.Peek(key)) }

func valueOf[V any](e *entry[V], ok bool) (value V, found bool) {
	if !ok {
		return value, false
	}
	return e.value, true
}

// Put replaces the value of a key and drops the least recently used entries until the limits
// hold. A value that exceeds the weight limit alone is not kept, unless Minimum protects it.
func (c *Cache[K, V]) Put(key K, value V, weight int64) {
	c.list.Remove(key)
	if weight > c.limits.Weight && c.limits.Minimum == 0 {
		return
	}
	c.weight += weight
	c.list.Add(key, &entry[V]{value, weight})
	c.trim()
}

// SetWeight changes the weight of a key's value, which does not count as a use, and lets the least
// recently used entries go until the limits hold. An unknown key changes nothing.
func (c *Cache[K, V]) SetWeight(key K, weight int64) {
	e, ok := c.list.Peek(key)
	if !ok {
		return
	}
	c.weight += weight - e.weight
	e.weight = weight
	c.trim()
}

func (c *Cache[K, V]) trim() {
	for c.weight > c.limits.Weight && c.list.Len() > c.limits.Minimum {
		c.list.RemoveOldest()
	}
}

// Remove lets the entry of a key go.
func (c *Cache[K, V]) Remove(key K) { c.list.Remove(key) }

// Keys returns the keys, the least recently used first. The slice is the caller's.
func (c *Cache[K, V]) Keys() []K { return c.list.Keys() }

// Len is the number of entries.
func (c *Cache[K, V]) Len() int { return c.list.Len() }

// Weight is the weight of all entries together.
func (c *Cache[K, V]) Weight() int64 { return c.weight }
