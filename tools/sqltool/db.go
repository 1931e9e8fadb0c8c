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

// readers is the number of concurrent reads of a database; there is one writer.
const readers = 4

// openTimeout limits opening and seeding, which may wait for another process.
const openTimeout = 30 * time.Second

// DB is an open database. It is safe for concurrent use.
type DB struct {
	name   string
	write  *sql.DB
	read   *sql.DB
	closed sync.Once
	result error // of closing

	mu       sync.Mutex // guards prepared
	prepared map[prepared]*sql.Stmt
}

// prepared is what a statement was prepared for.
type prepared struct {
	pool *sql.DB
	text string
}

// Open opens a database. dsn is the path of a file or a file: URI, with its ${NAME} references
// expanded; ":memory:" is private to the DB. A seed runs once, in one transaction, if the database
// has no tables; of several processes that start together one runs it and the others wait. The seed
// must hold no transaction statements. Errors name the database, never the DSN.
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
	out := &DB{name: db.Name, prepared: map[prepared]*sql.Stmt{}}
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

// Close closes the database. It waits for running statements, and may be called twice.
func (d *DB) Close() error {
	d.closed.Do(func() { d.result = errors.Join(d.read.Close(), d.write.Close()) })
	return d.result
}

// prepare returns a statement that each connection of the pool prepares once: parsing costs more than
// a short query. The pool closes it with its connections.
func (d *DB) prepare(ctx context.Context, pool *sql.DB, text string) (*sql.Stmt, error) {
	key := prepared{pool, text}
	d.mu.Lock()
	stmt := d.prepared[key]
	d.mu.Unlock()
	if stmt != nil {
		return stmt, nil
	}
	stmt, err := pool.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if first := d.prepared[key]; first != nil { // another call was faster
		return first, stmt.Close()
	}
	d.prepared[key] = stmt
	return stmt, nil
}

// emptied reports a file that has lost its content: SQLite would drop the write-ahead log beside an
// empty or missing file and start over, and so would the seed.
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

// creating keeps this process from opening a database while private creates its file: closing a
// file drops every POSIX lock that the process has on it, and so those of SQLite.
var creating sync.Mutex

// private creates the file of a new database readable for its owner only, before SQLite creates it
// with the rights of the umask; the files beside it get its mode. An existing file keeps its mode:
// it may belong to another program.
func private(dsn string) error {
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
	params, err := url.ParseQuery(query)
	if mode := params.Get("mode"); err != nil || path == ":memory:" || (mode != "" && mode != "rwc") || params.Has("vfs") {
		return nil // SQLite creates no file, or reports what is wrong
	}
	creating.Lock()
	defer creating.Unlock()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil // it exists, or SQLite reports why it cannot
	}
	if err := file.Close(); err != nil {
		return errors.New("its file cannot be made")
	}
	return nil
}

// dsns returns the data source names of the writer and of the readers. PRAGMAs are in the DSN,
// since one that is executed on a pool reaches only one of its connections.
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
		// A name of its own, for memory that the pools share.
		path = "/slotway-" + rand.Text()
		params.Set("vfs", "memdb")
		params.Del("mode")
	} else {
		params.Add("_pragma", "journal_mode(WAL)")
		params.Add("_pragma", "synchronous(FULL)") // an acknowledged write survives power loss
	}
	head := "file:" + (&url.URL{Path: path}).EscapedPath() + "?"
	params.Set("_txlock", "immediate") // a deferred transaction that turns into a write ends in SQLITE_BUSY
	writer = head + params.Encode()
	params.Del("_txlock")
	params.Add("_pragma", "query_only(1)")
	return writer, head + params.Encode(), nil
}

const isEmpty = `SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> 'slotway_calls')`

// fill runs the seed in an empty database. The check and the seed are one immediate transaction, so
// another process sees nothing of the seed or all of it.
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
		return fmt.Errorf("seed: %w", err) // the text of the file; it holds nothing of a conversation
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("seed: %s", reason(err))
	}
	return nil
}

// ready opens the first connections. Two processes that switch a new file to WAL at the same time
// do not wait for each other, whatever the busy timeout, so ready does.
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
