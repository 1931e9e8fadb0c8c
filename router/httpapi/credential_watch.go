package httpapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/router/httpapi/access"
)

// errRevoked is why the context of a request ends whose caller may no longer ask.
var errRevoked = errors.New("the credentials are no longer good")

const (
	// recheckEvery is how often a request that lasts has its credentials looked at.
	recheckEvery = 2 * time.Second
	// closeAfter is how long it then has to end by itself. After that its connection is closed,
	// whatever its handler waits for.
	closeAfter = time.Second
)

// credentialWatch watches over one request while it is answered.
type credentialWatch struct {
	stillAllowed func() bool
	cancel       context.CancelCauseFunc
	closeConn    func()

	mu    sync.Mutex // guards what follows
	timer *time.Timer
	ended bool
}

// watch bounds a request by the credentials that it came with: the context ends soon after
// they were revoked or have expired. Most requests are over before anything is looked at.
// Whoever watches ends it.
func (a *API) watch(req *http.Request, id access.Identity, scope access.Scope) (ctx context.Context, end func()) {
	if _, open := a.opts.Access.(access.Open); open {
		return req.Context(), func() {}
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	t := &credentialWatch{stillAllowed: func() bool { return a.stillAllowed(req, id, scope) }, cancel: cancel, closeConn: func() {}}
	if conn, ok := ctx.Value(connection{}).(net.Conn); ok {
		t.closeConn = func() { _ = conn.Close() } // it is being ended, whatever that says
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(recheckEvery, t.recheck)
	return ctx, t.end
}

// stillAllowed reports whether the request would still be let in. A doubt ends nothing: key
// servers are away now and then.
func (a *API) stillAllowed(req *http.Request, id access.Identity, scope access.Scope) bool {
	now, err := a.opts.Access.Identify(req)
	if errors.Is(err, access.ErrUnavailable) {
		return true
	}
	return err == nil && now.UserID == id.UserID && now.Has(scope) && now.For(a.agentID())
}

func (t *credentialWatch) recheck() {
	good := t.stillAllowed()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.ended:
	case good:
		t.timer.Reset(recheckEvery)
	default:
		t.cancel(errRevoked)
		t.timer = time.AfterFunc(closeAfter, t.closeConn)
	}
}

func (t *credentialWatch) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.timer.Stop()
	t.cancel(nil)
}

// connection is the key of a request's net.Conn in its context.
type connection struct{}
