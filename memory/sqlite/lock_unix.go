//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/slotway/slotway/memory"
)

// writable asks whether this process may write a file or a folder, without opening it:
// SQLite opens what it may only read and says so at the first commit.
func writable(path string) error {
	const write = 2 // W_OK of access(2)
	return syscall.Access(path, write)
}

// likewise gives a file the owner and the mode of the one whose place it takes: who restores
// may be another user than who serves. Without the right to, it stays the restorer's.
func likewise(name string, like os.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(name, int(stat.Uid), int(stat.Gid))
	}
	_ = os.Chmod(name, like.Mode().Perm())
}

// The bytes of a file that SQLite locks (https://www.sqlite.org/fileformat2.html#the_lock_byte_page):
// every process that has the database open in WAL mode holds a shared lock on some of them.
const (
	lockStart = 0x40000000
	lockBytes = 512
)

// lock keeps other processes from opening a database, whatever its content. A nil lock is
// of a file that does not exist.
type lock struct{ file *os.File }

// hold takes the lock. ErrInUse: another process has the database open.
func hold(path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: check the permissions of the file: %w", memory.ErrUnavailable, err)
	}
	whole := syscall.Flock_t{Type: syscall.F_WRLCK, Start: lockStart, Len: lockBytes}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &whole)
	if err == nil {
		return &lock{f}, nil
	}
	if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES) {
		return nil, errors.Join(fmt.Errorf("%w: lock the file: %w", memory.ErrUnavailable, err), f.Close())
	}
	holder := syscall.Flock_t{Type: syscall.F_WRLCK, Start: lockStart, Len: lockBytes}
	if e := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &holder); e == nil && holder.Type != syscall.F_UNLCK && holder.Pid > 0 {
		return nil, errors.Join(fmt.Errorf("%w: process %d; stop it and try again", ErrInUse, holder.Pid), f.Close())
	}
	return nil, errors.Join(fmt.Errorf("%w; stop it and try again", ErrInUse), f.Close())
}

// lockWhole locks a file for this process; the lock ends with it.
func lockWhole(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

func (l *lock) release() {
	if l != nil {
		_ = l.file.Close() // which releases the lock
	}
}
