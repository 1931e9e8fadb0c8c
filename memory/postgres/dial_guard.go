package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errNoCancel is the error of a connection that the driver makes to cancel a statement. It goes on
// without.
var errNoCancel = errors.New("no request to cancel goes through a pooler")

// dialGuard tells connections of the pool from those that the driver makes only to cancel a
// statement. It does so whenever a context ends, and hangs up at once where the other connection
// is closed. A cancelling connection is made only if it is known to lead to the server itself.
// PgBouncer passes such a request on and dies when the sender has gone meanwhile (pgbouncer issues
// 801, 822 and 904, in 1.18 and 1.19), which happens when its server is silent; the timeouts of
// the server end the statement as well.
type dialGuard struct {
	direct atomic.Bool // dialling leads to the server itself
}

// making marks the context of a connection that is being made.
type making struct{}

func whileMaking(ctx context.Context) context.Context { return context.WithValue(ctx, making{}, true) }

// guardDials makes connections of a configuration go through a dialGuard.
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
