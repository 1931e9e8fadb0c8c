package httpapi

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
)

// jsonHandler makes a handler of what answers with a JSON document or an error.
func jsonHandler(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := do(r)
		if err != nil {
			WriteProblem(w, Explain(err))
			return
		}
		WriteJSON(w, http.StatusOK, "application/json", v)
	}
}

// owner is whose sessions a request may name: those of its user with the served agent.
func (a *API) owner(r *http.Request) memory.Key {
	return memory.Key{UserID: access.From(r.Context()).UserID, AgentID: a.agentID()}
}

// key names the session of a request's path. An id that no session can have is as unknown
// as one that none has.
func (a *API) key(r *http.Request) (memory.Key, error) {
	key := a.owner(r)
	key.SessionID = r.PathValue("id")
	if key.Validate() != nil || memory.Reserved(key.UserID) {
		return memory.Key{}, memory.ErrNotFound
	}
	return key, nil
}

// masks hide what is redacted, unless it is to be shown.
func (a *API) masks(revealed bool) *sessions.Masks {
	if revealed {
		return nil
	}
	return a.kept.Masks(a.opts.Memory.Redactor())
}

// maskedBody reads the body of a request whose answer shows what is stored, and says what hides
// redacted values in that answer.
func (a *API) maskedBody(w http.ResponseWriter, r *http.Request) (*sessions.Masks, []byte, error) {
	q := readQuery(r)
	masks := a.masks(q.reveal(r))
	if q.err != nil {
		return nil, nil, q.err
	}
	body, err := a.ReadBody(w, r)
	return masks, body, err
}

// sessionRead is a request to see something of one session, which exists.
type sessionRead struct {
	key   memory.Key
	snap  *memory.Snapshot
	mask  *sessions.Mask
	masks *sessions.Masks
}

// readSession begins to answer a request whose query has been read.
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

// session reads a session that exists, as it is now.
func (a *API) session(ctx context.Context, key memory.Key) (*memory.Snapshot, error) {
	snap, err := memory.LoadReadable(ctx, a.opts.Memory.Store, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return nil, err
	}
	if snap.State.Version == 0 {
		return nil, memory.ErrNotFound
	}
	return snap, nil
}

// detached is the context of a change: whoever asked for it may be gone before it is made.
func (a *API) detached(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), a.opts.TurnTimeout)
}

// orNull is a name, or nil for none, which is null in an answer.
func orNull(name string) *string {
	if name == "" {
		return nil
	}
	return &name
}

// limitTo makes a page of at most size items of what was read with one more than that, and says
// whether there is a next page.
func limitTo[T any](list []T, size int) (page []T, more bool) {
	if len(list) > size {
		return list[:size], true
	}
	return list, false
}
