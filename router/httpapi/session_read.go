package httpapi

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
)

// JSON makes a handler of a function that returns a JSON document or an error.
func JSON(do func(w http.ResponseWriter, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := do(w, r)
		if err != nil {
			WriteProblem(w, Explain(err))
			return
		}
		WriteJSON(w, http.StatusOK, "application/json", v)
	}
}

// owner is the key of the caller's sessions with the served agent, without a session.
func (a *API) owner(r *http.Request) memory.Key {
	return memory.Key{UserID: access.From(r.Context()).UserID, AgentID: a.agentID()}
}

// key returns the session in a request's path. An id that no session can have counts as unknown.
func (a *API) key(r *http.Request) (memory.Key, error) {
	key := a.owner(r)
	key.SessionID = r.PathValue("id")
	if key.Validate() != nil || memory.Reserved(key.UserID) {
		return memory.Key{}, memory.ErrNotFound
	}
	return key, nil
}

// masks returns the masks of redacted values, which hide nothing where revealed: see query.reveal.
func (a *API) masks(revealed bool) *sessions.Masks {
	if revealed {
		return sessions.RevealAll()
	}
	return a.kept.Masks(a.opts.Memory.Redactor())
}

// maskedBody reads the body of a request whose answer shows stored texts, and returns their masks.
func (a *API) maskedBody(w http.ResponseWriter, r *http.Request) (*sessions.Masks, []byte, error) {
	q := readQuery(r)
	masks := a.masks(q.reveal(r))
	if q.err != nil {
		return nil, nil, q.err
	}
	body, err := a.ReadBody(w, r)
	return masks, body, err
}

// sessionRead is a request to read an existing session.
type sessionRead struct {
	key   memory.Key
	snap  *memory.Snapshot
	mask  *sessions.Mask
	masks *sessions.Masks
}

// readSession begins a request whose query has been read.
func (a *API) readSession(r *http.Request, q *query) (*sessionRead, error) {
	revealed := q.reveal(r)
	if q.err != nil {
		return nil, q.err
	}
	key, err := a.key(r)
	if err != nil {
		return nil, err
	}
	snap, err := a.session(r.Context(), key)
	if err != nil {
		return nil, err
	}
	l := &sessionRead{key: key, snap: snap, masks: a.masks(revealed)}
	l.mask, err = l.masks.Of(r.Context(), key)
	return l, err
}

// session loads the current state of an existing session.
func (a *API) session(ctx context.Context, key memory.Key) (*memory.Snapshot, error) {
	snap, err := a.opts.Memory.Store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return nil, err
	}
	if snap.State.Version == 0 {
		return nil, memory.ErrNotFound
	}
	return snap, nil
}

// detached returns the context of a change, which does not end if the client disconnects.
func (a *API) detached(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), a.opts.TurnTimeout)
}

// orNull returns nil, which is null in JSON, for an empty name.
func orNull(name string) *string {
	if name == "" {
		return nil
	}
	return &name
}

// limitTo returns a page of at most size items of a list that was read with one item more, and whether
// there is a next page.
func limitTo[T any](list []T, size int) (page []T, more bool) {
	if len(list) > size {
		return list[:size], true
	}
	return list, false
}
