package sqlite

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pageCopy copies the pages of one connection's database over those of another
// (https://www.sqlite.org/c3ref/backup_finish.html).
type pageCopy struct {
	to     *conn
	handle uintptr
}

// copyOf begins to copy what another connection sees.
func (c *conn) copyOf(from *conn) (*pageCopy, error) {
	name, err := libc.CString("main")
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	p := &pageCopy{to: c, handle: sqlite3.Xsqlite3_backup_init(c.tls, c.db, name, from.db, name)}
	if p.handle == 0 {
		return nil, c.fault(sqlite3.Xsqlite3_errcode(c.tls, c.db))
	}
	return p, nil
}

// step copies some pages and reports whether there are more.
func (p *pageCopy) step(pages int32) (more bool, err error) {
	switch code := sqlite3.Xsqlite3_backup_step(p.to.tls, p.handle, pages); code {
	case sqlite3.SQLITE_OK:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, p.to.fault(code)
	}
}

// progress returns how many pages are copied, and of how many.
func (p *pageCopy) progress() (done, total int64) {
	total = int64(sqlite3.Xsqlite3_backup_pagecount(p.to.tls, p.handle))
	return total - int64(sqlite3.Xsqlite3_backup_remaining(p.to.tls, p.handle)), total
}

func (p *pageCopy) finish() error {
	if code := sqlite3.Xsqlite3_backup_finish(p.to.tls, p.handle); code != sqlite3.SQLITE_OK {
		return p.to.fault(code)
	}
	return nil
}
