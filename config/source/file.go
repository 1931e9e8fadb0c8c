package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrNotAFile is the error for a path to something other than a regular file: a folder, a device, a
// socket, or a named pipe, which would block until somebody writes to it.
var ErrNotAFile = errors.New("not a regular file")

// unblocked opens a pipe without waiting for a writer (open(2), O_NONBLOCK). It has no effect on
// files.
const unblocked = os.O_RDONLY | syscall.O_NONBLOCK

// OpenFile opens a file for reading. It follows links. It refuses anything but a regular file with
// ErrNotAFile, and never blocks. There are two exceptions: the null device, which is an empty file,
// and a pipe among the process's own descriptors (/dev/stdin, and /dev/fd/63 from a shell's
// <(command)), which has a writer or is at its end.
func OpenFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, unblocked, 0)
	if errors.Is(err, syscall.ENXIO) { // a socket
		return nil, notAFile(path, fs.ModeSocket)
	}
	if err != nil {
		return nil, err
	}
	if err := regular(f, path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenIn is OpenFile for a file inside a folder; no path or link leads out of it.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(path.Clean(filepath.ToSlash(name)), unblocked, 0)
	if err != nil {
		return nil, err
	}
	if err := regular(f, name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadFile reads a file as OpenFile opens it. It refuses a file of more than most bytes, without
// reading it if its size is known.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readCapped(f, path, most)
}

// readCapped reads an open file; path is its name in errors.
func readCapped(f *os.File, path string, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data []byte
	size := info.Size()
	if size <= most {
		if data, err = io.ReadAll(io.LimitReader(f, most+1)); err != nil {
			return nil, err
		}
		size = int64(len(data))
	}
	if size > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("more than %d bytes; name a smaller file", most)}
	}
	return data, nil
}

// regular reports why an open file may not be read.
func regular(f *os.File, path string) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular(), path == os.DevNull, info.Mode()&fs.ModeNamedPipe != 0 && ReadOnce(path):
		return nil
	}
	return notAFile(path, info.Mode())
}

// ReadOnce reports whether a path names one of the process's own descriptors, which may be a pipe
// that cannot be read again.
func ReadOnce(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// kinds are the things besides files that a path may lead to.
var kinds = []struct {
	mode fs.FileMode
	name string
}{
	{fs.ModeDir, "a folder"},
	{fs.ModeNamedPipe, "a named pipe"},
	{fs.ModeSocket, "a socket"},
	{fs.ModeDevice, "a device"},
}

func notAFile(path string, mode fs.FileMode) error {
	kind := "something else"
	for _, k := range kinds {
		if mode&k.mode != 0 {
			kind = k.name
			break
		}
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w but %s; name a file", ErrNotAFile, kind)}
}
