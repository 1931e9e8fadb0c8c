package sqltool

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/config"
	_ "modernc.org/sqlite" // the driver named sqlite
)

// readers is how many reads of a database run at once; the writer is always alone.
const readers = 4

// openTimeout bounds opening and seeding, which may wait for another process.
const openTimeout = 30 * time.Second

// DB is an open database. It may be used by any number of tools and goroutines.
type DB struct {
	name   string
	write  *sql.DB
	read   *sql.DB
	closed sync.Once
	result error // of the close
}

// Open opens a database. dsn is a file's path or a file: URI, with its ${NAME} references
// already expanded; ":memory:" is private to the DB. A seed, when given, is run once, in
// one transaction, if the database holds no tables; of processes that start together one
// runs it and the others wait. The seed must not hold transaction statements of its own.
// Errors name the database, never the DSN.
func Open(db config.Database, dsn string, seed []byte) (*DB, error) {
	if db.Driver != "sqlite" && db.Driver != "" {
		return nil, fmt.Errorf("open database %s: driver %s is not built in; use sqlite", db.Name, db.Driver)
	}
	writer, reader, err := dsns(dsn)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", db.Name, err)
	}
	if err := emptied(dsn); err != nil {
		return nil, fmt.Errorf("open database %s: %w", db.Name, err)
	}
	if err := private(dsn); err != nil {
		return nil, fmt.Errorf("open database %s: %w", db.Name, err)
	}
	out := &DB{name: db.Name}
	if out.write, err = sql.Open("sqlite", writer); err != nil {
		return nil, fmt.Errorf("open database %s: %s", db.Name, reason(err))
	}
	if out.read, err = sql.Open("sqlite", reader); err != nil {
		out.write.Close()
		return nil, fmt.Errorf("open database %s: %s", db.Name, reason(err))
	}
	out.write.SetMaxOpenConns(1)
	out.write.SetConnMaxIdleTime(0)
	out.read.SetMaxOpenConns(readers)
	out.read.SetMaxIdleConns(readers)
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	if err := out.fill(ctx, string(seed)); err != nil {
		out.Close()
		return nil, fmt.Errorf("open database %s: %w", db.Name, err)
	}
	return out, nil
}

// Close closes the database. It waits for statements that run, and may be called twice.
func (d *DB) Close() error {
	d.closed.Do(func() { d.result = errors.Join(d.read.Close(), d.write.Close()) })
	return d.result
}

// emptied reports a file that has lost its content: SQLite would drop the write-ahead log
// beside an empty or missing file and begin anew, and so would the seed.
func emptied(dsn string) error {
	path, _, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	wal, err := os.Stat(path + "-wal")
	if err != nil || wal.Size() == 0 {
		return nil
	}
	if file, err := os.Stat(path); err == nil && file.Size() > 0 {
		return nil
	}
	return errors.New("the file is empty or missing, though its write-ahead log is not; restore a backup of it, or remove the log to begin anew")
}

// private makes a new database's file for its owner alone, before SQLite makes it for all that
// the umask lets in; the files beside it get its mode. A file that is there stays as it is: it
// may be another program's.
func private(dsn string) error {
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	params, err := url.ParseQuery(query)
	if mode := params.Get("mode"); err != nil || path == ":memory:" || (mode != "" && mode != "rwc") || params.Has("vfs") {
		return nil // SQLite makes no file, or says what is wrong
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil // it is there, or SQLite says why it cannot be
	}
	if err := file.Close(); err != nil {
		return errors.New("its file cannot be made")
	}
	return nil
}

// dsns makes the data source names of the writer and of the readers. PRAGMAs go by the
// DSN, because one executed on a pool reaches a single connection of it.
func dsns(dsn string) (writer, reader string, err error) {
	path, query, _ := strings.Cut(dsn, "?")
	path = strings.TrimPrefix(path, "file:")
	if path == "" {
		return "", "", errors.New("the DSN names no file")
	}
	params, err := url.ParseQuery(query)
	if err != nil {
		return "", "", errors.New("the DSN's parameters cannot be read")
	}
	for _, p := range []string{"busy_timeout(5000)", "foreign_keys(1)"} {
		params.Add("_pragma", p)
	}
	if path == ":memory:" || params.Get("mode") == "memory" {
		// A name of its own, in memory that the pools share.
		path = "/slotway-" + rand.Text()
		params.Set("vfs", "memdb")
		params.Del("mode")
	} else {
		params.Add("_pragma", "journal_mode(WAL)")
		params.Add("_pragma", "synchronous(FULL)") // an acknowledged write survives power loss
	}
	head := "file:" + (&url.URL{Path: path}).EscapedPath() + "?"
	params.Set("_txlock", "immediate") // a deferred one that turns into a write ends in SQLITE_BUSY
	writer = head + params.Encode()
	params.Del("_txlock")
	params.Add("_pragma", "query_only(1)")
	return writer, head + params.Encode(), nil
}

const isEmpty = `SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> 'slotway_calls')`

// fill runs the seed in an empty database. The check and the seed share an immediate
// transaction, so a second process sees either nothing or all of it.
func (d *DB) fill(ctx context.Context, seed string) error {
	err := d.ready(ctx)
	if err != nil || seed == "" {
		return err
	}
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("seed: %s", reason(err))
	}
	defer tx.Rollback()
	var empty bool
	if err := tx.QueryRowContext(ctx, isEmpty).Scan(&empty); err != nil {
		return fmt.Errorf("seed: %s", reason(err))
	}
	if !empty {
		return nil
	}
	if _, err := tx.ExecContext(ctx, seed); err != nil {
		return fmt.Errorf("seed: %w", err) // the file's own text; no conversation is involved
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("seed: %s", reason(err))
	}
	return nil
}

// ready opens the first connections. Two processes that turn a new file to WAL at the
// same time do not wait for each other, whatever the busy timeout, so we do.
func (d *DB) ready(ctx context.Context) error {
	for {
		err := d.write.PingContext(ctx)
		if err == nil {
			err = d.read.PingContext(ctx)
		}
		if err == nil || !busy(err) {
			if err != nil {
				return errors.New(reason(err))
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New(reason(err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}
