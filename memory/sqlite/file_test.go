package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

func newFile(t testing.TB) string { return filepath.Join(t.TempDir(), "a b?%#", "memory.db") }

func mustLoad(t testing.TB, s memory.Backend, key memory.Key, opts memory.LoadOptions) *memory.Snapshot {
	t.Helper()
	snap, err := s.Load(t.Context(), key, opts)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return snap
}

func mustCommit(t testing.TB, s memory.Backend, d *memory.Delta) {
	t.Helper()
	if err := s.Commit(t.Context(), d); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

// mustSQL runs statements behind the store's back.
func mustSQL(t testing.TB, file string, statements ...string) {
	t.Helper()
	name, err := dataSource(file, url.Values{"_pragma": {"busy_timeout(5000)"}})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestReopen(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	for range 3 {
		mustCommit(t, store, turnOf(benchKey(1), mustLoad(t, store, benchKey(1), memory.LoadOptions{}), time.Now()))
	}
	if err := store.Start(t.Context(), benchKey(1), 3, memory.Step{IdempotencyKey: "k", StartedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
	want := mustLoad(t, store, benchKey(1), memory.LoadOptions{Recent: 10})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v; want 0600", info.Mode(), err)
	}
	store = open(t, file, nil)
	if diff := cmp.Diff(want, mustLoad(t, store, benchKey(1), memory.LoadOptions{Recent: 10})); diff != "" {
		t.Errorf("after reopening (-before +after):\n%s", diff)
	}
}

// A session of another key must not be taken for this one.
func TestCorruptKey(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	preload(t, store, benchKey(1), 2)
	mustSQL(t, file, "UPDATE sessions SET user_id = 'mallory'")
	stolen := benchKey(1)
	stolen.UserID = "mallory"
	if snap := mustLoad(t, store, stolen, memory.LoadOptions{}); snap.Version != 0 {
		t.Errorf("a session is found by another key: %+v", snap)
	}
	if _, err := store.Load(t.Context(), benchKey(1), memory.LoadOptions{Fresh: true}); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("Load by its key: %v", err)
	}
	if list, err := store.Sessions(t.Context(), memory.Query{UserID: "mallory"}); err != nil || len(list) != 0 {
		t.Errorf("Sessions of somebody else: %v, %v", list, err)
	}
}

func TestMigrate(t *testing.T) {
	file := newFile(t)
	applied := func(direction string) (n int) {
		t.Helper()
		list, err := Migrate(t.Context(), file, direction)
		if err != nil || len(list) == 0 || list[0].Version != 1 || list[0].Name != "00001_init" {
			t.Fatalf("Migrate %s = %+v, %v", direction, list, err)
		}
		for _, m := range list {
			if m.Applied {
				n++
			}
		}
		return n
	}
	if n := applied("status"); n != 0 {
		t.Errorf("status of no file: %d applied", n)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("status made the file: %v", err)
	}
	open(t, file, nil).Close()
	all := applied("status")
	if all == 0 || applied("up") != all {
		t.Errorf("after Open %d are applied", all)
	}
	if _, err := Migrate(t.Context(), file, "sideways"); err == nil {
		t.Error("an unknown direction was accepted")
	}
}

// What Delete erased is in none of the files any more.
func TestDeleteErases(t *testing.T) {
	file := newFile(t)
	store, err := Open(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		d := turnOf(benchKey(i), mustLoad(t, store, benchKey(i), memory.LoadOptions{}), time.Now())
		d.Messages[0].Text = strings.Repeat("very private matter ", 400)
		mustCommit(t, store, d)
	}
	for i := range 20 {
		if err := store.Delete(t.Context(), benchKey(i)); err != nil {
			t.Fatal(err)
		}
	}
	for _, suffix := range []string{"", "-wal"} {
		if text, err := os.ReadFile(file + suffix); err == nil && bytes.Contains(text, []byte("private matter")) {
			t.Errorf("memory.db%s still holds what was deleted", suffix)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// The WAL stays bounded under constant load.
func TestWALIsBounded(t *testing.T) {
	file := newFile(t)
	store := open(t, file, &Options{Durability: Relaxed})
	var largest int64
	for range 4000 {
		oneTurnOf(t, store, benchKey(1))
		if info, err := os.Stat(file + "-wal"); err == nil {
			largest = max(largest, info.Size())
		}
	}
	// Some 64 MiB went through it. A checkpoint that a reader delays leaves the rest to the next.
	if largest > 2*checkpointPages*pageSize {
		t.Errorf("the WAL grew to %d bytes", largest)
	}
}

func oneTurnOf(t testing.TB, store memory.Backend, key memory.Key) {
	t.Helper()
	mustCommit(t, store, turnOf(key, mustLoad(t, store, key, memory.LoadOptions{Recent: 4}), time.Now()))
}

// Two processes on one file: neither ever works on what the other has made stale.
func TestOtherProcess(t *testing.T) {
	file := newFile(t)
	a, b := open(t, file, nil), open(t, file, nil)
	key := benchKey(1)
	oneTurnOf(t, a, key)
	mustLoad(t, b, key, memory.LoadOptions{Recent: 4}) // both have it cached
	oneTurnOf(t, a, key)
	if snap := mustLoad(t, b, key, memory.LoadOptions{Recent: 4}); snap.State.Version != 2 || len(snap.Recent) != 4 {
		t.Errorf("the other store sees version %d", snap.State.Version)
	}
	if err := a.Start(t.Context(), key, 2, memory.Step{IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	if snap := mustLoad(t, b, key, memory.LoadOptions{}); len(snap.OpenSteps) != 1 {
		t.Errorf("the other store sees %d open calls", len(snap.OpenSteps))
	}
	if err := a.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if snap := mustLoad(t, b, key, memory.LoadOptions{Recent: 4}); snap.State.Version != 0 || len(snap.Recent) != 0 {
		t.Errorf("the other store still sees the deleted session")
	}
}
