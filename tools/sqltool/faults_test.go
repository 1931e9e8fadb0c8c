package sqltool_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/sqltool"
)

// A file that cannot be opened is refused with a word of what to do, is left as it was, and
// the seed does not take its place.
func TestOpenFaults(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "shop.db")
	openDB(t, sound).Close()
	image, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file, wal, want string
	}{
		{"no database", strings.Repeat("dear sir ", 900), "", "restore a backup"},
		{"half a file", string(image[:len(image)/2]), "", "restore a backup"},
		{"an empty file with a log", "", "log", "restore a backup"},
	} {
		file := filepath.Join(t.TempDir(), "shop.db")
		if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.wal != "" {
			if err := os.WriteFile(file+"-wal", []byte(c.wal), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, file, []byte(seed))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), file) {
			t.Errorf("%s: Open: %v", c.name, err)
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(after, []byte(c.file)) {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
	_, err = sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, t.TempDir(), []byte(seed))
	if err == nil || !strings.Contains(err.Error(), "check the path") {
		t.Errorf("a folder: Open: %v", err)
	}
}

// Another process that writes, or that changed the tables: the
// call fails with a code, nothing is done, and it works when the fault is gone.
func TestCallFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	db := openDB(t, file+"?_pragma=busy_timeout(20)")
	count := writeTool("UPDATE counter SET n = n + 1 RETURNING n", false)
	rival, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer rival.Close()
	rival.SetMaxOpenConns(1)
	for _, c := range []struct{ name, fault, repair string }{
		{"another process writes", "BEGIN IMMEDIATE", "ROLLBACK"},
		{"a table is gone", "ALTER TABLE counter RENAME TO counted", "ALTER TABLE counted RENAME TO counter"},
		{"a refusal", "CREATE TRIGGER t BEFORE UPDATE ON counter BEGIN SELECT raise(ABORT, 'full'); END", "DROP TRIGGER t"},
	} {
		if _, err := rival.ExecContext(t.Context(), c.fault); err != nil {
			t.Fatal(err)
		}
		_, err := run(t, db, count, "k "+c.name, nil)
		var failed *tools.Error
		if !errors.As(err, &failed) || failed.Uncertain {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := rival.ExecContext(t.Context(), c.repair); err != nil {
			t.Fatal(err)
		}
	}
	got, err := run(t, db, count, "k", nil)
	if diff := cmp.Diff(any([]any{map[string]any{"n": 1.0}}), got); err != nil || diff != "" {
		t.Errorf("when the faults are gone: %v (-want +got):\n%s", err, diff)
	}
}
