package postgres

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/slotway/slotway/memory"
)

// counters is what a commit must know of a session besides its delta. Whoever commits on
// remembered ones has them compared with the row, all of them: they save a question to the
// database and decide nothing.
type baseline struct {
	counters memory.Counters
	created  int64
}

// heads remembers the counters of the sessions used last. A nil *heads remembers none.
type baselineCache struct {
	mu    sync.Mutex // guards items
	items *simplelru.LRU[digest, *cachedBaseline]
}

type cachedBaseline struct {
	baseline baseline
	safe     int64  // the newest version that is known to have been acknowledged, or could be
	lineage  string // of the history that it was seen in
}

func newBaselineCache(most int) *baselineCache {
	if most <= 0 {
		return nil
	}
	items, err := simplelru.NewLRU[digest, *cachedBaseline](most, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &baselineCache{items: items}
}

// get returns what is remembered of a session if it is at this version.
func (h *baselineCache) get(d digest, version int64) (baseline, bool) {
	if h == nil {
		return baseline{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Peek(d)
	if !ok || i.baseline.counters.Version != version {
		return baseline{}, false
	}
	h.items.Get(d) // a use
	return i.baseline, true
}

// isNewerThan reports whether a session's row, nil where there is none, is older than what was
// acknowledged before it was read: its history has gone back. One that is gone, or was begun
// anew, was erased, more likely than not; on another timeline it was left behind with the other.
func (i *cachedBaseline) isNewerThan(r *sessionRow, lineage string) bool {
	if r != nil && r.created == i.baseline.created {
		return r.counters.Version < i.safe
	}
	return i.safe > 0 && timelineOf(i.lineage) != timelineOf(lineage)
}

// seen returns what was remembered of a session last, and in which history; false: nothing.
func (h *baselineCache) seen(d digest) (last cachedBaseline, known bool) {
	if h == nil {
		return cachedBaseline{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Peek(d)
	if !ok {
		return cachedBaseline{}, false
	}
	return *i, true
}

// put remembers a session as it was committed, or read. What was read from a server that waits
// for standbys may be what it has alone, and what nobody was told (safe is false).
func (h *baselineCache) put(d digest, c baseline, lineage string, safe bool) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Get(d)
	if !ok {
		i = &cachedBaseline{}
		h.items.Add(d, i)
	}
	if i.baseline.created != c.created {
		i.safe = 0
	}
	if i.baseline = c; safe {
		i.safe, i.lineage = c.counters.Version, lineage
	}
}

func (h *baselineCache) drop(d digest) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items.Remove(d)
}
