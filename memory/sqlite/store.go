package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/memory"
)

var _ memory.Backend = (*Store)(nil)

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
	Durability      Durability    // default Durable
	CacheSessions   int           // sessions kept in memory; default 1024, negative none
	CacheBytes      int64         // estimated bytes of them; default 64 MiB
	Readers         int           // connections that read; default 2
	BusyTimeout     time.Duration // how long to try while another process holds the file; default 5 s
	CheckpointBytes int64         // written to the WAL before it is moved to the file; default 16 MiB
	MaxWALBytes     int64         // the WAL begins anew at this size; it never exceeds about 4 times this; default 64 MiB
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
	if opts.CacheSessions == 0 {
		opts.CacheSessions = 1024
	}
	opts.CacheBytes = positive(opts.CacheBytes, 64<<20)
	opts.Readers = positive(opts.Readers, 2)
	opts.BusyTimeout = positive(opts.BusyTimeout, defaultBusy)
	opts.CheckpointBytes = positive(opts.CheckpointBytes, 16<<20)
	opts.MaxWALBytes = positive(opts.MaxWALBytes, 64<<20)
	return opts, nil
}

// maxWindow bounds how many messages of a session the cache keeps.
const maxWindow = 256

// Store keeps sessions in a SQLite file.
type Store struct {
	writer  *writer
	checks  *checkpointer
	readers *readers
	cache   *cache
	window  atomic.Int64 // the longest window asked for, at most maxWindow

	closing sync.Once
	result  error // of closing
}

// Open opens the file, creates it (and its folder) if there is none, and brings its
// schema up to date. ErrNotDatabase, ErrForeign, ErrNewer, ErrLost and memory.ErrCorrupt: the
// file is left as it was, and nothing takes its place. memory.ErrUnavailable: it cannot be
// opened or written now. The text says what to do.
func Open(ctx context.Context, path string, options *Options) (*Store, error) {
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
	if opts.Durability == Durable { // relaxed commits may be lost to a power cut
		damage, err := inspectWAL(path + "-wal")
		if err == nil && damage != nil {
			err = damage.err()
		}
		if err != nil {
			return nil, fmt.Errorf("open session database: %w", err)
		}
	}
	if _, err := Migrate(ctx, path, "up"); err != nil {
		return nil, err
	}
	s := &Store{cache: newCache(opts.CacheSessions, opts.CacheBytes)}
	if err := s.connect(path, &opts); err != nil {
		return nil, fmt.Errorf("open session database: %w", err)
	}
	return s, nil
}

func (s *Store) connect(path string, opts *Options) error {
	busy := busyPragma(opts.BusyTimeout)
	sync := "synchronous(FULL)"
	if opts.Durability == Relaxed {
		sync = "synchronous(NORMAL)"
	}
	w, err := openWAL(path, opts.BusyTimeout, busy, "journal_mode(WAL)", sync, "wal_autocheckpoint(0)", "cache_size(-16384)",
		"secure_delete(1)", "trusted_schema(0)")
	if err != nil {
		return err
	}
	k, err := openConn(path, busy, "journal_mode(WAL)", sync)
	if err != nil {
		return errors.Join(err, w.close())
	}
	// A restart that readers delay is tried again later: do not hold the lock of the WAL for long.
	if _, err := k.exec("PRAGMA busy_timeout=50"); err != nil {
		return errors.Join(explain(err), w.close(), k.close())
	}
	if size(path+"-wal") > 0 {
		if err := recoverWAL(k); err != nil {
			return errors.Join(err, w.close(), k.close())
		}
	}
	s.readers, err = openReaders(path, opts.Readers, busy, "query_only(1)", "cache_size(-8192)", "trusted_schema(0)")
	if err != nil {
		return errors.Join(err, w.close(), k.close())
	}
	s.checks = startCheckpointer(k, path, opts.CheckpointBytes, opts.MaxWALBytes)
	if s.cache != nil {
		s.cache.watch = openWatch(path)
	}
	s.writer = startWriter(w, s.checks, s.cache)
	return nil
}

// recoverWAL moves what another process has left in the log into the file. The last commit there
// may be one whose sync failed: it can be read, though the disk does not have it, and a later sync
// does not write it either. Nothing may be committed behind it, so an error of the disk fails
// Open. Other reasons that keep the log from being moved, such as no room, or a process that uses
// the file and so has done this itself, do not.
func recoverWAL(k *conn) error {
	err := k.query("PRAGMA wal_checkpoint(TRUNCATE)", func([]driver.Value) error { return nil })
	if codeOf(err)&0xff == sqlite3.SQLITE_IOERR {
		return explain(err)
	}
	return nil
}

// defaultBusy is how long to try while another process holds the file. SQLite's own handler
// waits longer from try to try, up to 100 ms (https://www.sqlite.org/c3ref/busy_timeout.html).
const defaultBusy = 5 * time.Second

func busyPragma(d time.Duration) string { return fmt.Sprintf("busy_timeout(%d)", d.Milliseconds()) }

// Ping implements memory.Connection.
func (s *Store) Ping(ctx context.Context) error {
	return s.readers.with(ctx, func(c *conn) error {
		return explain(c.query(`SELECT count(*) FROM sessions WHERE id = 0`, func([]driver.Value) error { return nil }))
	})
}

// Close implements memory.Connection.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.cache.close()
		readers := s.readers.close()
		s.result = errors.Join(readers, s.writer.close(), s.checks.close())
	})
	return s.result
}

func positive[T int | int64 | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}
