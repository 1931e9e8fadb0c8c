package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errNoCancel is what the driver gets that wants to have a statement cancelled. It goes on without.
var errNoCancel = errors.New("no request to cancel goes through a pooler")

// dials tell a connection in the making from one that the driver makes only to have a statement
// cancelled, which it does whenever a context ends, and hangs up at once where the other
// connection is cut. Of the second kind none is made unless the server is known to be at the
// other end. PgBouncer passes such a request on and dies when who sent it has gone meanwhile
// (pgbouncer issues 801, 822 and 904, in 1.18 and 1.19), which is what happens when its server
// is silent; and what it would end, the server's own timeouts end, too.
type dialGuard struct {
	direct atomic.Bool // what is dialled is the server
}

// making is in the context of a connection in the making.
type making struct{}

func whileMaking(ctx context.Context) context.Context { return context.WithValue(ctx, making{}, true) }

// guard has connections made through dials.
func guardDials(config *pgx.ConnConfig) *dialGuard {
	d := &dialGuard{}
	config.Tracer, config.DialFunc = d, d.only(config.DialFunc)
	return d
}

func (d *dialGuard) only(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if ctx.Value(making{}) == nil && !d.direct.Load() {
			return nil, errNoCancel
		}
		return dial(ctx, network, addr)
	}
}

// TraceConnectStart implements pgx.ConnectTracer, whose context is that of the connection.
func (d *dialGuard) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	return whileMaking(ctx)
}

// TraceConnectEnd implements pgx.ConnectTracer.
func (d *dialGuard) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) {}

// TraceQueryStart implements pgx.QueryTracer, which a tracer has to be.
func (d *dialGuard) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (d *dialGuard) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
