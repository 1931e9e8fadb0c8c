package postgres

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/slotway/slotway/memory"
)

// counters is what a commit must know of a session besides its delta. Whoever commits on
// remembered ones has them compared with the row, all of them: they save a question to the
// database and decide nothing.
type counters struct {
	head    memory.Counters
	created int64
}

// heads remembers the counters of the sessions used last. A nil *heads remembers none.
type heads struct {
	mu    sync.Mutex // guards items
	items *simplelru.LRU[digest, *headItem]
}

type headItem struct {
	c       counters
	safe    int64  // the newest version that is known to have been acknowledged, or could be
	lineage string // of the history that it was seen in
}

func newHeads(most int) *heads {
	if most <= 0 {
		return nil
	}
	items, err := simplelru.NewLRU[digest, *headItem](most, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &heads{items: items}
}

// get returns what is remembered of a session if it is at this version.
func (h *heads) get(d digest, version int64) (counters, bool) {
	if h == nil {
		return counters{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Peek(d)
	if !ok || i.c.head.Version != version {
		return counters{}, false
	}
	h.items.Get(d) // a use
	return i.c, true
}

// isNewerThan reports whether a session's row, nil where there is none, is older than what was
// acknowledged before it was read: its history has gone back. One that is gone, or was begun
// anew, was erased, more likely than not; on another timeline it was left behind with the other.
func (i *headItem) isNewerThan(r *sessionRow, lineage string) bool {
	if r != nil && r.created == i.c.created {
		return r.head.Version < i.safe
	}
	return i.safe > 0 && timelineOf(i.lineage) != timelineOf(lineage)
}

// seen returns what was remembered of a session last, and in which history; false: nothing.
func (h *heads) seen(d digest) (last headItem, known bool) {
	if h == nil {
		return headItem{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Peek(d)
	if !ok {
		return headItem{}, false
	}
	return *i, true
}

// put remembers a session as it was committed, or read. What was read from a server that waits
// for standbys may be what it has alone, and what nobody was told (safe is false).
func (h *heads) put(d digest, c counters, lineage string, safe bool) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.items.Get(d)
	if !ok {
		i = &headItem{}
		h.items.Add(d, i)
	}
	if i.c.created != c.created {
		i.safe = 0
	}
	if i.c = c; safe {
		i.safe, i.lineage = c.head.Version, lineage
	}
}

func (h *heads) drop(d digest) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.items.Remove(d)
}
