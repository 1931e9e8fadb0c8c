package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// mustBeSound checks a file whatever became of its test.
func mustBeSound(t testing.TB, file string) *Report {
	t.Helper()
	r, err := Check(context.Background(), file, nil)
	if err != nil {
		t.Fatalf("Check: %v", err)
	}
	if !r.Sound || len(r.Problems) > 0 {
		t.Errorf("Check of a sound file: %+v", r.Problems)
	}
	return r
}

// furnish fills a store with rows in every table.
func furnish(t testing.TB, store *sqlstore.Store, sessions, turns int) {
	t.Helper()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range sessions {
		key := benchKey(i)
		for n := range turns {
			d := turnOf(key, mustLoad(t, store, key, memory.LoadOptions{}), at)
			d.State.Params = map[string]any{"order_id": fmt.Sprintf("O-%05d", n), "note": strings.Repeat("a long note ", 20)}
			d.State.LastResult = []byte(`{"status":"shipped"}`)
			d.Messages[1].Metadata = map[string]string{"source": "test"}
			d.Messages[1].ToolCalls = []memory.ToolCall{{ID: "1", Tool: "find", Args: []byte(`{"a":1}`)}}
			d.Steps = []memory.Step{{IdempotencyKey: fmt.Sprint("k", n), Origin: fmt.Sprint("o", n), Tool: "buy", Turn: d.Turn.Number, Status: memory.StepDone, Result: []byte(`{}`), StartedAt: at, EndedAt: at}}
			d.Jobs = []memory.WantedJob{{Kind: "summary", RunAt: at}}
			mustCommit(t, store, d)
		}
		if err := store.Describe(t.Context(), key, memory.About{Title: fmt.Sprint("about ", i), Tags: []string{"tagged"}}); err != nil {
			t.Fatal(err)
		}
		if err := store.Start(t.Context(), key, int64(turns), memory.Step{IdempotencyKey: "open", Tool: "sell", StartedAt: at}); err != nil {
			t.Fatal(err)
		}
		v := memory.View{Key: key, Tier: "summary", ID: "block/1", UpTo: 2, At: at, Data: []byte("what was said " + key.SessionID)}
		if n, err := store.PutViews(t.Context(), []memory.View{v}); n != 1 || err != nil {
			t.Fatalf("PutViews = %d, %v", n, err)
		}
	}
}

// furnished is a closed file with rows in every table.
func furnished(t testing.TB, sessions, turns int) string {
	t.Helper()
	file := newFile(t)
	store := open(t, file, nil)
	furnish(t, store, sessions, turns)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// parts are the files of a database that a crash leaves.
var parts = []string{"", "-wal", claimSuffix}

func copied(t testing.TB, file string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "memory.db")
	for _, suffix := range parts {
		if err := copyFile(file+suffix, to+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			t.Fatal(err)
		}
	}
	return to
}

// A check of a file that is being written sees one moment of it, and all its rows.
func TestCheckWhileServing(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	furnish(t, store, 3, 2)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				oneTurnOf(t, store, benchKey(7))
			}
		}
	}()
	for range 5 {
		var done, total int64
		r, err := Check(t.Context(), file, func(d, n int64) { done, total = d, n })
		if err != nil || !r.Sound {
			t.Fatalf("Check: %+v, %v", r, err)
		}
		if r.Schema != r.Latest || r.Rows["sessions"] < 3 || r.Rows["plan_steps"] != 9 || r.Rows["views"] != 3 || r.Rows["jobs"] != 3 {
			t.Errorf("rows read: %v of schema %d", r.Rows, r.Schema)
		}
		if done != r.Total() || total != done {
			t.Errorf("progress ended at %d of %d, %d rows were read", done, total, r.Total())
		}
	}
	close(stop)
	<-stopped
}

