package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Durability says what a power cut may destroy.
type Durability string

// The durabilities.
const (
	// Durable: nothing. A commit returns after an fsync, which the commits that wait at the same
	// time share. The default.
	Durable Durability = "durable"
	// Relaxed: the last moments. There is no fsync per commit; the death of the process loses
	// nothing.
	Relaxed Durability = "relaxed"
)

// Options of a store; the zero value is right.
type Options struct {
	Durability    Durability    // default Durable
	CacheSessions int           // sessions kept in memory; default 1024
	Readers       int           // connections that read; default 2
	BusyTimeout   time.Duration // how long to try while another process holds the file; default 5 s
	Turns         bool          // this process runs turns: one alone may. ErrInUse: another does
	Accept        bool          // go on without acknowledged commits that are missing

	checkpoint int // pages of the log that are moved to the file at once; default checkpointPages
}

func (o *Options) withDefaults() (Options, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	switch opts.Durability {
	case "":
		opts.Durability = Durable
	case Durable, Relaxed:
	default:
		return opts, errors.New("durability is neither durable nor relaxed")
	}
	if opts.Readers <= 0 {
		opts.Readers = 2
	}
	if opts.checkpoint <= 0 {
		opts.checkpoint = checkpointPages
	}
	if opts.BusyTimeout <= 0 {
		opts.BusyTimeout = defaultBusy
	}
	return opts, nil
}

// Open opens the file, creates it (and its folder) if there is none, and brings its
// schema up to date. ErrNotDatabase, ErrForeign, ErrNewer, ErrLost and memory.ErrCorrupt: the
// file is left as it was, and nothing takes its place. memory.ErrUnavailable: it cannot be
// opened or written now. The text says what to do.
func Open(ctx context.Context, path string, options *Options) (*sqlstore.Store, error) {
	opts, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	if path, err = resolve(path); err != nil {
		return nil, fmt.Errorf("open session database: %w", err)
	}
	exists, err := examine(path)
	if err == nil && exists {
		if err = errors.Join(writable(path), writable(filepath.Dir(path))); err != nil {
			err = fmt.Errorf("%w: the database is read-only; check the permissions of the file and its folder, and how the disk is mounted: %w", memory.ErrUnavailable, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open session database: %w", err)
	}
	if exists && opts.Durability == Durable && !opts.Accept { // relaxed commits may be lost to a power cut
		if err := lacksNone(path); err != nil {
			return nil, fmt.Errorf("open session database: %w", err)
		}
	}
	if _, err := Migrate(ctx, path, "up"); err != nil {
		return nil, err
	}
	var own *claim
	if opts.Turns || opts.Accept {
		if own, err = claimFile(path, opts.BusyTimeout); err == nil && opts.Accept {
			err = own.file.Truncate(0)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open session database: %w", err), own.release())
		}
	}
	d, err := connect(path, &opts, own)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open session database: %w", err), own.release())
	}
	return sqlstore.New(d, opts.CacheSessions), nil
}

// The log is moved to the file once it has this many pages, and begins anew; its file shrinks to the
// limit once it was larger.
const (
	checkpointPages = 4096
	maxWALBytes     = 64 << 20
)

func connect(path string, opts *Options, own *claim) (d *database, err error) {
	busy := busyPragma(opts.BusyTimeout)
	sync := "synchronous(FULL)"
	if opts.Durability == Relaxed {
		sync = "synchronous(NORMAL)"
	}
	w, err := openWAL(path, opts.BusyTimeout, busy, "journal_mode(WAL)", sync, fmt.Sprintf("wal_autocheckpoint(%d)", opts.checkpoint),
		fmt.Sprintf("journal_size_limit(%d)", maxWALBytes), "cache_size(-16384)", "secure_delete(1)", "trusted_schema(0)")
	if err != nil {
		return nil, err
	}
	if size(path+"-wal") > 0 {
		if err := recoverWAL(w, busy); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	d = &database{readers: make(chan *conn, opts.Readers), done: make(chan struct{})}
	for range opts.Readers {
		c, err := openConn(path, busy, "query_only(1)", "cache_size(-8192)", "trusted_schema(0)")
		if err != nil {
			for range len(d.readers) {
				err = errors.Join(err, (<-d.readers).close())
			}
			return nil, errors.Join(err, w.close())
		}
		d.readers <- c
	}
	d.writer = startWriter(w, own)
	return d, nil
}

// recoverWAL moves what another process has left in the log into the file. The last commit there
// may be one whose sync failed: it can be read, though the disk does not have it, and a later sync
// does not write it either. Nothing may be committed behind it, so an error of the disk fails
// Open. Other reasons that keep the log from being moved, such as no room, or a process that uses
// the file and so has done this itself, do not.
//
// The first pass syncs and moves without the lock of those who write: several processes that start
// together do not wait for each other's disk. The second only cuts off what is moved, and gives
// way to whoever is writing.
func recoverWAL(k *conn, busy string) error {
	none := func([]any) error { return nil }
	err := k.query("PRAGMA wal_checkpoint(PASSIVE)", none)
	if err == nil {
		err = errors.Join(k.exec("PRAGMA busy_timeout(0)"), k.query("PRAGMA wal_checkpoint(TRUNCATE)", none), k.exec("PRAGMA "+busy))
	}
	if codeOf(err)&0xff == sqlite3.SQLITE_IOERR {
		return explain(err)
	}
	return nil
}

// defaultBusy is how long to try while another process holds the file. SQLite's own handler
// waits longer from try to try, up to 100 ms (https://www.sqlite.org/c3ref/busy_timeout.html).
const defaultBusy = 5 * time.Second

func busyPragma(d time.Duration) string { return fmt.Sprintf("busy_timeout(%d)", d.Milliseconds()) }
