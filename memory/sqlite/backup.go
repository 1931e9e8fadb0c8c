package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// BackupOptions of Backup; the zero value is right.
type BackupOptions struct {
	Force    bool     // replace a file that is there already
	Copying  Progress // of pages; nil: nobody asks
	Checking Progress // of rows, afterwards
}

// Backup copies the database as it is at one moment into a file of its own, while servers
// go on writing, and checks the copy before it gets its name. A copy that is damaged, as
// the database then is, is not kept: the report says what is wrong, the error is ErrDamaged.
// ErrExists: there is such a file. options may be nil.
func Backup(ctx context.Context, path, to string, options *BackupOptions) (*Report, error) {
	var opts BackupOptions
	if options != nil {
		opts = *options
	}
	path, err := existing(path)
	if err != nil {
		return nil, fmt.Errorf("back up session database: %w", err)
	}
	if err := freeName(path, to, opts.Force); err != nil {
		return nil, fmt.Errorf("back up session database: %w", err)
	}
	r, err := stage(ctx, path, to, &opts, func(name string) error {
		if opts.Force {
			return durable.Rename(name, to)
		}
		return durable.Place(name, to)
	})
	if errors.Is(err, fs.ErrExist) {
		err = ErrExists
	}
	if err != nil {
		return r, fmt.Errorf("back up session database: %w", err)
	}
	return r, nil
}

// freeName refuses to overwrite what must not be.
func freeName(path, to string, force bool) error {
	there, err := os.Stat(to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: check the path and its permissions: %w", memory.ErrUnavailable, err)
	}
	if own, err := os.Stat(path); err == nil && os.SameFile(own, there) {
		return fmt.Errorf("%w: it is the database itself; choose another name", ErrExists)
	}
	if !there.Mode().IsRegular() || !force {
		return fmt.Errorf("%w; choose another name, or --force to replace a file", ErrExists)
	}
	if size(to+"-wal") > 0 {
		return fmt.Errorf("%w: %s-wal lies beside it, as of a database in use; choose another name", ErrExists, to)
	}
	return nil
}

// stage copies a database into the folder of to, checks the copy, and hands its name to
// finish, which gives it a lasting one, when it is sound and synced. The name is gone afterwards.
func stage(ctx context.Context, path, to string, opts *BackupOptions, finish func(name string) error) (r *Report, err error) {
	f, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".new-*")
	if err != nil {
		return nil, fmt.Errorf("%w: create it; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	name := f.Name()
	defer func() { err = errors.Join(err, f.Close(), remove(name)) }()
	if err := withSnapshot(path, func(_ string, c *conn) error { return copyPages(ctx, c, name, opts.Copying) }); err != nil {
		return nil, err
	}
	if r, err = Check(ctx, name, opts.Checking); err != nil {
		return nil, err
	}
	r.File = to
	if !r.Sound {
		return r, ErrDamaged
	}
	for _, suffix := range beside { // of the check
		if err := os.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, fmt.Errorf("%w: %w", memory.ErrUnavailable, err)
		}
	}
	if err := durable.Sync(f); err != nil {
		return r, fmt.Errorf("%w: %s: %w", memory.ErrUnavailable, textDisk, err)
	}
	return r, finish(name)
}

// copyStep is how many pages are copied between two reports.
const copyStep = 1024

// copyPages copies all pages that the connection sees in its read transaction, whatever is
// written meanwhile.
func copyPages(ctx context.Context, c *conn, to string, progress Progress) error {
	return explain(c.copyTo(to, func(b *sqlite.Backup) (more bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		more, err = b.Step(copyStep)
		err = failed(err)
		if progress != nil && err == nil {
			total := int64(b.PageCount())
			progress(total-int64(b.Remaining()), total)
		}
		return more, err
	}))
}
