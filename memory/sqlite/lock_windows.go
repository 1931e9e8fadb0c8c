//go:build windows

package sqlite

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"

	"github.com/slotway/slotway/memory"
)

// writable is left to SQLite here.
func writable(string) error { return nil }

// likewise is left to the folder here.
func likewise(string, os.FileInfo) {}

// lock is a database opened for nobody else. A nil lock is of a file that does not exist,
// or that is no database; a file that somebody has open cannot be renamed here.
type lock struct{}

// hold takes the lock. ErrInUse: another process has the database open.
func hold(path string) (*lock, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c, err := openConn(path, "busy_timeout(0)", "locking_mode(EXCLUSIVE)")
	if err != nil {
		return nil, nil
	}
	if err := c.query("PRAGMA user_version", func([]any) error { return nil }); errors.Is(explain(err), memory.ErrUnavailable) {
		return nil, errors.Join(ErrInUse, err, c.close())
	}
	_ = c.close() // an open file cannot be renamed
	return nil, nil
}

// lockWhole locks a byte of a file far behind its content; the lock ends with this process.
func lockWhole(f *os.File) error {
	far := &windows.Overlapped{Offset: lockStart}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, far)
}

const lockStart = 0x40000000

func (l *lock) release() {}
