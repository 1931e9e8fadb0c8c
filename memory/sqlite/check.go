package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// Kinds of problems.
const (
	ProblemLost       = "lost"       // acknowledged commits are missing
	ProblemSchema     = "schema"     // tables, columns, indexes or versions are not those of the release
	ProblemIntegrity  = "integrity"  // SQLite's own check: pages, order, indexes that do not agree with their table
	ProblemUnreadable = "unreadable" // the rest of a table cannot be read
	ProblemChecksum   = "checksum"   // a row does not match its CRC32C, or holds no JSON where it should
	ProblemOrphan     = "orphan"     // rows of no session
	ProblemGap        = "gap"        // messages or turns are missing from a session, or there are too many
)

// Problem is one thing that is wrong. It holds numbers and names, never content.
type Problem struct {
	Kind  string      `json:"kind"`
	Table string      `json:"table,omitempty"`
	Row   int64       `json:"row,omitempty"`
	Key   *memory.Key `json:"session,omitempty"` // where it is known
	Text  string      `json:"text"`
}

// Report is the outcome of a check.
type Report struct {
	File     string           `json:"file"`
	Schema   int64            `json:"schema"` // version of the file
	Latest   int64            `json:"latest"` // version that this release knows
	Rows     map[string]int64 `json:"rows"`   // read, by table
	Found    int              `json:"found"`  // problems
	Problems []Problem        `json:"problems"`
	Sound    bool             `json:"sound"`
}

// maxProblems is how many problems a report lists; the rest are counted.
const maxProblems = 1000

// Total is the number of rows read.
func (r *Report) Total() (n int64) {
	for _, rows := range r.Rows {
		n += rows
	}
	return n
}

func (r *Report) add(p Problem) {
	if r.Found++; len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	}
}

// Remedy says how to go on with a damaged file without losing anything that can still be read; ""
// for a sound one.
func (r *Report) Remedy() string {
	if r.Sound {
		return ""
	}
	for _, p := range r.Problems {
		if p.Kind != ProblemLost {
			return textKeepRows
		}
	}
	return textKeep
}

// Progress reports how much of the work is done, in any unit, on the caller's goroutine.
type Progress func(done, total int64)

// Check reads every row of every table at one moment, verifies the checksums, how rows
// belong together, the schema and SQLite's own structures, and changes nothing. A running
// server is not held up, but its write-ahead log grows until the check has ended. An error means
// that the check could not be made: memory.ErrUnavailable, ErrNotDatabase, ErrForeign,
// ErrNewer, ErrLost, fs.ErrNotExist. progress may be nil.
func Check(ctx context.Context, path string, progress Progress) (*Report, error) {
	r := &Report{File: path, Rows: map[string]int64{}, Problems: []Problem{}}
	path, err := existing(path)
	if err != nil {
		return nil, fmt.Errorf("check session database: %w", err)
	}
	acknowledged, err := acknowledged(path)
	if err != nil {
		return nil, fmt.Errorf("check session database: %w", err)
	}
	if err := wholePages(path); err != nil {
		r.add(Problem{Kind: ProblemUnreadable, Text: err.Error()})
	}
	err = withSnapshot(path, func(path string, c *conn) error {
		if err := r.examine(ctx, path, c, progress); err != nil {
			return err
		}
		if done, err := commitsOf(c); err == nil {
			if lost := done.behind(acknowledged); lost != nil {
				r.add(Problem{Kind: ProblemLost, Text: lost.Error()})
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, memory.ErrCorrupt) {
		return nil, fmt.Errorf("check session database: %w", err)
	}
	if err != nil { // not even the schema can be read
		r.add(Problem{Kind: ProblemUnreadable, Text: err.Error()})
	}
	r.Sound = r.Found == 0
	return r, nil
}

// existing resolves the path of a database that must be there.
func existing(path string) (string, error) {
	path, err := resolve(path)
	if err != nil {
		return "", err
	}
	exists, err := examine(path)
	if err == nil && !exists {
		err = fmt.Errorf("%w: check the path", fs.ErrNotExist)
	}
	return path, err
}

// withSnapshot runs f on a connection that sees one moment of the file and cannot change it. Where
// SQLite cannot even read without writing beside the file (a read-only folder), it reads a copy.
func withSnapshot(path string, f func(path string, c *conn) error) error {
	read := func(path string) error {
		return withReader(path, func(c *conn) error { return f(path, c) })
	}
	err := read(path)
	if code := codeOf(err) & 0xff; code != sqlite3.SQLITE_CANTOPEN && code != sqlite3.SQLITE_READONLY {
		return err
	}
	dir, e := os.MkdirTemp("", "slotway-check-")
	if e != nil {
		return errors.Join(err, e)
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "copy.db")
	if CopyFiles(path, to) != nil {
		return err // the first error says more
	}
	return read(to)
}

// CopyFiles copies a database and its log as they lie there, to names that are free. No process may write meanwhile.
func CopyFiles(from, to string) error {
	if err := copyFile(from, to); err != nil {
		return err
	}
	if err := copyFile(from+"-wal", to+"-wal"); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func withReader(path string, f func(*conn) error) (err error) {
	name, err := dataSource(path, nil)
	if err != nil {
		return err
	}
	c, err := openName(name, sqlite.OpenReadOnly, busyPragma(defaultBusy), "query_only(1)", "trusted_schema(0)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return explain(c.read(func() error {
		if err := c.query(`SELECT count(*) FROM sqlite_schema`, func([]any) error { return nil }); err != nil {
			return err
		}
		return f(c)
	}))
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, durable.Sync(out), out.Close())
}

// examine checks the file behind a connection.
func (r *Report) examine(ctx context.Context, path string, c *conn, progress Progress) error {
	if err := r.versions(ctx, path, c); err != nil {
		return err
	}
	if err := r.schema(c); err != nil {
		return err
	}
	if err := c.query(`PRAGMA integrity_check(100)`, func(row []any) error {
		if text := asText(row[0]); text != "ok" {
			r.add(Problem{Kind: ProblemIntegrity, Text: text})
		}
		return ctx.Err()
	}); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.unreadable("", err)
	}
	if err := r.tables(ctx, c, progress); err != nil {
		return err
	}
	r.relations(c)
	return ctx.Err()
}

// unreadable notes an error of the driver in the place of rows.
func (r *Report) unreadable(table string, err error) {
	r.add(Problem{Kind: ProblemUnreadable, Table: table, Text: explain(err).Error()})
}
