package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// smallDisk mounts a file system of so many bytes, or skips the test.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here, which takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

// full is a disk, or what stands for one, that can be filled up and emptied again.
type full struct {
	name string
	open func(t *testing.T) (store *sqlstore.Store, file string, fill, empty func())
}

var fulls = []full{
	{"small disk", func(t *testing.T) (*sqlstore.Store, string, func(), func()) {
		file := filepath.Join(smallDisk(t, 4<<20), "memory.db")
		ballast := filepath.Join(filepath.Dir(file), "ballast")
		store := open(t, file, &Options{checkpoint: 16})
		return store, file, func() { takeRoom(t, ballast) }, func() {
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
		}
	}},
	{"page limit", func(t *testing.T) (*sqlstore.Store, string, func(), func()) {
		file := newFile(t)
		open(t, file, nil).Close() // with its schema
		opts, err := (*Options)(nil).withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		d, err := connect(file, &opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		store := sqlstore.New(d, 0)
		t.Cleanup(func() { store.Close() })
		limit := func(text string) func() {
			return func() { // the writer is idle
				if err := d.writer.conn.query(text, func([]any) error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
		}
		return store, file, limit("PRAGMA max_page_count = 1"), limit("PRAGMA max_page_count = 1000000")
	}},
}

// takeRoom fills a disk to the last byte.
func takeRoom(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// A disk that is full: turns fail clearly, reads go on, and when there is room again the
// same store goes on with everything that was acknowledged.
func TestDiskFull(t *testing.T) {
	for _, disk := range fulls {
		t.Run(disk.name, func(t *testing.T) {
			store, file, fill, empty := disk.open(t)
			const clients = 4
			var turns [clients]int64
			for round := range 3 {
				talk(t, store, turns[:], 8)
				fill()
				if failed := talk(t, store, turns[:], 40); failed == 0 {
					t.Fatal("the disk was never full")
				}
				for i, want := range turns { // reads go on
					if snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 500, Fresh: true}); snap.Turns != want || int64(len(snap.Recent)) != 2*want {
						t.Errorf("round %d, session %d on a full disk: %d turns, %d messages; %d were acknowledged", round, i, snap.Turns, len(snap.Recent), want)
					}
				}
				empty()
				if failed := talk(t, store, turns[:], 8); failed > 0 {
					t.Errorf("round %d: %d turns failed though there is room again", round, failed)
				}
				mustBeSound(t, file)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			store = open(t, file, nil)
			for i, want := range turns {
				if snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{}); snap.Turns != want {
					t.Errorf("session %d after opening again: %d turns, %d were acknowledged", i, snap.Turns, want)
				}
			}
		})
	}
}

// Who asks whether turns can be taken hears so of a full disk, and again once there is room.
func TestPingOnFullDisk(t *testing.T) {
	store, _, fill, empty := fulls[0].open(t)
	turns := make([]int64, 1)
	if err := store.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill()
	for n := 0; store.Ping(t.Context()) == nil; n++ {
		if talk(t, store, turns, 4); n == 100 {
			t.Fatal("it is ready on a full disk")
		}
	}
	empty()
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// talk makes turns of several sessions at once and returns how many failed. Each failure
// must say that the disk is full.
func talk(t *testing.T, store *sqlstore.Store, turns []int64, each int) (failed int) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range turns {
		wg.Go(func() {
			for range each {
				snap, err := store.Load(t.Context(), benchKey(i), memory.LoadOptions{})
				if err == nil {
					d := turnOf(benchKey(i), snap, time.Now())
					d.Messages[0].Text = strings.Repeat("a long message ", 500)
					err = store.Commit(t.Context(), d)
				}
				mu.Lock()
				switch {
				case err == nil:
					turns[i]++
				case errors.Is(err, memory.ErrUnavailable) && strings.Contains(err.Error(), "make room"):
					failed++
				default:
					t.Errorf("session %d: %v", i, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// Nothing half is left where there is no room for a new database, a backup or a restore.
func TestNewFilesOnFullDisk(t *testing.T) {
	dir := smallDisk(t, 1<<20)
	source := furnished(t, 3, 3)
	takeRoom(t, filepath.Join(dir, "ballast"))
	file := filepath.Join(dir, "memory.db")
	_, opened := Open(t.Context(), file, nil)
	_, backedUp := Backup(t.Context(), source, file, nil)
	_, restored := Restore(t.Context(), source, file, nil)
	for what, err := range map[string]error{"Open": opened, "Backup": backedUp, "Restore": restored} {
		if !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "room") {
			t.Errorf("%s on a full disk: %v", what, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	oneTurnOf(t, open(t, file, nil), benchKey(0))
}

// A disk mounted read-only: nothing is opened for turns, but a check reads all, even of a
// file with a log.
func TestReadOnlyDisk(t *testing.T) {
	dir := smallDisk(t, 8<<20)
	file := filepath.Join(dir, "memory.db")
	left := crashed(t, 6)
	for i, suffix := range parts {
		if err := os.WriteFile(file+suffix, []byte(left[i]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("the disk cannot be made read-only: %v", err)
	}
	for _, name := range []string{file, filepath.Join(dir, "new.db")} {
		if _, err := Open(t.Context(), name, nil); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "check") {
			t.Errorf("Open of %s on a read-only disk: %v", filepath.Base(name), err)
		}
	}
	if r := mustBeSound(t, file); r.Rows["turns"] != 6 {
		t.Errorf("the check read %d turns, want 6", r.Rows["turns"])
	}
	if r, err := Backup(t.Context(), file, filepath.Join(t.TempDir(), "b.db"), nil); err != nil || r.Rows["turns"] != 6 {
		t.Errorf("Backup from a read-only disk: %v", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if n, err := wholeTurns(t, file); n != 6 || err != nil {
		t.Errorf("writable again: %d turns, %v", n, err)
	}
}

const limitFile = "SLOTWAY_TEST_LIMIT_FILE"

// A disk that refuses writes with an error (a limit on the size of files, in a process of
// its own): as on a full one, turns fail clearly and later go on.
func TestWriteErrors(t *testing.T) {
	file := os.Getenv(limitFile)
	if file == "" {
		runChild(t, "TestWriteErrors", limitFile+"="+newFile(t))
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	store := open(t, file, &Options{checkpoint: 16})
	for range 5 {
		oneTurnOf(t, store, benchKey(0))
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	tight := syscall.Rlimit{Cur: uint64(size(file+"-wal")) + 100<<10, Max: before.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &tight); err != nil {
		t.Fatal(err)
	}
	turns, failed := int64(5), 0
	for range 400 {
		snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{Recent: 4})
		if snap.Turns != turns {
			t.Fatalf("%d turns are read, %d were acknowledged", snap.Turns, turns)
		}
		d := turnOf(benchKey(0), snap, time.Now())
		d.Messages[0].Text = strings.Repeat("a long message ", 500)
		switch err := store.Commit(t.Context(), d); {
		case err == nil:
			turns++
		case errors.Is(err, memory.ErrUnavailable) && strings.Contains(err.Error(), "the disk"):
			failed++
		default:
			t.Fatalf("Commit: %v", err)
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if failed == 0 {
		t.Error("no write was refused")
	}
	oneTurnOf(t, store, benchKey(0))
	if snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{Fresh: true}); snap.Turns != turns+1 {
		t.Errorf("%d turns, want %d", snap.Turns, turns+1)
	}
	mustBeSound(t, file)
}

// Where the process can open no more files, or too few, the limit is named, not the
// permissions.
func TestTooManyOpenFiles(t *testing.T) {
	file := furnished(t, 1, 1)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	opened, refused := 0, 0
	for spare := range uint64(12) {
		for _, name := range []string{file, newFile(t)} {
			free, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			first := uint64(free.Fd())
			free.Close()
			if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: first + spare, Max: before.Max}); err != nil {
				t.Fatal(err)
			}
			store, err := Open(t.Context(), name, nil)
			if err == nil {
				err = store.Close()
				opened++
			} else if refused++; !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "ulimit -n") || strings.Contains(err.Error(), "permissions") {
				t.Errorf("with %d files to spare: %v", spare, err)
			}
			if e := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); e != nil {
				t.Fatal(e)
			}
			if err == nil {
				mustBeSound(t, name)
			}
		}
	}
	if opened == 0 || refused == 0 {
		t.Errorf("%d were opened, %d refused: the limit is not where it should be", opened, refused)
	}
}
