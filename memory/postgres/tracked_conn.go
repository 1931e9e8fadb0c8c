package postgres

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// errClosedByProbe is the error of a connection that is not made because the server is
// unreachable.
var errClosedByProbe = errors.New("out of reach")

// trackedConn is a connection, or one being dialled, that is closed when the server becomes
// unreachable. Otherwise the driver would wait for the end of a silent connection, up to 15 s in
// pgx 5.12.0, and the pool would have no room for a new one meanwhile.
type trackedConn struct {
	net.Conn // nil: it is being dialled

	probe      *serverProbe
	cancelDial context.CancelFunc
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
	c.probe.remove(c)
	return c.Conn.Close()
}

// dialer dials connections that closeConns can close, and none while the server is unreachable.
func (r *serverProbe) dialer(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		c := &trackedConn{probe: r, cancelDial: cancel}
		r.mu.Lock()
		r.conns[c] = true
		r.mu.Unlock()
		if r.unreachable.Load() { // after it is in conns: closeConns runs after unreachable is set
			r.remove(c)
			return nil, errClosedByProbe
		}
		conn, err := dial(ctx, network, addr)
		if err != nil {
			r.remove(c)
			return nil, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.conns[c] { // closed meanwhile
			_ = conn.Close()
			return nil, errClosedByProbe
		}
		c.Conn = conn
		return c, nil
	}
}

func (r *serverProbe) remove(c *trackedConn) {
	c.cancelDial()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}

// closeConns closes every connection. Calls that wait on one get an error.
func (r *serverProbe) closeConns() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.cancelDial()
		if c.Conn != nil {
			_ = c.Conn.Close() // the driver sees it on its next use
		}
	}
	clear(r.conns)
}
