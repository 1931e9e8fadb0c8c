package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// conn is one connection with statements that are prepared once. It is used by one goroutine at a time.
// It is the driver's own, without the pool of database/sql, which starts a goroutine for each pool and
// asks for a lock at each statement. A statement never gets a caller's context, because interrupting one
// statement rolls back the whole transaction of the group.
type conn struct {
	driver driverConn
	stmts  map[string]driverStmt
	named  []driver.NamedValue // for reuse
}

// driverConn is what the driver's connection does.
type driverConn interface {
	driver.Conn
	driver.ExecerContext
	NewBackup(string) (*sqlite.Backup, error)
}

type driverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// always is the context of statements.
var always = context.Background()

// dataSource names the file with parameters for the driver.
func dataSource(path string, params url.Values) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: params.Encode()}
	return u.String(), nil
}

func openConn(path string, pragmas ...string) (*conn, error) {
	return openWith(path, url.Values{"_pragma": pragmas})
}

func openWith(path string, params url.Values) (*conn, error) {
	name, err := dataSource(path, params)
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
		if codeOf(err)&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return c, err
		}
	}
}

// busyPause lies between two tries of openWAL.
const busyPause = 5 * time.Millisecond

func openName(name string) (*conn, error) {
	opened, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, explain(err)
	}
	return &conn{driver: opened.(driverConn), stmts: map[string]driverStmt{}}, nil
}

// prepared returns the statement for a text; texts are few.
func (c *conn) prepared(text string) (driverStmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	s, err := c.driver.Prepare(text)
	if err != nil {
		return nil, err
	}
	c.stmts[text] = s.(driverStmt)
	return c.stmts[text], nil
}

// values numbers arguments. What it returns is valid until it is called again.
func (c *conn) values(args []any) []driver.NamedValue {
	c.named = c.named[:0]
	for i, v := range args {
		c.named = append(c.named, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return c.named
}

// do runs a statement without parameters that is kept, such as the ends of a transaction.
func (c *conn) do(text string) error {
	s, err := c.prepared(text)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(always, nil)
	return err
}

// exec runs statements that are not kept.
func (c *conn) exec(text string) error {
	_, err := c.driver.ExecContext(always, text, nil)
	return err
}

// run runs a query of the store, and reports whether it has changed anything.
func (c *conn) run(q *sqlstore.Query) (wrote bool, err error) {
	s, err := c.prepared(sqlstore.Plain(q.Text))
	if err != nil {
		return false, err
	}
	if strings.HasPrefix(q.Text, "SELECT") {
		return false, c.rows(s, q)
	}
	result, err := s.ExecContext(always, c.values(q.Args))
	if err != nil {
		if table := duplicateIn(err); table != "" {
			return false, &sqlstore.Duplicate{Table: table}
		}
		return false, err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return true, err
	}
	if n == 0 && q.Must != nil {
		return false, q.Must
	}
	if q.Done != nil {
		q.Done(n)
	}
	return n > 0, nil
}

// rows calls q.Row for every row.
func (c *conn) rows(s driverStmt, q *sqlstore.Query) (err error) {
	rows, err := s.QueryContext(always, c.values(q.Args))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for found := false; ; found = true {
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			if !found && q.Must != nil {
				return q.Must
			}
			return nil
		case err != nil:
			return err
		case q.Row == nil:
			continue
		}
		if err := q.Row(func(into ...any) error { return scan(row, into) }); err != nil {
			return err
		}
	}
}

// errColumn: a column holds what its table does not allow.
var errColumn = fmt.Errorf("%w: %s", memory.ErrCorrupt, textSchema)

// scan copies a row. Bytes are the driver's copies already.
func scan(row []driver.Value, into []any) error {
	if len(row) != len(into) {
		return errColumn
	}
	for i, v := range row {
		number, isNumber := v.(int64)
		switch to := into[i].(type) {
		case *int64:
			*to = number
		case *int:
			*to = int(number)
		case *bool:
			*to = number != 0
		case *string:
			*to, isNumber = asText(v), !isNumber
		case *[]byte:
			*to, _ = v.([]byte)
			isNumber = !isNumber
		case *any:
			*to, isNumber = v, true
		}
		if !isNumber {
			return errColumn
		}
	}
	return nil
}

// query calls each for every row. The row is valid until each returns; texts in it may be kept.
func (c *conn) query(text string, each func(row []driver.Value) error, args ...any) (err error) {
	s, err := c.driver.Prepare(text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	rows, err := s.(driverStmt).QueryContext(always, c.values(args))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(row); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := each(row); err != nil {
			return err
		}
	}
}

// read runs f in a read transaction, so that all its queries see one moment.
func (c *conn) read(f func() error) (err error) {
	if err := c.do("BEGIN"); err != nil {
		return err
	}
	defer func() {
		if e := c.do("COMMIT"); e != nil {
			err = errors.Join(err, e)
			_ = c.exec("ROLLBACK") // nothing was written; this only ends the transaction
		}
	}()
	return f()
}

// copyTo copies the pages that the connection sees over those of a file
// (https://www.sqlite.org/c3ref/backup_finish.html).
func (c *conn) copyTo(name string, step func(b *sqlite.Backup) (more bool, err error)) error {
	b, err := c.driver.NewBackup(name)
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		more, err = step(b)
	}
	return errors.Join(err, b.Finish())
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.Close() // the connection ends
	}
	return c.driver.Close()
}

func asInt(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func asText(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}
