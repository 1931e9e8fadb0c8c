package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChatFresh: with --fresh the demo can be played repeatedly. Each time the order can be
// cancelled, nobody is known, and nothing is kept.
func TestChatFresh(t *testing.T) {
	home, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("SLOTWAY_MEMORY_STORAGE_PATH", filepath.Join(home, "memory.db"))
	t.Setenv("SLOTWAY_MEMORY_STORAGE", "postgres")
	t.Setenv("SLOTWAY_MEMORY_DSN", "postgres://nobody@127.0.0.1:1/none")
	const lines = "cancel order O-12345\nyes\nwhat is its status\n"
	var first string
	for range 2 {
		code, out, errs := chatWith(t, lines, "chat", "--fresh", "--session", "demo")
		if code != exitOK || !strings.Contains(out, "cancelled") {
			t.Fatalf("exit code %d: %s\n%s", code, out, errs)
		}
		if first == "" {
			first = out
		}
		if out != first {
			t.Errorf("the second time:\n%s\nthe first time:\n%s", out, first)
		}
	}
	for name, dir := range map[string]string{"the folder of the settings": home, "the folder for temporary files": temp} {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("%s holds %v, %v", name, left, err)
		}
	}
}

func TestChatFreshStandsAlone(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--data", t.TempDir(), "chat", "--fresh"}, exitUsage, "--fresh does not go with --data"},
		{[]string{"chat", "--fresh", "--url", "http://127.0.0.1:1"}, exitUsage, "--fresh does not go with --url"},
		{[]string{"--agent", "none.yaml", "chat", "--fresh"}, exitCheck, "none.yaml"},
	} {
		if code, _, errs := chatWith(t, "hi\n", test.args...); code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit code %d, %q, want %d, %q", test.args, code, errs, test.code, test.want)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
