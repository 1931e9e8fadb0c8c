package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// Errors about the file itself.
var (
	// ErrNotDatabase: the file is no SQLite database.
	ErrNotDatabase = errors.New("file is not a SQLite database")
	// ErrForeign: it is a database of another program.
	ErrForeign = errors.New("database belongs to another program")
	// ErrNewer: it was written by a newer release, with a schema unknown here.
	ErrNewer = errors.New("database has a newer schema than this program knows")
	// ErrLost: the file is empty, or missing beside its write-ahead log. A new database never takes
	// its place by itself: that would silently forget everything.
	ErrLost = errors.New("content of the database is gone")
	// ErrInUse: another process has the database open.
	ErrInUse = errors.New("another process has the database open")
	// ErrExists: the file of a backup is there already.
	ErrExists = errors.New("file exists already")
	// ErrDamaged: a check found damage; its report says what.
	ErrDamaged = errors.New("database is damaged")
)

// remedy says what an error of the driver means and what the operator can do about it.
type remedy struct {
	sentinel error
	text     string
}

// A backup is older than the turns that were acknowledged since: no text names it as the first
// thing to do.
const (
	textKeep = "stop the service; 'slotway db backup FILE' saves all that can be read, 'slotway db restore FILE' goes on with it " +
		"and keeps what it replaces under a dated name; an older backup lacks every turn since it was made"
	textKeepRows = "stop the service; save what can be read with 'slotway sessions export' first; then 'slotway db restore FILE' " +
		"goes on with a backup and keeps what it replaces under a dated name; the backup lacks every turn since it was made: import those again"
	textCorrupt = "run 'slotway db check', which says what is damaged and how to keep what can still be read"
	textSchema  = "the tables are not those of this release; " + textCorrupt
	textDisk    = "the disk reports an error; check the disk, and the limit on the size of files (ulimit -f), then try again"
)

// remedies are known by result code (https://www.sqlite.org/rescode.html): by the extended
// one where that says more, else by the primary one.
var remedies = map[int]remedy{
	sqlite3.SQLITE_BUSY:     {memory.ErrUnavailable, "another process holds the database; try again, or stop the other process"},
	sqlite3.SQLITE_LOCKED:   {memory.ErrUnavailable, "the database is locked; try again"},
	sqlite3.SQLITE_PROTOCOL: {memory.ErrUnavailable, "other processes keep the database locked; try again"},
	sqlite3.SQLITE_FULL:     {memory.ErrUnavailable, "the disk is full; make room and try again"},
	sqlite3.SQLITE_READONLY: {memory.ErrUnavailable, "the database is read-only; check the permissions of the file and its folder, and how the disk is mounted"},
	sqlite3.SQLITE_PERM:     {memory.ErrUnavailable, "access is refused; check the permissions of the file and its folder"},
	sqlite3.SQLITE_AUTH:     {memory.ErrUnavailable, "access is refused; check the permissions of the file and its folder"},
	sqlite3.SQLITE_CANTOPEN: {memory.ErrUnavailable, "the file cannot be opened; check the path and the permissions of the file and its folder"},
	sqlite3.SQLITE_IOERR:    {memory.ErrUnavailable, textDisk},
	sqlite3.SQLITE_NOMEM:    {memory.ErrUnavailable, "memory is exhausted; give the process more, then try again"},
	sqlite3.SQLITE_NOLFS:    {memory.ErrUnavailable, "the file system takes no file of this size; move the database to another"},
	sqlite3.SQLITE_CORRUPT:  {memory.ErrCorrupt, textCorrupt},
	sqlite3.SQLITE_NOTADB:   {ErrNotDatabase, "choose another path, or restore a backup"},
	sqlite3.SQLITE_FORMAT:   {ErrNotDatabase, "choose another path, or restore a backup"},
	// Every statement is a constant that fits the schema: when one does not, the schema is at fault.
	sqlite3.SQLITE_ERROR:      {memory.ErrCorrupt, textSchema},
	sqlite3.SQLITE_SCHEMA:     {memory.ErrCorrupt, textSchema},
	sqlite3.SQLITE_MISMATCH:   {memory.ErrCorrupt, textSchema},
	sqlite3.SQLITE_CONSTRAINT: {memory.ErrCorrupt, "stored rows contradict each other; " + textCorrupt},
	sqlite3.SQLITE_TOOBIG:     {memory.ErrCorrupt, "a stored length cannot be right; " + textCorrupt},

	sqlite3.SQLITE_READONLY_DBMOVED: {memory.ErrUnavailable, "the file was moved or replaced while it was open; start the program again"},
	sqlite3.SQLITE_IOERR_SHMSIZE:    {memory.ErrUnavailable, "the -shm file cannot grow; make room on the disk and try again"},
	sqlite3.SQLITE_IOERR_NOMEM:      {memory.ErrUnavailable, "memory is exhausted; give the process more, then try again"},
	sqlite3.SQLITE_IOERR_SHORT_READ: {memory.ErrCorrupt, "the file is shorter than it should be; " + textCorrupt},
	sqlite3.SQLITE_IOERR_DATA:       {memory.ErrCorrupt, textCorrupt},
	sqlite3.SQLITE_IOERR_CORRUPTFS:  {memory.ErrCorrupt, "the file system is damaged; check the disk first; then " + textCorrupt},
}

// codeOf is SQLite's result code of an error; 0: it is none of SQLite's.
func codeOf(err error) int {
	var own *failure
	if errors.As(err, &own) {
		return own.code
	}
	var pool *sqlite.Error // of a migration
	if errors.As(err, &pool) {
		return pool.Code()
	}
	return sqlite3.SQLITE_OK
}

// explain turns a driver's error into a sentinel with a remedy. The driver's own text holds names
// of tables and columns, no values. Errors that are explained already stay as they are.
func explain(err error) error {
	if err == nil {
		return nil
	}
	var known *explained
	code := codeOf(err)
	if code == sqlite3.SQLITE_OK || errors.As(err, &known) {
		return err
	}
	r, ok := remedies[code]
	if !ok {
		r, ok = remedies[code&0xff]
	}
	if !ok {
		return err
	}
	if code&0xff == sqlite3.SQLITE_CANTOPEN {
		r.text = cmp.Or(durable.TooManyOpen(), r.text)
	}
	return &explained{r, err}
}

// explained is a driver's error with its remedy.
type explained struct {
	remedy
	driver error
}

// Error implements error.
func (e *explained) Error() string { return fmt.Sprintf("%v: %s: %v", e.sentinel, e.text, e.driver) }

// Unwrap lets errors.Is find the sentinel and the driver's error.
func (e *explained) Unwrap() []error { return []error{e.sentinel, e.driver} }

// duplicateIn names the table of a row whose key is there already, or "".
func duplicateIn(err error) string {
	if code := codeOf(err); code != sqlite3.SQLITE_CONSTRAINT_UNIQUE && code != sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY {
		return ""
	}
	text := err.Error() // "... UNIQUE constraint failed: turns.session, turns.turn (1555)"
	table, _, _ := strings.Cut(text[strings.LastIndex(text, "failed: ")+len("failed: "):], ".")
	return table
}
