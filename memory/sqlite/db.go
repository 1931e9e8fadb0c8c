package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// database is a file: one connection writes, a few read.
type database struct {
	dialect

	writer  *writer
	readers chan *conn
	done    chan struct{} // closed by Close

	closing sync.Once
	result  error // of closing
}

var _ sqlstore.DB = (*database)(nil)

// dialect is what SQLite has in its own way.
type dialect struct{}

// Confirm implements sqlstore.DB: what can be read is in the log, and what follows syncs that, too.
func (dialect) Confirm(context.Context) error { return nil }

// Position implements sqlstore.DB.
func (dialect) Position(part, whole string) string { return "instr(" + whole + ", " + part + ")" }

// Numbers implements sqlstore.DB.
func (dialect) Numbers() bool { return true }

// Now implements sqlstore.DB.
func (dialect) Now() string { return "CAST(unixepoch('subsec') * 1000000 AS INTEGER)" }

// Read implements sqlstore.DB.
func (d *database) Read(ctx context.Context, queries ...*sqlstore.Query) error {
	return d.withReader(ctx, func(c *conn) error {
		if len(queries) == 1 { // one statement is a moment of its own
			_, err := c.run(queries[0])
			return explain(err)
		}
		return explain(c.read(func() error { return c.runAll(queries) }))
	})
}

func (c *conn) runAll(queries []*sqlstore.Query) error {
	for _, q := range queries {
		if q.Needless != nil && q.Needless() {
			continue
		}
		if _, err := c.run(q); err != nil {
			return err
		}
	}
	return nil
}

// withReader lends a connection to f. The context bounds the wait for it, not f: reads are short.
func (d *database) withReader(ctx context.Context, f func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-d.done:
		return memory.ErrClosed
	default:
	}
	select {
	case c := <-d.readers:
		defer func() { d.readers <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-d.done:
		return memory.ErrClosed
	}
}

// Write implements sqlstore.DB.
func (d *database) Write(ctx context.Context, statements ...*sqlstore.Query) error {
	return d.writer.do(ctx, func(run sqlstore.Run) error { return run.All(statements) })
}

// Change implements sqlstore.DB.
func (d *database) Change(ctx context.Context, f func(run sqlstore.Run) error) error {
	return d.writer.do(ctx, f)
}

// pingEvery is how long what a commit has shown of the disk holds.
const pingEvery = 10 * time.Second

// Ping implements sqlstore.DB. A disk that is full can be read: it writes, where no commit has done so lately.
func (d *database) Ping(ctx context.Context) error {
	if time.Since(time.UnixMicro(d.writer.lasted.Load())) > pingEvery {
		return d.Write(ctx, &sqlstore.Query{Text: `UPDATE commits SET n = n`})
	}
	return d.Read(ctx, &sqlstore.Query{Text: `SELECT count(*) FROM sessions WHERE session = 0`})
}

// Close implements sqlstore.DB. It waits for reads and commits under way.
func (d *database) Close() error {
	d.closing.Do(func() {
		close(d.done)
		var all []error
		for range cap(d.readers) {
			all = append(all, (<-d.readers).close())
		}
		d.result = errors.Join(append(all, d.writer.close())...)
	})
	return d.result
}
