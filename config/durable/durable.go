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

// WriteFile makes the file at path anew of what write puts out. One that is there is replaced
// and hands on its owner and mode, a new one is its owner's alone. Links are followed. The new
// content is written beside the file under a name that nobody else has, so what an earlier
// process has left behind is never in the way. After an error the file is as it was, unless
// the error is of the very last step: then a power cut may leave either.
func WriteFile(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return aside(path, write, Rename)
}

// NewFile is WriteFile for a file that is not there yet: fs.ErrExist if it is, and the error
// leaves it alone.
func NewFile(path string, write func(io.Writer) error) error { return aside(path, write, Place) }

// aside writes beside path and gives the file its name by put.
func aside(path string, write func(io.Writer) error, put func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it has another name by then, or is of no use
	if old, err := os.Stat(path); err == nil {
		likewise(f, old)
	}
	err = write(f)
	if err = errors.Join(err, Sync(f), f.Close()); err != nil {
		return err
	}
	return put(f.Name(), path)
}

// Rename gives a synced file the name to, in place of whatever had it, and syncs the name. Both
// names are of one folder.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncName(to)
}

// Place gives a synced file the name to, in place of its own, and syncs the name. If there is a
// file of that name (fs.ErrExist), that one's name is synced, and this one keeps its own.
func Place(from, to string) error {
	err := os.Link(from, to)
	if err != nil && !errors.Is(err, fs.ErrExist) { // no links here
		if _, e := os.Lstat(to); errors.Is(e, fs.ErrNotExist) {
			err = os.Rename(from, to)
		} else {
			err = fs.ErrExist
		}
	}
	there := errors.Is(err, fs.ErrExist)
	if err != nil && !there {
		return err
	}
	if !there {
		_ = os.Remove(from) // where it was a link
	}
	if err := syncName(to); err != nil || !there {
		return err
	}
	return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
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
