package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// persist implements chatBackend. Every turn is committed before its reply is shown; with
// memory.durability: relaxed it may not be on disk yet.
func (h *localBackend) persist(context.Context, string) (string, error) {
	m := &h.app.Settings().Memory
	if !m.Enabled {
		return "", errors.New("nothing is kept: memory.enabled is false")
	}
	switch m.Storage {
	case "sqlite":
		if m.Durability == "relaxed" {
			if err := syncDatabase(m.StoragePath); err != nil {
				return "", err
			}
		}
		if h.fresh {
			return "", nil
		}
		return m.StoragePath, nil
	case "postgres":
		return databaseName(m.DSN), nil
	}
	return "", nil
}

// syncDatabase flushes a SQLite database and its log to disk.
func syncDatabase(path string) error {
	for _, name := range []string{path, path + "-wal"} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // no log: everything is in the database
		}
		if err != nil {
			return err
		}
		if err := errors.Join(durable.Sync(f), f.Close()); err != nil {
			return fmt.Errorf("put the database on the disk: %w", err)
		}
	}
	return nil
}

// databaseName names a PostgreSQL database without its credentials.
func databaseName(dsn string) string {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		return "PostgreSQL" // it was opened, so this does not happen
	}
	return fmt.Sprintf("the database %s at %s:%d", c.Database, c.Host, c.Port)
}

// persist implements chatBackend: a server replies only once the turn is durable.
func (r *remoteBackend) persist(context.Context, string) (string, error) { return r.base.Host, nil }

// save without a file makes sure that the session is stored and says where. A session that exists only
// in this program is written to a file.
func (c *console) save(ctx context.Context, path string) error {
	if path != "" {
		return c.export(ctx, path)
	}
	now, err := c.backend.state(ctx, c.session)
	if errors.Is(err, memory.ErrNotFound) {
		err, now.Turns = nil, 0
	}
	if err != nil {
		return err
	}
	where, err := c.backend.persist(ctx, c.session)
	if err != nil {
		return err
	}
	if now.Turns == 0 {
		c.print("  nothing was said yet; what is will be saved by itself")
		return nil
	}
	if where == "" {
		path := fmt.Sprintf("session-%s-%d.jsonl", fileName(c.session), now.Turns)
		if err := c.export(ctx, path); c.saved != path || !errors.Is(err, fs.ErrExist) {
			c.saved = path
			return err
		}
		where = path // this turn's, already
	}
	c.print(fmt.Sprintf("  session %s is saved in %s, up to turn %d", c.session, where, now.Turns))
	return nil
}

// export writes the session to a file.
func (c *console) export(ctx context.Context, path string) error {
	var note string
	if err := durable.NewFile(path, func(file io.Writer) (err error) {
		note, err = c.backend.export(ctx, c.session, file)
		return err
	}); err != nil {
		return err
	}
	c.print("  saved to " + path + note)
	return nil
}

// fileName turns an id into a part of a file's name.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
}
