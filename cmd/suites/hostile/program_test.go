package hostile

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory/sqlite"

	"github.com/slotway/slotway/internal/test/programtest"
)

// program is a data folder with a session that has begun.
type program struct{ binary, data string }

func TestMain(m *testing.M) { programtest.Main(m) }

// buildProgram builds the program and begins a session.
func buildProgram(t *testing.T) *program {
	t.Helper()
	p := &program{binary: programtest.Binary(t), data: filepath.Join(t.TempDir(), "data")}
	if out, code := p.chat(t, p.data, "I want to check my order"); code != 0 {
		t.Fatalf("the first chat: exit code %d\n%s", code, out)
	}
	return p
}

// run runs a command on a data folder and returns what it wrote to both streams.
func (p *program) run(t *testing.T, data, stdin string, args ...string) (string, int) {
	t.Helper()
	// Nothing is trained here that needs the encoder.
	return programtest.Run(t, stdin, append([]string{"--data", data, "--set", "telemetry.log=none", "--set", "classifier.encoder=off"}, args...)...)
}

func (p *program) chat(t *testing.T, data string, lines ...string) (string, int) {
	t.Helper()
	return p.run(t, data, strings.Join(lines, "\n")+"\n", "chat", "--session", "s-1")
}

// folder copies the data folder to a folder, or to a temporary one if to is "".
func (p *program) folder(t *testing.T, to string) string {
	t.Helper()
	if to == "" {
		to = t.TempDir()
	}
	if err := os.CopyFS(to, os.DirFS(p.data)); err != nil {
		t.Fatal(err)
	}
	return to
}

// alter runs a statement on a database while the program does not run.
func alter(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestProgramWithFaults(t *testing.T) {
	programtest.TakesLong(t)
	p := buildProgram(t)
	t.Run("db", func(t *testing.T) { dbCommands(t, p) })
	t.Run("chat", func(t *testing.T) { chatWithFaults(t, p) })
	image, err := os.ReadFile(p.binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SLOTWAY_FAILPOINT", "after_erased_table"} {
		if bytes.Contains(image, []byte(name)) {
			t.Errorf("the program holds the fail point %s", name)
		}
	}
}

// chatWithFaults holds the output of a chat over a faulty file to what a user must see.
func chatWithFaults(t *testing.T, p *program) {
	for _, c := range []struct {
		name  string
		fault func(t *testing.T, file string)
		code  int
		want  []string
	}{
		{"none", func(*testing.T, string) {}, 0, nil},
		{"no database", func(t *testing.T, file string) { writeFile(t, file, strings.Repeat("dear sir ", 900)) }, 1, []string{"is not a SQLite database", "restore a backup"}},
		{"an empty file", func(t *testing.T, file string) { writeFile(t, file, "") }, 1, []string{"the file is empty", "slotway db restore"}},
		{"a folder", func(t *testing.T, file string) {
			if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
				t.Fatal(err)
			}
		}, 1, []string{"the path is a folder"}},
		{"a newer schema", func(t *testing.T, file string) {
			alter(t, file, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
		}, 1, []string{"newer schema", "use a newer release"}},
		{"half a file", func(t *testing.T, file string) {
			if err := os.Truncate(file, 30_000); err != nil {
				t.Fatal(err)
			}
		}, 1, []string{"damaged", "slotway db check"}},
		{"a damaged message", func(t *testing.T, file string) {
			alter(t, file, "UPDATE messages SET content = CAST('something else' AS BLOB)")
		}, 0, []string{"damaged", "slotway db check", "Order O-12345"}},
		{"a damaged state", func(t *testing.T, file string) { alter(t, file, "UPDATE sessions SET waiting_for_param = x''") }, 0, []string{"damaged", "slotway db check", "Order O-12345"}},
		{"another process writes", func(t *testing.T, file string) {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			db.SetMaxOpenConns(1)
			if _, err := db.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
				t.Fatal(err)
			}
		}, 1, []string{"another process holds the database", "Something went wrong here"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := p.folder(t, "")
			c.fault(t, filepath.Join(data, "memory.db"))
			out, code := p.chat(t, data, "It's O-12345")
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			if strings.Contains(out, "panic") || strings.Contains(out, "goroutine ") || c.code != 0 && strings.Contains(out, "something else") {
				t.Error("it panics or tells what is stored")
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}
}

// dbCommands runs check, backup and restore.
func dbCommands(t *testing.T, p *program) {
	data := p.folder(t, "")
	file, backup := filepath.Join(data, "memory.db"), filepath.Join(t.TempDir(), "backup.db")
	must := func(code int, stdin string, args ...string) string {
		t.Helper()
		out, got := p.run(t, data, stdin, args...)
		if got != code {
			t.Fatalf("%q: exit code %d, want %d\n%s", args, got, code, out)
		}
		return out
	}
	var report sqlite.Report
	if err := json.Unmarshal([]byte(must(0, "", "db", "check", "--json")), &report); err != nil || !report.Sound || report.Rows["turns"] != 1 || report.File != file {
		t.Errorf("check --json: %+v, %v", report, err)
	}
	if out := must(0, "", "db", "backup", backup); !strings.Contains(out, "sound") {
		t.Errorf("backup: %s", out)
	}
	if out := must(1, "", "db", "backup", backup); !strings.Contains(out, "--force") {
		t.Errorf("backup over a file: %s", out)
	}
	must(0, "", "db", "backup", "--force", backup)
	must(0, "It's O-12345\n", "chat", "--session", "s-1")
	alter(t, file, "UPDATE turns SET response = CAST('secret' AS BLOB) WHERE turn = 2")
	out := must(1, "", "db", "check")
	if !strings.Contains(out, `session "s-1" of user "local"`) || !strings.Contains(out, "DAMAGED, 1 problems") || strings.Contains(out, "secret") {
		t.Errorf("check of a damaged file:\n%s", out)
	}
	if out := must(1, "", "db", "backup", backup+"2"); !strings.Contains(out, "database is damaged") {
		t.Errorf("backup of a damaged file:\n%s", out)
	}
	if out := must(0, "", "db", "restore", backup); !strings.Contains(out, "is kept as "+file+".replaced-") {
		t.Errorf("restore: %s", out)
	}
	if err := json.Unmarshal([]byte(must(0, "", "db", "check", "--json")), &report); err != nil || !report.Sound || report.Rows["turns"] != 1 {
		t.Errorf("after the restore: %+v, %v", report, err)
	}
	must(0, "It's O-12345\n", "chat", "--session", "s-1")
	must(0, "", "db", "check", backup)
	must(1, "", "db", "check", filepath.Join(data, "shop.db")) // not the store
	must(1, "", "db", "restore", filepath.Join(data, "none.db"))
	must(2, "", "db", "restore")
	must(2, "", "db", "mend")
	if out := must(1, "", "--set", "memory.storage=inmem", "db", "check"); !strings.Contains(out, "only sqlite keeps a file") {
		t.Errorf("check without a file: %s", out)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
