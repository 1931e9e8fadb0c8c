package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

// ErrPooler: a connection that must lead to the server itself leads through a pooler, which gives
// its locks to the next client. Errors that are this one are memory.ErrUnavailable, too.
var ErrPooler = errors.New("a pooler is between here and the database")

var errPooler = fmt.Errorf("%w: %w; locks need a connection to the server itself", memory.ErrUnavailable, ErrPooler)

// Check reports why no session can be locked: the server cannot be reached, or not directly
// (ErrPooler). It is for the start: with a pooler between, every turn fails, or locks exclude no
// one.
func (l *SessionLocks) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.lease)
	defer cancel()
	c, err := dialLocks(ctx, l.config, l.lease)
	if err == nil {
		err = c.Close(ctx)
	}
	if err != nil {
		return fmt.Errorf("check session locks: %w", explain(context.WithoutCancel(ctx), err))
	}
	return nil
}

// dialLocks connects to the server and verifies that it is the server.
func dialLocks(ctx context.Context, config *pgx.ConnConfig, lease time.Duration) (*pgx.Conn, error) {
	c, err := pgx.ConnectConfig(ctx, config)
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == "08P01" { // it knows no idle_session_timeout
		return nil, errPooler
	}
	if err != nil {
		return nil, err
	}
	if err := isDirect(ctx, c, lease); err != nil {
		_ = c.Close(ctx) // the first error says more
		return nil, err
	}
	return c, nil
}

// isDirect asks the server for its process. A pooler gives its clients process numbers of its own,
// whatever it does with startup parameters.
func isDirect(ctx context.Context, c *pgx.Conn, lease time.Duration) error {
	var pid uint32
	var idle string
	if err := c.QueryRow(ctx, `SELECT pg_backend_pid(), setting FROM pg_settings WHERE name = 'idle_session_timeout'`,
		pgx.QueryExecModeExec).Scan(&pid, &idle); err != nil {
		return err
	}
	if pid != c.PgConn().PID() || idle != strconv.FormatInt(lease.Milliseconds(), 10) {
		return errPooler
	}
	return nil
}
