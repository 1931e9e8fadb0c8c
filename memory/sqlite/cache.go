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
	requests  requests

	age int64 // cache.age when this was true; 0: it must be compared with the file
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
	n := int64(1024 + 8*len(e.requests.hashes) + len(e.state.LastResult) + len(e.state.PlanExecution) + 256*len(e.state.Params))
	for _, m := range e.recent {
		n += int64(256 + len(m.Text))
		for _, call := range m.ToolCalls {
			n += int64(128 + len(call.Args))
		}
	}
	return n
}

// cache keeps the sessions used last. A nil cache keeps none.
//
// While the header of the WAL index is the one that our last commit left, nobody else has changed
// anything, and what is cached is true. Once it is another one, every entry grows old: it is true
// again when the file proves it, or when this process commits the next version.
type cache struct {
	mu      sync.Mutex // guards everything below
	entries *lru.Cache[memory.Key, *entry]
	drops   int64

	watch *watch      // nil: it sees nothing, and each entry is compared with the file
	known indexHeader // what our last commit left
	age   int64       // grows when somebody else may have changed something
	moves int64       // grows with every change of known
}

func newCache(maxEntries int, maxBytes int64) *cache {
	if maxEntries <= 0 {
		return nil
	}
	return &cache{entries: lru.New[memory.Key, *entry](lru.Limits{Entries: maxEntries, Weight: maxBytes}), age: 1}
}

// fileState is a state of the file, to which what is read from it belongs.
type fileState struct {
	drops int64
	moves int64
	quiet bool // nobody else had changed anything
}

// now returns the state of the file. put ignores entries from before something was dropped: what was
// read before a deletion must not come back after it.
func (c *cache) now() (f fileState) {
	if c == nil {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return fileState{c.drops, c.moves, c.quiet()}
}

// quiet reports that nobody has committed since our last commit. c.mu is held.
func (c *cache) quiet() bool {
	h, ok := c.watch.header()
	return ok && h == c.known
}

// get returns the entry of a key, and whether it is true without looking into the file.
func (c *cache) get(key memory.Key) (e *entry, certain bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	return e, ok && e.age == c.age && c.quiet()
}

// put keeps an entry that was read after the moment at.
func (c *cache) put(key memory.Key, e *entry, at fileState) {
	if c == nil {
		return
	}
	weight := e.weight()
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.entries.Peek(key); ok && old.counters.Version > e.counters.Version {
		return
	}
	if at.drops != c.drops {
		c.entries.Remove(key)
		return
	}
	e.age = 0
	if at.quiet && at.moves == c.moves && c.quiet() {
		e.age = c.age
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

// confirm says that an entry was compared with the file after the moment at.
func (c *cache) confirm(e *entry, at fileState) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.quiet && at.moves == c.moves && c.quiet() {
		e.age = c.age
	}
}

// begun is called with the file locked for writing: who else has committed is noticed here.
func (c *cache) begun() {
	if c == nil || c.watch == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	h, ok := c.watch.header()
	if ok && h == c.known {
		return
	}
	c.age++
	c.moves++
	c.known = h // nobody commits now but us
}

// held returns the entry of a key while the file is locked for writing, and whether it is true.
func (c *cache) held(key memory.Key) (e *entry, certain bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Peek(key)
	return e, ok && c.watch != nil && e.age == c.age
}

// effects hold the next entries of the sessions that a transaction changes; nil drops one.
// An entry of another age than 0 is true.
type effects map[memory.Key]*entry

// committed takes over what a transaction has changed, before its callers return.
// wrote says that it has changed rows. Between the commit and this nothing is certain: the header is
// not the known one.
func (c *cache) committed(changed effects, cleared, wrote bool) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cleared {
		c.drops++
		c.entries.Clear()
	}
	for key, e := range changed {
		if e == nil {
			c.drops++
			c.entries.Remove(key)
			continue
		}
		if e.age != 0 {
			e.age = c.age
		}
		c.entries.Put(key, e, e.weight())
	}
	// One commit more than at the beginning is ours. If there is another, that is somebody's, and the
	// header stays unknown until the next transaction.
	if h, ok := c.watch.header(); ok && wrote && h.commits() == c.known.commits()+1 {
		c.known = h
		c.moves++
	}
}

// doubt makes every entry old: it is unknown what a commit has left.
func (c *cache) doubt() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.age++
	c.moves++
}

// close ends the use of the WAL index.
func (c *cache) close() {
	if c == nil {
		return
	}
	c.mu.Lock()
	w := c.watch
	c.watch = nil
	c.mu.Unlock()
	w.close()
}
