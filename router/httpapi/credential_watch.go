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

// errRevoked ends the context of a request whose credentials are no longer valid.
var errRevoked = errors.New("the credentials are no longer good")

const (
	// recheckEvery is how often the credentials of a long request are checked.
	recheckEvery = 2 * time.Second
	// closeAfter is how long such a request then has to end by itself before its connection is closed.
	closeAfter = time.Second
)

// credentialWatch checks the credentials of one request while it is answered.
type credentialWatch struct {
	stillAllowed func() bool
	cancel       context.CancelCauseFunc
	closeConn    func()

	mu    sync.Mutex // guards what follows
	timer *time.Timer
	ended bool
}

// watch ends the context of a request soon after its credentials are revoked or expire. Most requests
// end before the first check. The caller calls end.
func (a *API) watch(req *http.Request, id access.Identity, route *Route) (ctx context.Context, end func()) {
	if _, open := a.opts.Access.(access.Open); open {
		return req.Context(), func() {}
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	t := &credentialWatch{stillAllowed: func() bool { return a.stillAllowed(req, id, route) }, cancel: cancel, closeConn: func() {}}
	if conn, ok := ctx.Value(connection{}).(net.Conn); ok {
		t.closeConn = func() { _ = conn.Close() } // the request ends either way
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(recheckEvery, t.recheck)
	return ctx, t.end
}

// stillAllowed reports whether the request would still be let in. If that cannot be checked, it is:
// key servers are down now and then.
func (a *API) stillAllowed(req *http.Request, id access.Identity, route *Route) bool {
	now, err := a.identify(req)
	if errors.Is(err, access.ErrUnavailable) {
		return true
	}
	return err == nil && now.UserID == id.UserID && route.lets(now) && now.For(a.agentID())
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

// connection is the context key of a request's net.Conn.
type connection struct{}
