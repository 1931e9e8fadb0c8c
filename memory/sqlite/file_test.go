package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// Every column of every row is under its checksum.
func TestCorruptRows(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	key := benchKey(1)
	for _, c := range []struct{ table, columns string }{
		{"sessions", "user_id version epoch next_seq floor_seq turns gone created_at updated_at stated waiting_for_param last_intent_id params last_result plan_execution crc"},
		{"messages", "turn created_at role content name tool_call_id tool_calls metadata tokens importance crc"},
		{"turns", "turn created_at intent outcome response crc version epoch next_seq floor_seq gone waiting_for_param last_intent_id params last_result plan_execution"},
		{"plan_steps", "idempotency_key origin turn plan step tool args result error_code started_at ended_at crc outcome_crc"},
	} {
		for column := range strings.FieldsSeq(c.columns) {
			snap := mustLoad(t, store, key, memory.LoadOptions{})
			d := turnOf(key, snap, time.Now())
			d.State.Params = map[string]any{"order_id": "secret"}
			mustCommit(t, store, d)
			if err := store.Start(t.Context(), key, d.Base+1, memory.Step{IdempotencyKey: "k", Args: []byte(`{"a":"secret"}`)}); err != nil {
				t.Fatal(err)
			}
			change := fmt.Sprintf("UPDATE %s SET %s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + 1 WHEN 'blob' THEN CAST(%[2]s || 'secret' AS BLOB) ELSE %[2]s || 'secret' END", c.table, column)
			mustSQL(t, file, change)
			opts := memory.LoadOptions{Recent: 10, RequestID: d.Turn.RequestID}
			snap, err := store.Load(t.Context(), key, opts)
			var said string // what cannot be read, or what the session was loaded without
			switch {
			case err == nil:
				said = strings.Join(snap.Damaged, " ")
			case errors.Is(err, memory.ErrCorrupt):
				said = err.Error()
			}
			if !strings.Contains(said, c.table) || strings.Contains(said, "secret") {
				t.Errorf("changed %s.%s: Load: %v, it says %q", c.table, column, err, said)
			}
			if err := store.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestMissingMessage(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	preload(t, store, benchKey(1), 10)
	mustSQL(t, file, "DELETE FROM messages WHERE seq = 5")
	holed := mustLoad(t, store, benchKey(1), memory.LoadOptions{Recent: 10, Fresh: true})
	if len(holed.Damaged) == 0 {
		t.Error("a hole is not said")
	}
	if after := mustLoad(t, store, benchKey(1), memory.LoadOptions{Recent: 5}); len(after.Damaged) != 0 { // what lies after it is fine
		t.Errorf("behind the hole: %q", after.Damaged)
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

// A database that somebody else holds is an error in time, and usable afterwards.
func TestBusy(t *testing.T) {
	file := newFile(t)
	store := open(t, file, &Options{BusyTimeout: 20 * time.Millisecond})
	oneTurnOf(t, store, benchKey(1))
	rival, err := openConn(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rival.close()
	if err := rival.exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	snap := mustLoad(t, store, benchKey(1), memory.LoadOptions{}) // reads go on
	if err := store.Commit(context.Background(), turnOf(benchKey(1), snap, time.Now())); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Commit on a held database: %v", err)
	}
	if err := rival.exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	oneTurnOf(t, store, benchKey(1))
}
