package sqlite

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// conn is one connection with statements that are prepared once. It is used by one goroutine at a time.
// It is not one of database/sql, whose rows name and box every column and whose pool asks for a lock at
// each statement. A statement is never interrupted, because that rolls back the whole transaction of the group.
type conn struct {
	driver *sqlite.Conn
	stmts  map[string]*sqlite.Stmt // by the text as the store has it
}

// failure is an error of the driver.
type failure struct {
	code int // SQLite's result code
	err  error
}

func failed(err error) error {
	if err == nil {
		return nil
	}
	return &failure{int(sqlite.ErrCode(err)), err}
}

// Error implements error.
func (f *failure) Error() string { return fmt.Sprintf("%v (%d)", f.err, f.code) }

// dataSource names the file with parameters for SQLite.
func dataSource(path string, params url.Values) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: params.Encode()}
	return u.String(), nil
}

func openConn(path string, pragmas ...string) (*conn, error) {
	name, err := dataSource(path, nil)
	if err != nil {
		return nil, err
	}
	return openName(name, sqlite.OpenReadWrite|sqlite.OpenCreate, pragmas...)
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

func openName(name string, flags sqlite.OpenFlags, pragmas ...string) (*conn, error) {
	opened, err := sqlite.OpenConn(name, flags|sqlite.OpenURI)
	if err != nil {
		return nil, explain(failed(err))
	}
	opened.SetBusyTimeout(0) // unless a pragma says otherwise
	c := &conn{driver: opened, stmts: map[string]*sqlite.Stmt{}}
	for _, pragma := range pragmas {
		if err := c.exec("PRAGMA " + pragma); err != nil {
			return nil, errors.Join(explain(err), c.close())
		}
	}
	return c, nil
}

// prepared returns the statement for a text of the store; texts are few.
func (c *conn) prepared(text string) (*sqlite.Stmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	s, err := c.transient(sqlstore.Plain(text))
	if err == nil {
		c.stmts[text] = s
	}
	return s, err
}

func (c *conn) transient(text string) (*sqlite.Stmt, error) {
	s, rest, err := c.driver.PrepareTransient(text)
	if err == nil && strings.TrimSpace(text[len(text)-rest:]) != "" {
		err = errors.Join(errors.New("more than one statement"), s.Finalize())
	}
	return s, failed(err)
}

// bind sets the parameters of a statement.
func bind(s *sqlite.Stmt, args []any) {
	for i, v := range args {
		switch v := v.(type) {
		case int64:
			s.BindInt64(i+1, v)
		case int:
			s.BindInt64(i+1, int64(v))
		case bool:
			s.BindBool(i+1, v)
		case string:
			s.BindText(i+1, v)
		case []byte:
			s.BindBytes(i+1, v)
		}
	}
}

// do runs a statement without parameters that is kept, such as the ends of a transaction.
func (c *conn) do(text string) error {
	s, err := c.prepared(text)
	if err != nil {
		return err
	}
	return c.each(s, nil)
}

// exec runs statements that are not kept.
func (c *conn) exec(text string) error {
	for strings.TrimSpace(text) != "" {
		s, rest, err := c.driver.PrepareTransient(text)
		if err != nil {
			return failed(err)
		}
		text = text[len(text)-rest:]
		if err := errors.Join(c.each(s, nil), failed(s.Finalize())); err != nil {
			return err
		}
	}
	return nil
}

// each steps through a statement and leaves it ready for the next time.
func (c *conn) each(s *sqlite.Stmt, row func() error) error {
	for {
		more, err := s.Step()
		if err != nil {
			return failed(err) // which has reset it
		}
		if more && row != nil {
			err = row()
		}
		if !more || err != nil {
			return errors.Join(err, failed(s.Reset()))
		}
	}
}

// run runs a query of the store, and reports whether it has changed anything.
func (c *conn) run(q *sqlstore.Query) (wrote bool, err error) {
	s, err := c.prepared(q.Text)
	if err != nil {
		return false, err
	}
	bind(s, q.Args)
	if strings.HasPrefix(q.Text, "SELECT") {
		return false, c.rows(s, q)
	}
	if err := c.each(s, nil); err != nil {
		if table := duplicateIn(err); table != "" {
			return false, &sqlstore.Duplicate{Table: table}
		}
		return false, err
	}
	n := c.driver.Changes()
	if n == 0 && q.Must != nil {
		return false, q.Must
	}
	if q.Done != nil {
		q.Done(int64(n))
	}
	return n > 0, nil
}

// rows calls q.Row for every row.
func (c *conn) rows(s *sqlite.Stmt, q *sqlstore.Query) error {
	found := false
	err := c.each(s, func() error {
		found = true
		if q.Row == nil {
			return nil
		}
		return q.Row(func(into ...any) error { return scan(s, into) })
	})
	if err == nil && !found {
		err = q.Must
	}
	return err
}

// errColumn: a column holds what its table does not allow.
var errColumn = fmt.Errorf("%w: %s", memory.ErrCorrupt, textSchema)

// scan copies a row.
func scan(s *sqlite.Stmt, into []any) error {
	if s.ColumnCount() != len(into) {
		return errColumn
	}
	for i, to := range into {
		isNumber := s.ColumnType(i) == sqlite.TypeInteger
		switch to := to.(type) {
		case *int64:
			*to = s.ColumnInt64(i)
		case *int:
			*to = s.ColumnInt(i)
		case *bool:
			*to = s.ColumnBool(i)
		case *string:
			*to, isNumber = s.ColumnText(i), !isNumber
		case *[]byte:
			*to, isNumber = column(s, i), !isNumber
		case *any:
			*to, isNumber = s.ColumnInt64(i), true
		}
		if !isNumber {
			return errColumn
		}
	}
	return nil
}

// column copies the bytes of a column.
func column(s *sqlite.Stmt, i int) []byte {
	n := s.ColumnLen(i)
	if n == 0 {
		return nil
	}
	bytes := make([]byte, n)
	s.ColumnBytes(i, bytes)
	return bytes
}

// query calls each for every row; numbers in it are int64, else they are texts or bytes.
func (c *conn) query(text string, each func(row []any) error, args ...any) error {
	s, err := c.transient(text)
	if err != nil {
		return err
	}
	bind(s, args)
	err = c.each(s, func() error {
		row := make([]any, s.ColumnCount())
		for i := range row {
			switch s.ColumnType(i) {
			case sqlite.TypeInteger:
				row[i] = s.ColumnInt64(i)
			case sqlite.TypeText:
				row[i] = s.ColumnText(i)
			case sqlite.TypeBlob:
				row[i] = column(s, i)
			}
		}
		return each(row)
	})
	return errors.Join(err, failed(s.Finalize()))
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
func (c *conn) copyTo(path string, step func(b *sqlite.Backup) (more bool, err error)) (err error) {
	to, err := openConn(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	b, err := sqlite.NewBackup(to.driver, "main", c.driver, "main")
	if err != nil {
		return failed(err)
	}
	for more := true; more && err == nil; {
		more, err = step(b)
	}
	return errors.Join(err, failed(b.Close()))
}

// close may be called twice.
func (c *conn) close() error {
	if c.driver == nil {
		return nil
	}
	for _, s := range c.stmts {
		_ = s.Finalize() // the connection ends
	}
	opened := c.driver
	c.driver = nil
	return failed(opened.Close())
}

func asInt(v any) int64 {
	n, _ := v.(int64)
	return n
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}
