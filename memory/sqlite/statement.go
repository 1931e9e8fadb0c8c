package sqlite

import (
	"database/sql/driver"
	"fmt"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// stmt is a prepared statement. It copies the texts of its arguments into memory of SQLite's, which
// it keeps for the next run.
type stmt struct {
	c      *conn
	handle uintptr
	params int
	row    []driver.Value

	texts uintptr
	size  int // of texts
}

// view makes memory of SQLite's readable and writable for Go. The detour keeps the address from
// being taken for one of Go's own.
func view(address uintptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), n)
}

// place is a word of SQLite's memory for what a function returns through a pointer.
func (c *conn) place() (address uintptr, value func() uintptr) {
	address = c.tls.Alloc(int(unsafe.Sizeof(uintptr(0))))
	return address, func() uintptr {
		return **(**uintptr)(unsafe.Pointer(&address))
	}
}

func (c *conn) prepare(text string) (*stmt, error) {
	source, err := libc.CString(text)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, source)
	at, value := c.place()
	defer c.tls.Free(int(unsafe.Sizeof(at)))
	if code := sqlite3.Xsqlite3_prepare_v3(c.tls, c.db, source, -1, sqlite3.SQLITE_PREPARE_PERSISTENT, at, 0); code != sqlite3.SQLITE_OK {
		return nil, c.fault(code)
	}
	s := &stmt{c: c, handle: value()}
	s.params = int(sqlite3.Xsqlite3_bind_parameter_count(c.tls, s.handle))
	s.row = make([]driver.Value, sqlite3.Xsqlite3_column_count(c.tls, s.handle))
	return s, s.reserve(256)
}

// reserve makes room for texts.
func (s *stmt) reserve(n int) error {
	if n <= s.size {
		return nil
	}
	libc.Xfree(s.c.tls, s.texts)
	s.texts, s.size = libc.Xmalloc(s.c.tls, libc.Tsize_t(2*n)), 2*n
	if s.texts == 0 {
		s.size = 0
		return s.c.fault(sqlite3.SQLITE_NOMEM)
	}
	return nil
}

// lengthOf is how many bytes a text has; other arguments have none.
func lengthOf(arg driver.Value) int {
	switch v := arg.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 0
}

// bind sets all arguments: int64, string, []byte or nil.
func (s *stmt) bind(args []driver.Value) error {
	if len(args) != s.params {
		return fmt.Errorf("a statement takes %d arguments, not %d", s.params, len(args))
	}
	need := 0
	for _, arg := range args {
		need += lengthOf(arg)
	}
	if err := s.reserve(need); err != nil {
		return err
	}
	free := view(s.texts, s.size)
	at := s.texts
	for i, arg := range args {
		var code int32
		n, tls, number := lengthOf(arg), s.c.tls, int32(i+1)
		switch v := arg.(type) {
		case nil:
			code = sqlite3.Xsqlite3_bind_null(tls, s.handle, number)
		case int64:
			code = sqlite3.Xsqlite3_bind_int64(tls, s.handle, number, v)
		case string:
			copy(free, v)
			code = sqlite3.Xsqlite3_bind_text(tls, s.handle, number, at, int32(n), sqlite3.SQLITE_STATIC)
		case []byte:
			copy(free, v)
			code = sqlite3.Xsqlite3_bind_blob(tls, s.handle, number, at, int32(n), sqlite3.SQLITE_STATIC)
		default:
			return fmt.Errorf("argument %d of a statement has a type that SQLite does not know", i+1) // to name it would move all arguments to the heap
		}
		if code != sqlite3.SQLITE_OK {
			return s.c.fault(code)
		}
		free, at = free[n:], at+uintptr(n)
	}
	return nil
}

// step runs the statement up to its next row and reports whether there is one.
func (s *stmt) step() (row bool, err error) {
	switch code := sqlite3.Xsqlite3_step(s.c.tls, s.handle); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.c.fault(code)
	}
}

// reset ends a run. It returns the error of the run again, which is known.
func (s *stmt) reset() { sqlite3.Xsqlite3_reset(s.c.tls, s.handle) }

// scan copies the values of a row.
func (s *stmt) scan() {
	tls := s.c.tls
	for i := range s.row {
		column := int32(i)
		switch sqlite3.Xsqlite3_column_type(tls, s.handle, column) {
		case sqlite3.SQLITE_INTEGER:
			s.row[i] = sqlite3.Xsqlite3_column_int64(tls, s.handle, column)
		case sqlite3.SQLITE_FLOAT:
			s.row[i] = sqlite3.Xsqlite3_column_double(tls, s.handle, column)
		case sqlite3.SQLITE_TEXT:
			text := sqlite3.Xsqlite3_column_text(tls, s.handle, column)
			s.row[i] = string(view(text, int(sqlite3.Xsqlite3_column_bytes(tls, s.handle, column))))
		case sqlite3.SQLITE_BLOB:
			data := sqlite3.Xsqlite3_column_blob(tls, s.handle, column)
			s.row[i] = append([]byte{}, view(data, int(sqlite3.Xsqlite3_column_bytes(tls, s.handle, column)))...)
		default:
			s.row[i] = nil
		}
	}
}

func (s *stmt) close() {
	sqlite3.Xsqlite3_finalize(s.c.tls, s.handle)
	libc.Xfree(s.c.tls, s.texts)
}
