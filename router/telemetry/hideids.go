package telemetry

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"sync/atomic"
)

// IDPrefix begins what stands for an id that is not shown.
const IDPrefix = "id:"

// Finds says whether the agent's patterns, or those of a redacted param's type, find anything
// in text.
func (r *Redactor) Finds(text string) bool { return len(r.spans(text, &matcher{})) > 0 }

// HideIDs is a Sink that hands events on to next with a digest in the place of each session id
// and interaction id in which the redactor finds something to hide: ids are the clients' own
// words, and one may be an order number. The same id has the same digest, so a conversation can
// be followed; who has no key cannot try all order numbers to find the id. Other ids pass as
// they are.
//
// redactor is that of the agent as it is now; key is asked for when it is first needed.
func HideIDs(next Sink, redactor func() *Redactor, key func() []byte) Sink {
	return &idHider{next: next, redactor: redactor, key: key, seed: maphash.MakeSeed()}
}

type idHider struct {
	next     Sink
	redactor func() *Redactor
	key      func() []byte
	seed     maphash.Seed
	memo     [256]atomic.Pointer[shownID] // by hash: the events of a turn have the same ids
}

// shownID is how an id is shown.
type shownID struct {
	by        *Redactor
	id, shown string
}

// Record implements Sink.
func (h *idHider) Record(e Event) {
	r := h.redactor()
	e.SessionID, e.InteractionID = h.shown(r, e.SessionID), h.shown(r, e.InteractionID)
	h.next.Record(e)
}

func (h *idHider) shown(r *Redactor, id string) string {
	if id == "" || len(r.rules) == 0 {
		return id
	}
	at := &h.memo[maphash.String(h.seed, id)%uint64(len(h.memo))]
	if m := at.Load(); m != nil && m.id == id && m.by == r {
		return m.shown
	}
	m := &shownID{by: r, id: id, shown: id}
	if r.Finds(id) {
		m.shown = digestOf(h.key(), id)
	}
	at.Store(m)
	return m.shown
}

// digestBytes is how much of a digest is shown: two of a billion ids have the same with a
// probability of 3 in 100.
const digestBytes = 8

func digestOf(key []byte, id string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id))
	return IDPrefix + hex.EncodeToString(mac.Sum(nil)[:digestBytes])
}
