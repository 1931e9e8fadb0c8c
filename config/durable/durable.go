// Package durable puts files in place so that a power cut leaves the old one or the new one:
// never half of it, and never the old one once the caller was told of the new. Three things must
// reach the disk for that, and each has its own sync: the content of a file, the name that it has
// in its folder, and the folder's own name in the one above, where that is new.
package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// WriteFile makes the file at path anew of what write puts out. Only the owner can read it; a
// file that is replaced hands its mode on. Links are followed. The new content is written
// beside the file under a name that nobody else has, so what an earlier process has left
// behind is never in the way. After an error the file is as it was, unless the error is of the
// very last step: then either may be there after a power cut.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // renamed already, or of no use
		}
	}()
	if old, e := os.Stat(path); e == nil {
		_ = f.Chmod(old.Mode().Perm()) // where it cannot be, it stays with its owner
	}
	err = write(f)
	if err = errors.Join(err, Sync(f), f.Close()); err != nil {
		return err
	}
	return Rename(f.Name(), path)
}

// Rename gives a synced file the name to, in place of whatever had it, and syncs the name. Both
// names are of one folder.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncName(to)
}

// Place gives a synced file the name to unless there is a file of that name (fs.ErrExist), and
// syncs the name, whoever gave it. Whether the file keeps its first name depends on the file
// system.
func Place(from, to string) error {
	err := os.Link(from, to)
	if err != nil && !errors.Is(err, fs.ErrExist) { // no links here
		if _, e := os.Lstat(to); !errors.Is(e, fs.ErrNotExist) {
			err = fs.ErrExist
		} else {
			err = os.Rename(from, to)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if e := syncName(to); e != nil {
		return e
	}
	return err
}

// syncName syncs the folder of a file, and the name of that folder: somebody may have made it
// a moment ago.
func syncName(path string) error {
	dir := filepath.Dir(path)
	return errors.Join(SyncFolder(dir), syncMade(dir))
}

// syncMade syncs the name of a folder that was there. One above it that this process may not
// read has been there for longer.
func syncMade(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err = SyncFolder(filepath.Dir(dir)); errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// MkdirAll is os.MkdirAll whose folders survive a power cut, with all that is synced in them.
func MkdirAll(dir string, mode fs.FileMode) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	var missing []string
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, at)
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return err
	}
	for _, made := range missing {
		if err := SyncFolder(filepath.Dir(made)); err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return syncMade(dir)
	}
	return syncMade(filepath.Dir(missing[len(missing)-1]))
}

// Sync writes the content of a file to the disk.
func Sync(f *os.File) error {
	err := f.Sync()
	told(f.Name(), false, err)
	return err
}

// SyncFolder writes the names in a folder to the disk. A file system that syncs names by
// itself, or not at all, is no error.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync the folder: %w", err)
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || runtime.GOOS == "windows" {
		err = nil
	}
	told(dir, true, err)
	if err := errors.Join(err, d.Close()); err != nil {
		return fmt.Errorf("sync the folder: %w", err)
	}
	return nil
}
