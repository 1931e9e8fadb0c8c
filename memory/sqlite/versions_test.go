package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// firstRelease are rows as the first schema held them, with the checksums that the release
// wrote: should a formula change, old files could no longer be read.
var firstRelease = []string{
	`PRAGMA journal_mode = WAL`,
	`INSERT INTO sessions VALUES (1, 'ada', 'shop', 'one')`,
	`INSERT INTO state VALUES (1, 2, 0, 3, 1, 1, 1767323045000000, 1767323045000000, 'order_id', 'order_status', '{"customer":"C-1"}', '', '', -230706125)`,
	`INSERT INTO messages VALUES (16777217, 1, 1767323045000000, 'user', 'where is my order?', '', '', '', '', 5, 0, -404814985)`,
	`INSERT INTO messages VALUES (16777218, 1, 1767323045000000, 'agent', 'which one?', '', '', '', '{"k":"v"}', 3, 0, 1308105994)`,
	`INSERT INTO turns VALUES (1, 1, 'r-1', 1, 1767323045000000, 'order_status', 'asked', '{"reply":"which one?"}', 1022624391)`,
	`INSERT INTO plan_steps VALUES (1, 1, 'key-1', 1, 'p', 's', 'buy', '{"a":1}', 'started', 1, '', '', 1767323045000000, 1767323045000000, -1813985550)`,
}

// firstFile makes a file of the first schema.
func firstFile(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.db")
	name, err := dataSource(file, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p, err := provider(db)
	if err == nil {
		_, err = p.UpTo(t.Context(), 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range firstRelease {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return file
}

// A file of the first release is checked as it is, then migrated, and all of it is there.
func TestFirstSchema(t *testing.T) {
	file := firstFile(t)
	before := read(t, file)
	r := mustBeSound(t, file)
	if r.Schema != 1 || r.Latest < 3 || r.Rows["messages"] != 2 || read(t, file) != before {
		t.Errorf("Check of the first schema: %+v", r)
	}
	store := open(t, file, nil)
	key := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "one"}
	snap := mustLoad(t, store, key, memory.LoadOptions{Recent: 9, RequestID: "r-1"})
	at := time.UnixMicro(1767323045000000).UTC()
	want := []memory.Message{
		{Seq: 1, Turn: 1, Role: memory.User, Text: "where is my order?", Timestamp: at, Tokens: 5},
		{Seq: 2, Turn: 1, Role: memory.Agent, Text: "which one?", Timestamp: at, Tokens: 3, Metadata: map[string]string{"k": "v"}},
	}
	if diff := cmp.Diff(want, snap.Recent); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if snap.State.WaitingForParam != "order_id" || snap.State.Params["customer"] != "C-1" || snap.Replay == nil || len(snap.OpenSteps) != 1 {
		t.Errorf("after migrating: %+v", snap)
	}
	d := turnOf(key, snap, at)
	d.Jobs = []memory.WantedJob{{Kind: "summary", RunAt: at}}
	mustCommit(t, store, d)
	if list, err := store.Sessions(t.Context(), memory.Query{}); err != nil || len(list) != 1 {
		t.Errorf("Sessions = %v, %v", list, err) // a row without a checksum
	}
	store.Close()
	if r := mustBeSound(t, file); r.Schema != r.Latest {
		t.Errorf("after opening the schema is %d of %d", r.Schema, r.Latest)
	}
}

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
		{"a migration forgotten", changed("DELETE FROM goose_db_version WHERE version_id > 1"), memory.ErrCorrupt},
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
	if store.checks.wal != file+"-wal" {
		t.Errorf("the log is looked for at %s", store.checks.wal)
	}
	if r := mustBeSound(t, link); r.Rows["turns"] != 1 {
		t.Errorf("rows by the link: %v", r.Rows)
	}
}
