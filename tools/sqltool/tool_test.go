package sqltool_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/sqltool"
)

const seed = `
CREATE TABLE parcels (id TEXT PRIMARY KEY, weight REAL, pieces INTEGER, sent DATE, note TEXT, label BLOB);
INSERT INTO parcels VALUES ('P-1', 2.5, 3, '2024-05-01', NULL, x'6869'), ('P-2', 1, 9007199254740993, NULL, 'frail', NULL);
CREATE TABLE counter (n INTEGER NOT NULL);
INSERT INTO counter VALUES (0);
`

func openDB(t *testing.T, dsn string) *sqltool.DB {
	t.Helper()
	db, err := sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, dsn, []byte(seed))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func readTool(query string, one bool) *tools.Spec {
	return &tools.Spec{Name: "r", Effect: config.EffectRead, Query: query, One: one}
}

func writeTool(query string, one bool) *tools.Spec {
	return &tools.Spec{Name: "w", Effect: config.EffectWrite, Idempotent: true, Query: query, One: one}
}

func run(t *testing.T, db *sqltool.DB, spec *tools.Spec, key string, args map[string]any) (any, error) {
	t.Helper()
	tool, err := sqltool.New(spec, db)
	if err != nil {
		t.Fatal(err)
	}
	return tool.Call(t.Context(), tools.Call{Tool: spec.Name, Args: args, IdempotencyKey: key})
}

