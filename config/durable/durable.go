// Package durable writes files so that a power cut leaves the old file or the new one: never half
// of a file, and never the old one after the caller was told of the new. For that, three things
// must reach the disk, each with its own sync: the content of the file, its name in its folder,
// and, if the folder is new, the folder's name in the one above.
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

// WriteFile replaces the content of the file at path with what write puts out. An existing file
// hands its owner and mode to the new one; a new file is readable for its owner only. WriteFile
// follows links. It writes the new content beside the file under a unique name, so leftovers of an
// earlier process are never in the way. After an error the file is unchanged, except after an error
// of the very last step, where a power cut may leave either content.
func WriteFile(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return aside(path, write, Rename)
}

// NewFile is WriteFile for a file that must not exist. It returns fs.ErrExist if the file does, and
// leaves it alone.
func NewFile(path string, write func(io.Writer) error) error { return aside(path, write, Place) }

// aside writes a file beside path and then moves it there with put.
func aside(path string, write func(io.Writer) error, put func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it has its new name by then, or is useless
	if old, err := os.Stat(path); err == nil {
		likewise(f, old)
	}
	err = write(f)
	if err = errors.Join(err, Sync(f), f.Close()); err != nil {
		return err
	}
	return put(f.Name(), path)
}

// Rename gives a synced file the name to, replacing a file of that name, and syncs the name. Both
// names are in one folder.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncName(to)
}

// Place moves a synced file to the name to and syncs the name. If a file of that name exists
// (fs.ErrExist), Place syncs that file's name, and the other file keeps its own.
func Place(from, to string) error {
	err := os.Link(from, to)
	if err != nil && !errors.Is(err, fs.ErrExist) { // the file system has no hard links
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
		_ = os.Remove(from) // if it was linked
	}
	if err := syncName(to); err != nil || !there {
		return err
	}
	return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
}

// syncName syncs the folder of a file, and the name of that folder, which may be new too.
func syncName(path string) error {
	dir := filepath.Dir(path)
	return errors.Join(SyncFolder(dir), syncMade(dir))
}

// syncMade syncs the name of an existing folder. A parent that this process may not read is older
// than the process, so its name needs no sync.
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

// MkdirAll is os.MkdirAll for folders that must survive a power cut.
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

// Sync writes the content of a file to disk.
func Sync(f *os.File) error {
	err := f.Sync()
	told(f.Name(), false, err)
	return err
}

// SyncFolder writes the names in a folder to disk. A file system that syncs names by itself, or not
// at all, is no error.
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
