package postgres

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// errCut is the driver's error where a connection is not to be made now.
var errCut = errors.New("out of reach")

// cable is a connection, or one in the making, that is cut when the server is out of reach.
// Without that the driver would wait for the farewell of a silent server, up to 15 s in pgx
// 5.12.0, and the pool would have no place for a new connection meanwhile.
type cable struct {
	net.Conn // nil: it is in the making

	reach  *reach
	giveUp context.CancelFunc // ends the making
}

// Close implements net.Conn.
func (c *cable) Close() error {
	c.reach.forget(c)
	return c.Conn.Close()
}

// dialer makes connections that can be cut, and none while the server is out of reach.
func (r *reach) dialer(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		c := &cable{reach: r, giveUp: cancel}
		r.mu.Lock()
		r.cables[c] = true
		r.mu.Unlock()
		if r.out.Load() { // after it is known: cut comes after out
			r.forget(c)
			return nil, errCut
		}
		conn, err := dial(ctx, network, addr)
		if err != nil {
			r.forget(c)
			return nil, err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.cables[c] { // cut meanwhile
			_ = conn.Close()
			return nil, errCut
		}
		c.Conn = conn
		return c, nil
	}
}

func (r *reach) forget(c *cable) {
	c.giveUp()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.cables, c)
}

// cut ends every connection there is. Who is waiting on one gets an error.
func (r *reach) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.cables {
		c.giveUp()
		if c.Conn != nil {
			_ = c.Conn.Close() // the driver is told by what it does next
		}
	}
	clear(r.cables)
}
