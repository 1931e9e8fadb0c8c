package openai

import (
	"slices"
	"sync"
	"time"
)

// hints remember in the process where histories were found, so that a conversation that
// goes on does not make the store look through all sessions of its user. Digests name their
// user and agent, so nobody finds another's.
type hints struct {
	mu       sync.Mutex // guards what follows
	at       map[string][]ref
	since    time.Time        // at has everything from then on
	old      map[string][]ref // what at was before it was full
	oldSince time.Time
	size     int // of each; 0: maxHints
}

// maxHints is how many histories are remembered, at most twice: about 4 MiB.
const maxHints = 1 << 13

// add notes where a history's last message was answered.
func (h *hints) add(history string, at ref, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	limit := h.size
	if limit == 0 {
		limit = maxHints
	}
	list := slices.DeleteFunc(slices.Clone(h.known(history)), func(r ref) bool { return r == at })
	if h.at == nil {
		h.at = map[string][]ref{}
	}
	if len(h.at) >= limit {
		h.old, h.oldSince = h.at, h.since
		h.at, h.since = map[string][]ref{}, now
	}
	list = append([]ref{at}, list...)
	h.at[history] = list[:min(len(list), maxAlike)]
}

// known is what is remembered of a history. h.mu is held.
func (h *hints) known(history string) []ref {
	if list, ok := h.at[history]; ok {
		return list
	}
	return h.old[history]
}

// get returns the turns that answered a history's last message, the newest first, and
// whether those of the last while are all among them.
func (h *hints) get(history string, now time.Time, while time.Duration) ([]ref, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	since := h.since
	if h.old != nil {
		since = h.oldSince
	}
	return slices.Clone(h.known(history)), now.Sub(since) > while
}
