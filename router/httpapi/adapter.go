package httpapi

import (
	"net/http"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
)

// Memory returns Options.Memory, for adapters that show stored sessions; nil: there is none.
func (a *API) Memory() *Memory { return a.opts.Memory }

// Agent returns the current definition; nil if any agent's name is taken.
func (a *API) Agent() *config.Agent {
	if a.opts.Agent == nil {
		return nil
	}
	return a.opts.Agent()
}

// Visitors returns Options.Visitors.
func (a *API) Visitors() *access.Visitors { return a.opts.Visitors }

// Digests returns Options.Digests.
func (a *API) Digests() *memory.Digests { return a.opts.Digests }

// OwnSession returns the key of a session of the caller, whose id the adapter knows, and the mask that the
// caller must see it through. It needs Options.Memory.
func (a *API) OwnSession(r *http.Request, id string) (memory.Key, *sessions.Mask, error) {
	key := a.owner(r)
	key.SessionID = id
	mask, err := a.pastMask(r, id)
	return key, mask, err
}

// SessionOf reads the query of a request about the session in its path, which may have the parameters
// in known, and reveal. It returns the session's key, and the mask that its caller must see it through. It
// needs Options.Memory.
func (a *API) SessionOf(r *http.Request, known ...string) (memory.Key, *sessions.Mask, error) {
	q := readQuery(r, known...)
	revealed := q.reveal(r)
	if q.err != nil {
		return memory.Key{}, nil, q.err
	}
	key, err := a.key(r)
	if err != nil {
		return key, nil, err
	}
	mask, err := a.masks(revealed).Of(r.Context(), key)
	return key, mask, err
}
