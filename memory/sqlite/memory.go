package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"zombiezen.com/go/sqlite"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// volatile is a database in memory: one connection, which its callers use one after the other.
type volatile struct {
	dialect

	mu     sync.Mutex // guards what follows
	conn   *conn
	closed bool
}

var _ sqlstore.DB = (*volatile)(nil)

// NewMemory returns a store that keeps sessions in memory, for tests and for what need not last.
func NewMemory() (*sqlstore.Store, error) {
	c, err := newMemory()
	if err != nil {
		return nil, fmt.Errorf("open session database in memory: %w", err)
	}
	v := &volatile{conn: c}
	runtime.AddCleanup(v, func(c *conn) { _ = c.close() }, c) // tests close few of their stores
	return sqlstore.New(v, 0), nil
}

// newMemory returns a connection to an empty database in memory, with its schema.
func newMemory() (*conn, error) {
	c, err := openName("file::memory:", sqlite.OpenReadWrite|sqlite.OpenCreate, "temp_store(memory)")
	if err != nil {
		return nil, err
	}
	schema, err := migrations.ReadFile("migrations/00001_init.sql")
	if err == nil {
		_, up, _ := strings.Cut(string(schema), "-- +goose Up")
		err = c.exec(up)
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (v *volatile) with(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return memory.ErrClosed
	}
	return explain(f())
}

// Read implements sqlstore.DB.
func (v *volatile) Read(ctx context.Context, queries ...*sqlstore.Query) error {
	return v.with(ctx, func() error { return v.conn.runAll(queries) })
}

// Write implements sqlstore.DB.
func (v *volatile) Write(ctx context.Context, statements ...*sqlstore.Query) error {
	return v.Change(ctx, func(run sqlstore.Run) error { return run.All(statements) })
}

// Change implements sqlstore.DB.
func (v *volatile) Change(ctx context.Context, f func(run sqlstore.Run) error) error {
	return v.with(ctx, func() error {
		if err := v.conn.do("BEGIN"); err != nil {
			return err
		}
		err := f(func(q *sqlstore.Query) error {
			_, err := v.conn.run(q)
			return err
		})
		if err == nil {
			err = v.conn.do("COMMIT")
		}
		if err != nil {
			_ = v.conn.exec("ROLLBACK")
		}
		return err
	})
}

// Ping implements sqlstore.DB.
func (v *volatile) Ping(ctx context.Context) error { return v.with(ctx, func() error { return nil }) }

// Close implements sqlstore.DB. What was stored is gone.
func (v *volatile) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil
	}
	v.closed = true
	return v.conn.close()
}
