package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
)

// RestoreOptions of Restore; the zero value is right.
type RestoreOptions struct {
	Now      time.Time // names what is replaced; default the wall clock
	Copying  Progress  // of pages; nil: nobody asks
	Checking Progress  // of rows, afterwards
}

// Restored is the result of Restore.
type Restored struct {
	Report *Report `json:"report"` // of the backup
	Kept   string  `json:"kept"`   // what the replaced database is called now; "" when there was none
}

// Restore puts a copy of a backup in the place of the database, in one step: a process that opens
// the path finds the one or the other. The replaced file is kept beside it under a dated name,
// whatever its state. ErrDamaged: the backup is damaged; nothing was changed. ErrInUse: another
// process has the database open; nothing was changed. A backup of an older schema is migrated when
// it is opened next. What was under way when the backup was made is not carried on: memory.MarkRestored. A process that has the database open must not call Restore: it would not
// notice itself.
func Restore(ctx context.Context, backup, path string, options *RestoreOptions) (*Restored, error) {
	var opts RestoreOptions
	if options != nil {
		opts = *options
	}
	if opts.Now.IsZero() {
		opts.Now = time.Now()
	}
	out := &Restored{}
	err := out.restore(ctx, backup, path, &opts)
	if err != nil {
		return out, fmt.Errorf("restore session database: %w", err)
	}
	return out, nil
}

func (out *Restored) restore(ctx context.Context, backup, path string, opts *RestoreOptions) error {
	named := backup
	backup, err := existing(named)
	if err != nil {
		return fmt.Errorf("%s: %w", named, err)
	}
	if path, err = resolve(path); err != nil {
		return err
	}
	if err := durable.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%w: make its folder; %s: %w", memory.ErrUnavailable, durable.Remedy(err), err)
	}
	own, err := os.Stat(path)
	if from, e := os.Stat(backup); err == nil && e == nil && os.SameFile(own, from) {
		return fmt.Errorf("%w: it is the database itself", ErrExists)
	}
	if err == nil && !own.Mode().IsRegular() {
		return fmt.Errorf("%w: the path is no regular file; choose another", memory.ErrUnavailable)
	}
	l, err := hold(path) // before the long work, for a quick answer
	if err != nil {
		return err
	}
	defer func() { l.release() }()
	copying := &BackupOptions{Copying: opts.Copying, Checking: opts.Checking}
	out.Report, err = stage(ctx, backup, path, copying, func(name string) error {
		if err = markRestored(ctx, name, opts.Now); err != nil {
			return err
		}
		if l, err = checkpointReplaced(path, l); err != nil {
			return err
		}
		out.Kept, err = replace(name, path, opts.Now)
		return err
	})
	return err
}

// markRestored says in a database that nobody has open that it is put back.
func markRestored(ctx context.Context, path string, at time.Time) error {
	store, err := Open(ctx, path, nil)
	if err != nil {
		return err
	}
	return errors.Join(memory.MarkRestored(ctx, store, at), store.Close())
}

// checkpointReplaced moves what a database still has in its write-ahead log into its file, if it
// is sound enough, so that one file remains to keep. Closing the file releases the lock, so it
// takes a new one.
func checkpointReplaced(path string, l *lock) (*lock, error) {
	if size(path+"-wal") == 0 || size(path) == 0 {
		return l, nil
	}
	if c, err := openConn(path, busyPragma(0), "synchronous(FULL)"); err == nil {
		_ = c.query("PRAGMA wal_checkpoint(TRUNCATE)", func([]any) error { return nil }) // a damaged one keeps its log
		_ = c.close()
	}
	l.release()
	return hold(path)
}

// replace keeps what is at path under a dated name and puts the new file there. Its log
// goes first: it must never lie beside a file that it is not of.
func replace(name, path string, now time.Time) (kept string, err error) {
	if kept, err = freeDated(path, now); err != nil {
		return "", err
	}
	moved := false
	for _, suffix := range beside {
		err := os.Rename(path+suffix, kept+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%w: keep the replaced file: %w", memory.ErrUnavailable, err)
		}
		moved = moved || err == nil
	}
	switch err := os.Link(path, kept); {
	case errors.Is(err, fs.ErrNotExist):
		if !moved {
			kept = "" // there was nothing
		}
	case err != nil: // no links here
		if err := copyFile(path, kept); err != nil {
			return "", fmt.Errorf("%w: keep the replaced file: %w", memory.ErrUnavailable, err)
		}
	}
	if old, err := os.Stat(kept); err == nil {
		likewise(name, old)
	}
	if err := durable.SyncFolder(filepath.Dir(path)); err != nil { // before what it keeps loses its name
		return kept, fmt.Errorf("%w: keep the replaced file: %w", memory.ErrUnavailable, err)
	}
	if err := durable.Rename(name, path); err != nil {
		return kept, fmt.Errorf("%w: put the new file in place: %w", memory.ErrUnavailable, err)
	}
	return kept, nil
}

// freeDated finds a name for what is replaced.
func freeDated(path string, now time.Time) (string, error) {
	stamp := path + ".replaced-" + now.UTC().Format("20060102T150405Z")
	for i := range 100 {
		name := stamp
		if i > 0 {
			name = fmt.Sprintf("%s.%d", stamp, i)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: 100 files were replaced in this second", memory.ErrUnavailable)
}
