package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"net/url"
	"path/filepath"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// conn is one connection with statements that are prepared once. It is used by one goroutine at a
// time, so SQLite takes no locks for it. It calls the library past its driver for database/sql, which
// allocates for each argument and for the names and types of all columns of each query: about a
// hundred objects a turn. A statement never gets a caller's context, because interrupting one
// statement rolls back the whole transaction of the group.
type conn struct {
	tls   *libc.TLS
	db    uintptr
	stmts map[string]*stmt
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
	name, err := dataSource(path, nil)
	if err != nil {
		return nil, err
	}
	return openName(name, pragmas...)
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

// openName opens a data source name and runs PRAGMAs.
func openName(name string, pragmas ...string) (*conn, error) {
	source, err := libc.CString(name)
	if err != nil {
		return nil, err
	}
	c := &conn{tls: libc.NewTLS(), stmts: map[string]*stmt{}}
	defer libc.Xfree(c.tls, source)
	at, value := c.place()
	defer c.tls.Free(int(unsafe.Sizeof(at)))
	const flags = sqlite3.SQLITE_OPEN_READWRITE | sqlite3.SQLITE_OPEN_CREATE | sqlite3.SQLITE_OPEN_NOMUTEX | sqlite3.SQLITE_OPEN_URI
	code := sqlite3.Xsqlite3_open_v2(c.tls, source, at, flags, 0)
	if c.db = value(); code != sqlite3.SQLITE_OK { // there is a handle even then
		return nil, errors.Join(explain(c.fault(code)), c.close())
	}
	sqlite3.Xsqlite3_extended_result_codes(c.tls, c.db, 1)
	for _, pragma := range pragmas {
		if err := c.once("PRAGMA " + pragma); err != nil {
			return nil, errors.Join(explain(err), c.close())
		}
	}
	return c, nil
}

// once runs a statement that is not kept.
func (c *conn) once(text string) error {
	s, err := c.prepare(text)
	if err != nil {
		return err
	}
	defer s.close()
	for more := true; more && err == nil; {
		more, err = s.step()
	}
	return err
}

// prepared returns the statement for a text; texts are constants, so the map is bounded.
func (c *conn) prepared(text string) (*stmt, error) {
	if s := c.stmts[text]; s != nil {
		return s, nil
	}
	s, err := c.prepare(text)
	if err != nil {
		return nil, err
	}
	c.stmts[text] = s
	return s, nil
}

// exec runs a statement and returns how many rows it changed. Arguments are int64,
// string, []byte or nil.
func (c *conn) exec(text string, args ...driver.Value) (int64, error) {
	if err := c.run(text, args); err != nil {
		return 0, err
	}
	return int64(sqlite3.Xsqlite3_changes(c.tls, c.db)), nil
}

// insert is exec that returns the new row's id; 0: no row was added.
func (c *conn) insert(text string, args ...driver.Value) (int64, error) {
	if err := c.run(text, args); err != nil || sqlite3.Xsqlite3_changes(c.tls, c.db) == 0 {
		return 0, err
	}
	return sqlite3.Xsqlite3_last_insert_rowid(c.tls, c.db), nil
}

func (c *conn) run(text string, args []driver.Value) error {
	s, err := c.prepared(text)
	if err != nil {
		return err
	}
	defer s.reset()
	if err := s.bind(args); err != nil {
		return err
	}
	for more := true; more && err == nil; {
		more, err = s.step()
	}
	return err
}

// query calls each for every row. The row is valid until each returns; strings in it may
// be kept.
func (c *conn) query(text string, each func(row []driver.Value) error, args ...driver.Value) error {
	s, err := c.prepared(text)
	if err != nil {
		return err
	}
	defer s.reset()
	if err := s.bind(args); err != nil {
		return err
	}
	for {
		if more, err := s.step(); err != nil || !more {
			return err
		}
		s.scan()
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
	const both = 2 * 4 // the counter and its highest value, which this one does not have
	at := c.tls.Alloc(both)
	defer c.tls.Free(both)
	if sqlite3.Xsqlite3_db_status(c.tls, c.db, sqlite3.SQLITE_DBSTATUS_CACHE_WRITE, at, at+4, 1) != sqlite3.SQLITE_OK {
		return 0 // only an unknown counter fails
	}
	return int(binary.NativeEndian.Uint32(view(at, both)))
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		s.close()
	}
	var err error
	if code := sqlite3.Xsqlite3_close_v2(c.tls, c.db); code != sqlite3.SQLITE_OK {
		err = c.fault(code)
	}
	c.tls.Close()
	return err
}

func asInt(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func asText(v driver.Value) string {
	s, _ := v.(string)
	return s
}
