package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway"
)

// quantile returns the duration below which a share p of all lies, in microseconds; 0 for none.
func quantile(sorted []time.Duration, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(p*float64(len(sorted)-1))].Nanoseconds()) / 1e3
}

// databaseBytes is the size of a database including its log; 0 if it cannot be read.
func databaseBytes(ctx context.Context, path string) int64 {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return 0
	}
	defer db.Close()
	var pages, size int64
	if db.QueryRowContext(ctx, "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size) != nil {
		return 0
	}
	return pages * size
}

// live opens sessions with one turn each in a runtime of its own and measures how the heap grows: per
// session while all of them are cached, and over all.
func (b *benchFlags) live(ctx context.Context, cmd *cobra.Command, f *flags, dir string, r *benchResult) (err error) {
	a, err := b.app(ctx, f, filepath.Join(dir, "live"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := b.warmUp(ctx, a); err != nil {
		return err
	}
	bar := countBar(cmd, "sessions", b.opened)
	defer bar.finish()
	before := heapBytes()
	cached := min(b.opened, r.MaxCached) - warmSessions // those of the warm-up have places too
	if cached > 0 {
		if err := b.open(ctx, a, 0, cached, bar); err != nil {
			return err
		}
		r.KBPerCached = float64(heapBytes()-before) / 1024 / float64(cached)
	}
	if err := b.open(ctx, a, max(cached, 0), b.opened, bar); err != nil {
		return err
	}
	r.KBPerSession = float64(heapBytes()-before) / 1024 / float64(b.opened)
	return b.resume(ctx, a, r)
}

// resumed is how many of the sessions that wait are answered, one after the other.
const resumed = 200

// resume answers sessions that were opened last, which are cached, and some that were opened first, which
// are not if there are more than the cache holds.
func (b *benchFlags) resume(ctx context.Context, a *slotway.Runtime, r *benchResult) (err error) {
	n := min(resumed, b.opened/2, r.MaxCached)
	if r.ResumedCached, err = b.answer(ctx, a, b.opened-n, b.opened); err != nil || b.opened < r.MaxCached+n {
		return err
	}
	r.Resumed, err = b.answer(ctx, a, 0, n)
	return err
}

// answer gives waiting sessions what they wait for, and returns the median of the durations in microseconds.
func (b *benchFlags) answer(ctx context.Context, a *slotway.Runtime, from, until int) (p50 float64, err error) {
	var all []time.Duration
	for i := from; i < until; i++ {
		took, err := (&slot{key: b.key(a, fmt.Sprintf("live-%d", i)), n: 1}).turn(ctx, a)
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	slices.Sort(all)
	return quantile(all, 0.5), nil
}

// open begins the sessions from one number up to another, which is excluded.
func (b *benchFlags) open(ctx context.Context, a *slotway.Runtime, from, until int, bar *bar) error {
	const clients = 64
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := from + c; i < until && ctx.Err() == nil; i += clients {
				if _, err := (&slot{key: b.key(a, fmt.Sprintf("live-%d", i))}).turn(ctx, a); err != nil {
					cancel(err)
				}
				bar.add(1)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// heapBytes is the size of the heap after garbage collection, pools included.
func heapBytes() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// appendTime is the median time in microseconds of an append of a turn's bytes that is on disk when it
// returns: nothing that must last is faster.
func appendTime(path string, d time.Duration) (median float64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, fmt.Errorf("measure an append: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var took []time.Duration
	for end := time.Now().Add(d); time.Now().Before(end); {
		begin := time.Now()
		if _, err := file.Write(make([]byte, appendBytes)); err != nil {
			return 0, fmt.Errorf("measure an append: %w", err)
		}
		if err := file.Sync(); err != nil {
			return 0, fmt.Errorf("measure an append: %w", err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return quantile(took, 0.5), nil
}

// appendBytes is about what a turn adds to the database.
const appendBytes = 2000
