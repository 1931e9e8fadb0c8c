package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/test/disktest"
)

// TestKeysOutlastAPowerCut: after a power cut a new key exists, and a revoked one does not.
func TestKeysOutlastAPowerCut(t *testing.T) {
	disk := disktest.New(t)
	if err := os.Mkdir(filepath.Join(disk.Root, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(disk.Root, "new", "keys.yaml")
	change := func(args ...string) {
		t.Helper()
		if code, _, errs := command(t, append([]string{"keys", "--file", path}, args...)...); code != exitOK {
			t.Fatalf("keys %v: %s", args, errs)
		}
	}
	left := func(want string) {
		t.Helper()
		keys, _, err := readKeys(filepath.Join(disk.Cut(nil), "new", "keys.yaml"))
		var names []string
		for _, key := range keys {
			names = append(names, key.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("after a power cut: keys %q, want %q; %v", got, want, err)
		}
	}
	change("new", "--name", "one", "--user", "a")
	left("one")
	change("new", "--name", "two", "--user", "b")
	left("one two")
	change("revoke", "one")
	left("two")
}

// TestStaleChangesOfKeys: what an interrupted change left behind does not block a later one. A
// change in progress does.
func TestStaleChangesOfKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.yaml")
	for _, name := range []string{path + ".new", filepath.Join(filepath.Dir(path), ".keys.yaml.new-1")} {
		if err := os.WriteFile(name, []byte("keys:\n- half of"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"new", "--name", "one", "--user", "a"}, {"new", "--name", "two", "--user", "b"}, {"revoke", "one"}} {
		if code, _, errs := command(t, append([]string{"keys", "--file", path}, args...)...); code != exitOK {
			t.Errorf("keys %v beside stale files: %s", args, errs)
		}
	}
	file, err := source.OpenFile(path)
	if err != nil || lockFile(file) {
		t.Fatalf("the file cannot be locked: %v", err)
	}
	code, _, errs := command(t, "keys", "revoke", "two", "--file", path)
	if code != exitCheck || !strings.Contains(errs, "is being changed by another process; try again") {
		t.Errorf("while another process changes the keys: %d, %s", code, errs)
	}
	file.Close()
	if code, _, errs := command(t, "keys", "revoke", "two", "--file", path); code != exitOK {
		t.Errorf("once it has: %s", errs)
	}
}
