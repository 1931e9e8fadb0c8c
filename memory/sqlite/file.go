package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

const pageSize = 4096

// beside are the files that belong to a database: what SQLite keeps in WAL mode
// (https://www.sqlite.org/walformat.html), and the claim.
var beside = [...]string{"-wal", "-shm", claimSuffix}

// resolve follows symbolic links, since SQLite keeps its other files beside the file itself.
// A path that does not exist yet stays as it is.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if info, e := os.Lstat(path); e == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%w: the link points to no file; mount what it points to, or remove the link: %w", memory.ErrUnavailable, err)
	}
	return path, nil
}

// examine looks at a file from outside, without opening it: closing it would release the locks
// that this process holds on it (fcntl(2)). exists is false for a path that may become a new
// database.
func examine(path string) (exists bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if size(path+"-wal") > 0 {
			return false, fmt.Errorf("%w: the file is missing, but its write-ahead log %s-wal is there; "+
				"bring the file back, or restore a backup with 'slotway db restore FILE'", ErrLost, filepath.Base(path))
		}
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%w: check the path and its permissions: %w", memory.ErrUnavailable, err)
	case info.IsDir():
		return true, fmt.Errorf("%w: the path is a folder; name a file in it", memory.ErrUnavailable)
	case !info.Mode().IsRegular():
		return true, fmt.Errorf("%w: the path is no regular file; choose another", memory.ErrUnavailable)
	case info.Size() == 0:
		return true, fmt.Errorf("%w: the file is empty; restore a backup with 'slotway db restore FILE', or remove the empty file to begin anew", ErrLost)
	case info.Size() < fileHeader: // SQLite takes a file of one byte for an empty one
		return true, fmt.Errorf("%w: it is shorter than any; choose another path, or restore a backup", ErrNotDatabase)
	}
	return true, nil
}

// fileHeader is how many bytes every database begins with.
const fileHeader = 100

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// wholePages refuses a file that was truncated within its last page, which SQLite reads as if the
// rest were zeros. While there is a log, a checkpoint may not have got further: the log has the
// page.
func wholePages(path string) error {
	if size(path)%pageSize != 0 && size(path+"-wal") == 0 {
		return fmt.Errorf("%w: the file ends within a page; %s", memory.ErrCorrupt, textCorrupt)
	}
	return nil
}

// create makes a database under another name and gives it its own when it is complete: a process
// that dies meanwhile leaves no empty file. Only its owner can read it; SQLite gives the files
// beside it the same mode.
func create(ctx context.Context, path string) (err error) {
	if err := durable.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%w: create its folder; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return fmt.Errorf("%w: create it; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	name := f.Name()
	defer func() { err = errors.Join(err, remove(name)) }()
	if err := f.Close(); err != nil {
		return fmt.Errorf("%w: %w", memory.ErrUnavailable, err)
	}
	if _, err := migrate(ctx, name, "up"); err != nil {
		return explain(err)
	}
	c, err := openConn(name, "journal_mode(WAL)", "synchronous(FULL)") // nobody else has this file: nobody is in the way
	if err != nil {
		return err
	}
	if err := c.close(); err != nil {
		return explain(err)
	}
	if err := durable.Place(name, path); err != nil && !errors.Is(err, fs.ErrExist) { // another process was faster
		return fmt.Errorf("%w: give it its name; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	return nil
}

// remove deletes a database that was only made for a moment.
func remove(path string) error {
	var all []error
	for _, suffix := range append([]string{"", "-journal"}, beside[:]...) {
		if err := os.Remove(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}
