package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/memory"
)

// Errors of Open and Migrate about the file itself.
var (
	// ErrNotDatabase: the file is no SQLite database.
	ErrNotDatabase = errors.New("file is not a SQLite database")
	// ErrForeign: it is a database of another program.
	ErrForeign = errors.New("database belongs to another program")
	// ErrNewer: it was written by a newer release, with a schema unknown here.
	ErrNewer = errors.New("database has a newer schema than this program knows")
)

// remedies gives, by primary result code (https://www.sqlite.org/rescode.html), the
// sentinel and what the operator can do.
var remedies = map[int]struct {
	sentinel error
	text     string
}{
	sqlite3.SQLITE_BUSY:     {memory.ErrUnavailable, "another process holds the database; try again, or stop the other process"},
	sqlite3.SQLITE_LOCKED:   {memory.ErrUnavailable, "the database is locked; try again"},
	sqlite3.SQLITE_FULL:     {memory.ErrUnavailable, "the disk is full; make room and try again"},
	sqlite3.SQLITE_READONLY: {memory.ErrUnavailable, "the database is read-only; check the permissions of the file and its folder"},
	sqlite3.SQLITE_PERM:     {memory.ErrUnavailable, "access is refused; check the permissions of the file and its folder"},
	sqlite3.SQLITE_CANTOPEN: {memory.ErrUnavailable, "the file cannot be opened; check the path and its permissions"},
	sqlite3.SQLITE_IOERR:    {memory.ErrUnavailable, "the disk reports an error; check the disk, then try again"},
	sqlite3.SQLITE_NOMEM:    {memory.ErrUnavailable, "memory is exhausted"},
	sqlite3.SQLITE_CORRUPT:  {memory.ErrCorrupt, "restore a backup, or export what can still be read"},
	sqlite3.SQLITE_NOTADB:   {ErrNotDatabase, "choose another path, or restore a backup"},
}

// explain turns a driver's error into a sentinel with a remedy. The driver's own text
// holds names of tables and columns, no values.
func explain(err error) error {
	if err == nil {
		return nil
	}
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return err
	}
	r, ok := remedies[driver.Code()&0xff]
	if !ok {
		return err
	}
	return fmt.Errorf("%w: %s: %w", r.sentinel, r.text, err)
}

// isUnique reports a violated UNIQUE constraint.
func isUnique(err error) bool {
	var driver *sqlite.Error
	return errors.As(err, &driver) && driver.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
