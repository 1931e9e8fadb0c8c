package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// What must not be opened is refused with a word of what to do, is left as it was, and
// nothing takes its place; a check says the same.
func TestRefusals(t *testing.T) {
	sound := read(t, furnished(t, 1, 1))[0]
	write := func(text string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(text), 0o600) }
	}
	changed := func(statement string) func(string) error {
		return func(file string) error {
			err := os.WriteFile(file, []byte(sound), 0o600)
			mustSQL(t, file, statement)
			return err
		}
	}
	for _, c := range []struct {
		name string
		make func(file string) error
		want error
	}{
		{"no database", write(string(bytes.Repeat([]byte("this is a letter, no database\n"), 500))), ErrNotDatabase},
		{"a short text", write("hello"), ErrNotDatabase},
		{"an empty file", write(""), ErrLost},
		{"an empty file with a log", func(file string) error {
			return errors.Join(os.WriteFile(file, nil, 0o600), os.WriteFile(file+"-wal", bytes.Repeat([]byte{1}, 5000), 0o600))
		}, ErrLost},
		{"a log without a file", func(file string) error {
			return os.WriteFile(file+"-wal", []byte(crashed(t, 2)[1]), 0o600)
		}, ErrLost},
		{"zeros", write(string(make([]byte, 3*pageSize))), ErrNotDatabase},
		{"a newer schema", changed("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"), ErrNewer},
		{"another program's", changed("PRAGMA application_id = 42; DROP TABLE plan_steps"), ErrForeign},
		{"a damaged header", changed("PRAGMA application_id = 42"), memory.ErrCorrupt},
		{"a migration forgotten", changed("DELETE FROM goose_db_version WHERE version_id > 0"), memory.ErrCorrupt},
		{"a table lost", changed("DROP TABLE goose_db_version"), memory.ErrCorrupt},
		{"a folder", func(file string) error { return os.Mkdir(file, 0o700) }, memory.ErrUnavailable},
		{"a loop of links", func(file string) error { return os.Symlink(file, file) }, memory.ErrUnavailable},
		{"a link to nothing", func(file string) error { return os.Symlink(file+".gone", file) }, memory.ErrUnavailable},
		{"a device", func(file string) error { return os.Symlink(os.DevNull, file) }, memory.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "memory.db")
			if err := c.make(file); err != nil {
				t.Fatal(err)
			}
			before := listing(t, file)
			store, err := Open(t.Context(), file, nil)
			if store != nil || !errors.Is(err, c.want) {
				t.Fatalf("Open: %v, want %v", err, c.want)
			}
			t.Log(err)
			if diff := cmp.Diff(before, listing(t, file)); diff != "" {
				t.Errorf("Open changed the folder (-before +after):\n%s", diff)
			}
			if r, err := Check(t.Context(), file, nil); err == nil && r.Sound {
				t.Error("a check found nothing")
			} else if err != nil && !known(err) && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Check: %v", err)
			}
		})
	}
	if _, err := Open(t.Context(), newFile(t), &Options{Durability: "eternal"}); err == nil {
		t.Error("an unknown durability was accepted")
	}
}

// listing reads a file's folder; a damaged database may get an empty log beside it.
func listing(t testing.TB, file string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(filepath.Dir(file), e.Name())
		if e.Type()&fs.ModeSymlink != 0 || e.IsDir() {
			all[e.Name()] = e.Type().String()
		} else if text, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		} else if len(text) > 0 || name == file {
			all[e.Name()] = string(text)
		}
	}
	return all
}

// A link leads to the file, and to the log beside the file.
func TestLinkToFile(t *testing.T) {
	file := newFile(t)
	open(t, file, nil).Close()
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	store := open(t, link, nil)
	oneTurnOf(t, store, benchKey(0))
	if size(file+"-wal") == 0 {
		t.Error("the log does not lie beside the file")
	}
	if r := mustBeSound(t, link); r.Rows["turns"] != 1 {
		t.Errorf("rows by the link: %v", r.Rows)
	}
}
