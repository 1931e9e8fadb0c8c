package postgres

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/slotway/slotway/memory"
)

// baseline holds what a commit needs of a session besides its delta. A commit on a cached
// baseline compares all of it with the row: the cache saves a query and decides nothing.
type baseline struct {
	counters memory.Counters
	created  int64
}

// baselineCache keeps the baselines of the sessions used last. A nil *baselineCache keeps none.
type baselineCache struct {
	mu    sync.Mutex // guards items
	items *simplelru.LRU[digest, *cachedBaseline]
}

type cachedBaseline struct {
	baseline baseline
	safe     int64  // the newest version that is known to have been acknowledged, or could be
	lineage  string // of the history that it was seen in

	started []memory.Step // calls that this replica has started on top of the baseline
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

// get returns the baseline of a session if it is at this version.
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
// acknowledged before it was read: its history has gone back. A session that is gone, or was begun
// anew, was most likely erased; on another timeline it was lost with the other history.
func (i *cachedBaseline) isNewerThan(r *sessionRow, lineage string) bool {
	if r != nil && r.created == i.baseline.created {
		return r.counters.Version < i.safe
	}
	return i.safe > 0 && timelineOf(i.lineage) != timelineOf(lineage)
}

// seen returns what was last cached of a session, and in which lineage; false: nothing.
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

// put caches a session as it was committed or read. safe is false for what was read from a server
// that waits for standbys: it may have that alone, and may not have acknowledged it.
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
	if i.baseline.counters.Version != c.counters.Version {
		i.started = nil
	}
	if i.baseline = c; safe {
		i.safe, i.lineage = c.counters.Version, lineage
	}
}

// mostStarted is how many calls of a turn are remembered.
const mostStarted = 16

// start remembers a call of a session as it was written.
func (h *baselineCache) start(d digest, p *memory.Step) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, ok := h.items.Peek(d); ok && len(i.started) < mostStarted {
		i.started = append(i.started, *p)
	}
}

// journal returns the rows of the calls whose outcomes are given; false if one of them is not remembered.
// Whether they are still so is for the statement to find out that relies on them.
func (h *baselineCache) journal(d digest, outcomes []memory.Step) (journal, bool) {
	if h == nil {
		return journal{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Peek(d)
	if !ok {
		return journal{}, false
	}
	j := journal{rows: map[string]memory.Step{}, remembered: true}
	for _, p := range i.started {
		j.rows[p.IdempotencyKey] = p
	}
	for _, p := range outcomes {
		if _, ok := j.rows[p.IdempotencyKey]; !ok {
			return journal{}, false
		}
	}
	return j, true
}

func (h *baselineCache) drop(d digest) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items.Remove(d)
}