func TestRead(t *testing.T) {
	first := map[string]any{"id": "P-1", "weight": 2.5, "pieces": 3.0, "sent": "2024-05-01", "note": nil, "label": "hi"}
	second := map[string]any{"id": "P-2", "weight": 1.0, "pieces": "9007199254740993", "sent": nil, "note": "frail", "label": nil}
	tests := []struct {
		name string
		spec *tools.Spec
		args map[string]any
		want any
		code tools.Code
	}{
		{"rows", readTool("SELECT * FROM parcels ORDER BY id", false), nil, []any{first, second}, ""},
		{"no rows", readTool("SELECT * FROM parcels WHERE id = :id", false), nil, []any{}, ""},
		{"one", readTool("SELECT * FROM parcels WHERE id = :id", true), map[string]any{"id": "P-2"}, second, ""},
		{"none", readTool("SELECT * FROM parcels WHERE id = :id", true), map[string]any{"id": "P-3"}, nil, tools.NotFound},
		{"whole numbers match", readTool("SELECT id FROM parcels WHERE pieces = :n", true), map[string]any{"n": 3.0}, map[string]any{"id": "P-1"}, ""},
		{"list as JSON", readTool("SELECT count(*) AS n FROM parcels WHERE id IN (SELECT value FROM json_each(:ids))", true), map[string]any{"ids": []any{"P-1", "P-2"}}, map[string]any{"n": 2.0}, ""},
		{"an injection is a value", readTool("SELECT id FROM parcels WHERE id = :id", false), map[string]any{"id": "x' OR '1'='1"}, []any{}, ""},
		{"too many", readTool("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 1001) SELECT n FROM c", false), nil, nil, tools.BadResult},
	}
	for _, dsn := range []string{":memory:", filepath.Join(t.TempDir(), "a b?.db")} {
		if strings.Contains(dsn, "?") {
			dsn = "file:" + strings.ReplaceAll(dsn, "?", "")
		}
		db := openDB(t, dsn)
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				got, err := run(t, db, tt.spec, "", tt.args)
				if tools.CodeOf(err) != tt.code {
					t.Fatalf("error %v, want %q", err, tt.code)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("result (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestNewRefuses(t *testing.T) {
	db := openDB(t, ":memory:")
	for name, spec := range map[string]*tools.Spec{
		"read that deletes":         readTool("DELETE FROM parcels", false),
		"read that lifts the guard": readTool("PRAGMA query_only = 0", false),
		"write that attaches":       writeTool("ATTACH 'x.db' AS x", false),
		"write that selects":        writeTool("SELECT 1", false),
		"two statements":            readTool("SELECT 1; DELETE FROM parcels", false),
		"no such table":             readTool("SELECT * FROM nowhere", false),
		"syntax":                    readTool("SELECT FROM", false),
	} {
		if _, err := sqltool.New(spec, db); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestReadCannotWrite(t *testing.T) {
	for _, dsn := range []string{":memory:", filepath.Join(t.TempDir(), "x.db")} {
		db := openDB(t, dsn)
		_, err := run(t, db, readTool("WITH q AS (SELECT 1) DELETE FROM parcels RETURNING id", false), "", nil)
		if tools.CodeOf(err) != tools.Denied {
			t.Errorf("%v, want denied", err)
		}
		got, err := run(t, db, readTool("SELECT count(*) AS n FROM parcels", true), "", nil)
		if diff := cmp.Diff(any(map[string]any{"n": 2.0}), got); diff != "" || err != nil {
			t.Errorf("after it: %v %s", err, diff)
		}
	}
}

func TestWrite(t *testing.T) {
	tests := []struct {
		name string
		spec *tools.Spec
		args map[string]any
		want any
		code tools.Code
	}{
		{"changed", writeTool("UPDATE parcels SET note = :n", false), map[string]any{"n": "x"}, map[string]any{"changed": 2.0}, ""},
		{"nothing changed", writeTool("UPDATE parcels SET note = :n WHERE id = 'none'", false), nil, map[string]any{"changed": 0.0}, ""},
		{"one, not there", writeTool("UPDATE parcels SET note = :n WHERE id = 'none'", true), nil, nil, tools.NotFound},
		{"returning", writeTool("INSERT INTO parcels (id) VALUES (:id) RETURNING id", true), map[string]any{"id": "P-9"}, map[string]any{"id": "P-9"}, ""},
		{"returning none", writeTool("DELETE FROM parcels WHERE id = :id RETURNING id", true), map[string]any{"id": "P-404"}, nil, tools.NotFound},
		{"returning rows", writeTool("DELETE FROM parcels RETURNING id", false), nil, []any{map[string]any{"id": "P-1"}, map[string]any{"id": "P-2"}, map[string]any{"id": "P-9"}}, ""},
		{"constraint", writeTool("INSERT INTO counter VALUES (:canary)", false), map[string]any{"canary": nil}, nil, tools.Conflict},
	}
	db := openDB(t, filepath.Join(t.TempDir(), "w.db"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := run(t, db, tt.spec, "", tt.args)
			if tools.CodeOf(err) != tt.code {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

const increment = "UPDATE counter SET n = n + :by RETURNING n"

func counter(t *testing.T, db *sqltool.DB) float64 {
	t.Helper()
	v, err := run(t, db, readTool("SELECT n FROM counter", true), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)["n"].(float64)
}

func TestExactlyOnce(t *testing.T) {
	db := openDB(t, filepath.Join(t.TempDir(), "once.db"))
	tool, err := sqltool.New(writeTool(increment, true), db)
	if err != nil {
		t.Fatal(err)
	}
	const keys, calls = 5, 6
	var wg sync.WaitGroup
	results := make([][]any, keys)
	for k := range keys {
		results[k] = make([]any, calls)
		for c := range calls {
			wg.Go(func() {
				v, err := tool.Call(context.Background(), tools.Call{
					Tool: "w", Args: map[string]any{"by": 1.0}, IdempotencyKey: fmt.Sprint("k", k),
				})
				if err != nil {
					t.Error(err)
				}
				results[k][c] = v
			})
		}
	}
	wg.Wait()
	if n := counter(t, db); n != keys {
		t.Errorf("counter %v after %d keys", n, keys)
	}
	for k, same := range results {
		for _, v := range same {
			if diff := cmp.Diff(same[0], v); diff != "" {
				t.Errorf("key %d answered differently:\n%s", k, diff)
			}
		}
	}
}

func TestKeyOfAnotherCall(t *testing.T) {
	db := openDB(t, ":memory:")
	if _, err := run(t, db, writeTool(increment, true), "k", map[string]any{"by": 1.0}); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, db, writeTool(increment, true), "k", map[string]any{"by": 1.0, "absent": nil}); err != nil {
		t.Errorf("an absent argument made a difference: %v", err)
	}
	_, err := run(t, db, writeTool(increment, true), "k", map[string]any{"by": 2.0})
	if tools.CodeOf(err) != tools.Conflict {
		t.Errorf("other arguments: %v, want conflict", err)
	}
	other := writeTool(increment, true)
	other.Name = "other"
	if _, err := run(t, db, other, "k", map[string]any{"by": 1.0}); tools.CodeOf(err) != tools.Conflict {
		t.Errorf("another tool: %v, want conflict", err)
	}
	if n := counter(t, db); n != 1 {
		t.Errorf("counter %v, want 1", n)
	}
}

// The second answer is the first one, also where JSON has two forms of a number.
func TestRecordedResultIsTheSame(t *testing.T) {
	db := openDB(t, ":memory:")
	spec := writeTool("UPDATE parcels SET weight = 1e20, pieces = -9007199254740993 WHERE id = 'P-1' RETURNING *", true)
	first, err := run(t, db, spec, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := run(t, db, spec, "k", nil)
	if diff := cmp.Diff(first, second); diff != "" || err != nil {
		t.Errorf("%v (-first +second):\n%s", err, diff)
	}
}

// A failed write leaves no trace of its key: the next try is the first.
func TestFailureDoesNotUseUpTheKey(t *testing.T) {
	db := openDB(t, ":memory:")
	spec := writeTool("UPDATE parcels SET note = 'x' WHERE id = :id", true)
	if _, err := run(t, db, spec, "k", map[string]any{"id": "P-7"}); tools.CodeOf(err) != tools.NotFound {
		t.Fatalf("%v, want not_found", err)
	}
	if _, err := run(t, db, writeTool("INSERT INTO parcels (id) VALUES ('P-7')", false), "", nil); err != nil {
		t.Fatal(err)
	}
	if v, err := run(t, db, spec, "k", map[string]any{"id": "P-7"}); err != nil {
		t.Errorf("%v, %v", v, err)
	}
}

func TestCancelledWriteIsCertain(t *testing.T) {
	db := openDB(t, ":memory:")
	tool, err := sqltool.New(writeTool(increment, true), db)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = tool.Call(ctx, tools.Call{Tool: "w", Args: map[string]any{"by": 1.0}, IdempotencyKey: "k"})
	if tools.CodeOf(err) != tools.Timeout {
		t.Errorf("%v, want timeout", err)
	}
	if n := counter(t, db); n != 0 {
		t.Errorf("counter %v, want 0", n)
	}
}

func TestNoValueInErrors(t *testing.T) {
	db := openDB(t, ":memory:")
	const canary = "CANARY-77"
	for _, spec := range []*tools.Spec{
		readTool("SELECT json_extract(:x, '$.a')", true),
		readTool("SELECT abs(:x), json(:x)", true),
		writeTool("INSERT INTO counter VALUES (:none)", true),
		writeTool("INSERT INTO parcels (id) VALUES ('P-1') RETURNING :x", true),
	} {
		_, err := run(t, db, spec, "k"+spec.Query, map[string]any{"x": canary})
		if err == nil {
			t.Errorf("%s: no error", spec.Query)
		} else if strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", spec.Query, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ driver, dsn, seed string }{
		"driver":       {"postgres", "postgres://secret@host/db", ""},
		"no file":      {"sqlite", "", ""},
		"no folder":    {"sqlite", "/nowhere/secret/x.db", ""},
		"broken seed":  {"sqlite", ":memory:", "CREATE TABLE x (; "},
		"seed commits": {"sqlite", ":memory:", "BEGIN; CREATE TABLE x (y); COMMIT;"},
	} {
		db, err := sqltool.Open(config.Database{Name: "d", Driver: tt.driver}, tt.dsn, []byte(tt.seed))
		if err == nil {
			db.Close()
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows the DSN: %v", name, err)
		}
	}
}
