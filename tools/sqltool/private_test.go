package sqltool

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/slotway/slotway/config"
)

// A database that is made here is its owner's, with what stands beside it; one that was there
// keeps its mode, and one that must not be made is not.
func TestNewDatabasesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	dir := t.TempDir()
	given := filepath.Join(dir, "given.db")
	if err := os.WriteFile(given, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dsn, want := range map[string]fs.FileMode{
		filepath.Join(dir, "plain.db"):              0o600,
		"file:" + filepath.Join(dir, "uri.db"):      0o600,
		filepath.Join(dir, "made.db") + "?mode=rwc": 0o600,
		given: 0o644,
		"file:" + filepath.Join(dir, "x.db") + "?mode=rw": 0,
	} {
		db, err := Open(config.Database{Name: "shop", Driver: "sqlite"}, dsn, []byte("CREATE TABLE t (a)"))
		if (err == nil) != (want != 0) {
			t.Errorf("%s: %v", dsn, err)
		}
		if err != nil {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.db*"))
		if err != nil || len(files) < 3 {
			t.Errorf("%s: files %q, %v", dsn, files, err)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if own := filepath.Base(file)[:4] == "give"; err != nil || (info.Mode().Perm() != 0o600 && !own) {
				t.Errorf("%s has mode %v, %v", file, info.Mode(), err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(given); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the given one: %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x.db")); err == nil {
		t.Error("a database that must not be made was made")
	}
}
