package sqlite

import (
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
)

// entry is one cached session at one version. It is never changed once it is in the cache; a later
// version replaces it.
type entry struct {
	id        int64
	counters  memory.Counters
	state     memory.State
	created   time.Time
	updated   time.Time
	expires   int64             // as in aboutRow
	from      int64             // recent holds every active message from this seq on
	recent    []*memory.Message // shared between versions
	openSteps []memory.Step
}

// covers reports whether the n newest active messages are all here.
func (e *entry) covers(n int) bool {
	return n <= 0 || e.from <= e.counters.Window(int64(n))
}

// snapshot copies the entry with its n newest messages.
func (e *entry) snapshot(key memory.Key, n int) *memory.Snapshot {
	snap := &memory.Snapshot{Key: key, Counters: e.counters, State: e.state.Clone(), CreatedAt: e.created, UpdatedAt: e.updated}
	if e.expires != 0 {
		snap.ExpiresAt = moment(e.expires)
	}
	recent := e.recent[max(0, len(e.recent)-max(n, 0)):]
	if len(recent) > 0 {
		snap.Recent = make([]memory.Message, len(recent), len(recent)+4) // a turn appends a few
		for i, m := range recent {
			snap.Recent[i] = m.Clone()
		}
	}
	for _, step := range e.openSteps {
		snap.OpenSteps = append(snap.OpenSteps, step.Clone())
	}
	return snap
}

// weight estimates the bytes that the entry keeps alive. Params are not walked: their
// size is guessed from their number.
func (e *entry) weight() int64 {
	n := int64(1024 + len(e.state.LastResult) + len(e.state.PlanExecution) + 256*len(e.state.Params))
	for _, m := range e.recent {
		n += int64(256 + len(m.Text))
		for _, call := range m.ToolCalls {
			n += int64(128 + len(call.Args))
		}
	}
	return n
}

// cache keeps the sessions used last. A nil cache keeps none.
type cache struct {
	mu      sync.Mutex // guards everything below
	entries *lru.Cache[memory.Key, *entry]
	drops   int64
}

func newCache(maxEntries int, maxBytes int64) *cache {
	if maxEntries <= 0 {
		return nil
	}
	return &cache{entries: lru.New[memory.Key, *entry](lru.Limits{Entries: maxEntries, Weight: maxBytes})}
}

// epoch changes whenever something is dropped. put ignores an older epoch: what was read before a
// deletion must not come back after it.
func (c *cache) epoch() int64 {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drops
}

func (c *cache) get(key memory.Key) *entry {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, _ := c.entries.Get(key)
	return e
}

func (c *cache) put(key memory.Key, e *entry, epoch int64) {
	if c == nil {
		return
	}
	weight := e.weight()
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.entries.Peek(key); ok && old.counters.Version > e.counters.Version {
		return
	}
	if epoch != c.drops {
		c.entries.Remove(key)
		return
	}
	c.entries.Put(key, e, weight)
}

func (c *cache) drop(key memory.Key) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	c.entries.Remove(key)
}

// clear drops everything.
func (c *cache) clear() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	c.entries.Clear()
}
