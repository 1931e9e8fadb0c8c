package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// conn is one connection of the driver with statements that are prepared once. It is
// used by one goroutine at a time. Going past database/sql saves its pool and its
// conversions; a statement never gets a caller's context, because interrupting one
// statement rolls back the whole transaction of the group.
type conn struct {
	raw   driver.Conn
	stmts map[string]*stmt
}

// stmt is a prepared statement with buffers for its arguments and its row.
type stmt struct {
	raw  driver.Stmt
	args []driver.NamedValue
	row  []driver.Value
}

// dataSource names the file with PRAGMAs that the driver runs on opening.
func dataSource(path string, params url.Values) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: params.Encode()}
	return u.String(), nil
}

func openConn(path string, pragmas ...string) (*conn, error) {
	name, err := dataSource(path, url.Values{"_pragma": pragmas})
	if err != nil {
		return nil, err
	}
	return openName(name)
}

// openWAL opens a file that may not be in WAL mode yet and puts it there. SQLite does not wait
// when two connections do that at once: the reader that wants to write gets SQLITE_BUSY at once,
// whatever the busy timeout is (https://www.sqlite.org/c3ref/busy_handler.html). So we try again.
func openWAL(path string, patience time.Duration, pragmas ...string) (*conn, error) {
	for end := time.Now().Add(patience); ; time.Sleep(busyPause) {
		c, err := openConn(path, pragmas...)
		var driver *sqlite.Error
		if !errors.As(err, &driver) || driver.Code()&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return c, err
		}
	}
}

// busyPause lies between two tries of openWAL.
const busyPause = 5 * time.Millisecond

// openName opens a data source name.
func openName(name string) (*conn, error) {
	raw, err := (&sqlite.Driver{}).Open(name)
	if err != nil {
		return nil, explain(err)
	}
	return &conn{raw: raw, stmts: map[string]*stmt{}}, nil
}

// prepared returns the statement for a text; texts are constants, so the map is bounded.
func (c *conn) prepared(text string) (*stmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	raw, err := c.raw.Prepare(text)
	if err != nil {
		return nil, err
	}
	s := &stmt{raw: raw}
	c.stmts[text] = s
	return s, nil
}

func (s *stmt) bind(args []driver.Value) []driver.NamedValue {
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return s.args
}

// exec runs a statement and returns how many rows it changed. Arguments are int64,
// string, []byte or nil.
func (c *conn) exec(text string, args ...driver.Value) (int64, error) {
	result, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert is exec that returns the new row's id.
func (c *conn) insert(text string, args ...driver.Value) (int64, error) {
	result, err := c.run(text, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (c *conn) run(text string, args []driver.Value) (driver.Result, error) {
	s, err := c.prepared(text)
	if err != nil {
		return nil, err
	}
	return s.raw.(driver.StmtExecContext).ExecContext(context.Background(), s.bind(args))
}

// query calls each for every row. The row is valid until each returns; strings in it may
// be kept.
func (c *conn) query(text string, each func(row []driver.Value) error, args ...driver.Value) (err error) {
	s, err := c.prepared(text)
	if err != nil {
		return err
	}
	rows, err := s.raw.(driver.StmtQueryContext).QueryContext(context.Background(), s.bind(args))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if s.row == nil {
		s.row = make([]driver.Value, len(rows.Columns()))
	}
	for {
		switch err := rows.Next(s.row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := each(s.row); err != nil {
			return err
		}
	}
}

// read runs f in a read transaction, so that all its queries see one moment.
func (c *conn) read(f func() error) (err error) {
	if _, err := c.exec("BEGIN"); err != nil {
		return err
	}
	defer func() {
		if _, e := c.exec("COMMIT"); e != nil {
			err = errors.Join(err, e)
			_, _ = c.exec("ROLLBACK") // nothing was written; this only ends the transaction
		}
	}()
	return f()
}

// pagesWritten returns how many pages went to the WAL since it was asked last.
func (c *conn) pagesWritten() int {
	n, _, err := c.raw.(sqlite.DBStatus).Status(sqlite.DBStatusCacheWrite, true)
	if err != nil {
		return 0 // only an unknown counter fails
	}
	return n
}

func (c *conn) close() error { return errors.Join(c.closeStatements(), c.raw.Close()) }

func (c *conn) closeStatements() error {
	var all []error
	for _, s := range c.stmts {
		all = append(all, s.raw.Close())
	}
	return errors.Join(all...)
}

func asInt(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func asText(v driver.Value) string {
	s, _ := v.(string)
	return s
}
