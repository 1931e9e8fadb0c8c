package postgres

import (
	"container/list"
	"sync"

	"github.com/slotway/slotway/memory"
)

// counters is what a commit must know of a session besides its delta. Whoever commits on
// remembered ones has them compared with the row, all of them: they save a question to the
// database and decide nothing.
type counters struct {
	head    memory.Head
	created int64
}

// heads remembers the counters of the sessions used last. A nil *heads remembers none.
type heads struct {
	max int

	mu    sync.Mutex // guards everything below
	items map[digest]*list.Element
	used  *list.List // of *headItem, the most recently used first
}

type headItem struct {
	d       digest
	c       counters
	safe    int64  // the newest version that is known to have been acknowledged, or could be
	lineage string // of the history that it was seen in
}

func newHeads(most int) *heads {
	if most <= 0 {
		return nil
	}
	return &heads{max: most, items: map[digest]*list.Element{}, used: list.New()}
}

// get returns what is remembered of a session if it is at this version.
func (h *heads) get(d digest, version int64) (counters, bool) {
	if h == nil {
		return counters{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	el := h.items[d]
	if el == nil || el.Value.(*headItem).c.head.Version != version {
		return counters{}, false
	}
	h.used.MoveToFront(el)
	return el.Value.(*headItem).c, true
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
	el := h.items[d]
	if el == nil {
		return headItem{}, false
	}
	return *el.Value.(*headItem), true
}

// put remembers a session as it was committed, or read. What was read from a server that waits
// for standbys may be what it has alone, and what nobody was told (safe is false).
func (h *heads) put(d digest, c counters, lineage string, safe bool) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if el := h.items[d]; el != nil {
		i := el.Value.(*headItem)
		if i.c.created != c.created {
			i.safe = 0
		}
		if i.c = c; safe {
			i.safe, i.lineage = c.head.Version, lineage
		}
		h.used.MoveToFront(el)
		return
	}
	i := &headItem{d: d, c: c}
	if safe {
		i.safe, i.lineage = c.head.Version, lineage
	}
	h.items[d] = h.used.PushFront(i)
	if len(h.items) > h.max {
		delete(h.items, h.used.Remove(h.used.Back()).(*headItem).d)
	}
}

func (h *heads) drop(d digest) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if el := h.items[d]; el != nil {
		h.used.Remove(el)
		delete(h.items, d)
	}
}