// Every column of every table is under a checksum, which a check and reading both verify.
func TestCheckFindsChangedColumns(t *testing.T) {
	file := furnished(t, 2, 2)
	columns := map[string]string{
		"sessions": "user_id agent_id session_id title tags system_prompt metadata expires_at about_crc version epoch next_seq floor_seq turns gone " +
			"created_at updated_at stated waiting_for_param last_intent_id params last_result plan_execution crc",
		"messages":   "turn created_at role content name tool_call_id tool_calls metadata tokens importance crc retracted",
		"turns":      "request_id turn created_at intent outcome response crc version epoch next_seq floor_seq gone waiting_for_param last_intent_id params last_result plan_execution undone",
		"plan_steps": "idempotency_key origin turn plan step tool args status result error_code started_at ended_at crc outcome_crc",
		"views":      "tier id epoch up_to at data crc",
	}
	for n := range 25 { // one column of every table at a time
		bad := copied(t, file)
		changed := map[string]string{}
		for table, list := range columns {
			if names := strings.Fields(list); n < len(names) {
				changed[table] = names[n]
				mustSQL(t, bad, fmt.Sprintf(`UPDATE %s SET %s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + 64 WHEN 'blob' THEN CAST(%[2]s || 'secret' AS BLOB) ELSE %[2]s || 'secret' END`, table, names[n]))
			}
		}
		r, err := Check(t.Context(), bad, nil)
		if err != nil {
			t.Fatalf("%v: %v", changed, err)
		}
		for table, column := range changed {
			i := slices.IndexFunc(r.Problems, func(p Problem) bool { return p.Kind == ProblemChecksum && p.Table == table })
			if i < 0 {
				t.Errorf("%s.%s was changed: %+v", table, column, r.Problems)
			} else if p := r.Problems[i]; p.Key == nil || strings.Contains(p.Text, "secret") {
				t.Errorf("%s.%s: problem %+v", table, column, p)
			}
		}
	}
}

// Rows that do not belong together.
func TestCheckFindsMissingRows(t *testing.T) {
	file := furnished(t, 2, 2)
	for _, c := range []struct{ name, change, kind, table string }{
		{"a message in the middle", "DELETE FROM messages WHERE seq = 2", ProblemGap, "messages"},
		{"the last message", "DELETE FROM messages WHERE seq = 4", ProblemGap, "messages"},
		{"all messages", "DELETE FROM messages", ProblemGap, "messages"},
		{"a turn", "DELETE FROM turns WHERE turn = 1", ProblemGap, "turns"},
		{"another turn", "UPDATE turns SET turn = 9 WHERE turn = 2", ProblemGap, "turns"},
		{"a call of the journal", "DELETE FROM plan_steps WHERE place = 1", ProblemGap, "plan_steps"},
		{"the order of the journal", "UPDATE plan_steps SET place = place + 64 WHERE place = 2", ProblemGap, "plan_steps"},
		{"a session", "DELETE FROM sessions WHERE session_id = 'session-0'", ProblemOrphan, "messages"},
		{"all sessions", "DELETE FROM sessions", ProblemOrphan, "jobs"},
		{"a journal's session", "UPDATE plan_steps SET session = session + 1000", ProblemOrphan, "plan_steps"},
		{"a view's session", "UPDATE views SET session = session + 1000", ProblemOrphan, "views"},
		{"an index", "DROP INDEX turns_by_request", ProblemSchema, "sqlite_schema"},
		{"an index's condition", "DROP INDEX jobs_due; CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE dead = 1", ProblemSchema, "sqlite_schema"},
		{"a table more", "CREATE TABLE stranger (id INTEGER)", ProblemSchema, "sqlite_schema"},
		{"a migration's record", "UPDATE goose_db_version SET is_applied = 0 WHERE version_id = 1", ProblemSchema, "goose_db_version"},
		{"an index that lies", "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '(session, request_id)', '(session, intent)') WHERE name = 'turns_by_request'", ProblemIntegrity, ""},
	} {
		bad := copied(t, file)
		mustSQL(t, bad, c.change)
		r, err := Check(t.Context(), bad, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.Sound || !slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Kind == c.kind && p.Table == c.table }) {
			t.Errorf("%s is missing: %+v, want a %s of %s", c.name, r.Problems, c.kind, c.table)
		}
	}
}

// A check changes no file, and works where nothing can be written.
func TestCheckChangesNothing(t *testing.T) {
	file := newFile(t)
	store := open(t, file, &Options{Durability: Relaxed})
	furnish(t, store, 2, 2)
	crashed := copied(t, file) // with its WAL, as after a crash
	before := read(t, crashed)
	want := mustBeSound(t, crashed)
	if diff := cmp.Diff(before, read(t, crashed)); diff != "" {
		t.Error("the check changed the file or its write-ahead log")
	}
	if want.Rows["messages"] != 8 {
		t.Errorf("%d messages in a file with a write-ahead log, want 8", want.Rows["messages"])
	}
}

// read returns a database with its log.
func read(t testing.TB, file string) [3]string {
	t.Helper()
	var out [3]string
	for i, suffix := range parts {
		text, err := os.ReadFile(file + suffix)
		if err != nil && (i == 0 || !errors.Is(err, os.ErrNotExist)) {
			t.Fatal(err)
		}
		out[i] = string(text)
	}
	return out
}

func TestCheckIsCancelled(t *testing.T) {
	file := furnished(t, 1, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, file, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Check with an ended context: %v", err)
	}
}
