package telemetry

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"sync/atomic"
)

// IDPrefix begins the digest of a hidden id.
const IDPrefix = "id:"

// Finds reports whether the agent's patterns, or those of a redacted param's type, match in text.
func (r *Redactor) Finds(text string) bool { return r.closed() || len(r.spans(text, &matcher{})) > 0 }

// HideIDs is a Sink that passes events on to next, with a digest in place of each session id and
// interaction id that holds something to redact: clients choose ids, and one may be an order number.
// The same id has the same digest, so a conversation can be followed; without the key nobody can try
// all order numbers to find the id. Other ids pass unchanged.
//
// redactor returns the redactor of the current agent.
func HideIDs(next Sink, redactor func() *Redactor, key []byte) Sink {
	return &idHider{next: next, redactor: redactor, key: key, seed: maphash.MakeSeed()}
}

type idHider struct {
	next     Sink
	redactor func() *Redactor
	key      []byte
	seed     maphash.Seed
	memo     [256]atomic.Pointer[shownID] // by hash: the events of a turn have the same ids
}

// shownID is an id and how it is shown.
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
	if id == "" || !r.closed() && len(r.rules) == 0 {
		return id
	}
	at := &h.memo[maphash.String(h.seed, id)%uint64(len(h.memo))]
	if m := at.Load(); m != nil && m.id == id && m.by == r {
		return m.shown
	}
	m := &shownID{by: r, id: id, shown: id}
	if r.Finds(id) {
		m.shown = digestOf(h.key, id)
	}
	at.Store(m)
	return m.shown
}

// digestBytes is the length of a shown digest: among a billion ids two are the same with a probability
// of 3 percent.
const digestBytes = 8

func digestOf(key []byte, id string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id))
	return IDPrefix + hex.EncodeToString(mac.Sum(nil)[:digestBytes])
}
