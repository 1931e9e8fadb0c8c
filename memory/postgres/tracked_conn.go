package postgres

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// errCut is the driver's error where a connection is not to be made now.
var errClosedByProbe = errors.New("out of reach")

// cable is a connection, or one in the making, that is cut when the server is out of reach.
// Without that the driver would wait for the farewell of a silent server, up to 15 s in pgx
// 5.12.0, and the pool would have no place for a new connection meanwhile.
type trackedConn struct {
	net.Conn // nil: it is in the making

	probe      *serverProbe
	cancelDial context.CancelFunc // ends the making
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
	c.probe.remove(c)
	return c.Conn.Close()
}

// dialer makes connections that can be cut, and none while the server is out of reach.
func (r *serverProbe) dialer(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		c := &trackedConn{probe: r, cancelDial: cancel}
		r.mu.Lock()
		r.conns[c] = true
		r.mu.Unlock()
		if r.unreachable.Load() { // after it is known: cut comes after out
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
		if !r.conns[c] { // cut meanwhile
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

// cut ends every connection there is. Who is waiting on one gets an error.
func (r *serverProbe) closeConns() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.cancelDial()
		if c.Conn != nil {
			_ = c.Conn.Close() // the driver is told by what it does next
		}
	}
	clear(r.conns)
}
