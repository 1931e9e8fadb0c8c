package main

import (
	"strings"
	"testing"
)

// TestMigrateDownLoses: migrate down stops where it would lose data. --lose lets it continue.
func TestMigrateDownLoses(t *testing.T) {
	dir := t.TempDir()
	migrate := func(args ...string) (int, string) {
		t.Helper()
		code, out, errs := command(t, append([]string{"--data", dir, "migrate"}, args...)...)
		return code, out + errs
	}
	if code, text := migrate("up", "--lose"); code != exitUsage || !strings.Contains(text, "--lose goes with migrate down") {
		t.Errorf("migrate up --lose: %d, %s", code, text)
	}
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"--data", dir, "chat", "--session", "s"}, strings.NewReader("where is O-12345?\n"), &out, &errs); code != exitOK {
		t.Fatal(out.String(), errs.String())
	}
	for range 4 { // to where something is lost
		if code, text := migrate("down"); code != exitOK {
			t.Fatalf("migrate down: %d, %s", code, text)
		}
	}
	if code, text := migrate("down"); code != exitCheck || !strings.Contains(text, "undo and fork; nothing was changed") || strings.Contains(text, "pending") {
		t.Errorf("migrate down that loses: %d, %s", code, text)
	}
	if code, text := migrate("down", "--lose"); code != exitOK || strings.Count(text, "pending") != 5 {
		t.Errorf("migrate down --lose: %d, %s", code, text)
	}
	if code, text := migrate("up"); code != exitOK || strings.Contains(text, "pending") {
		t.Errorf("migrate up: %d, %s", code, text)
	}
	if code, out, errs := command(t, "--data", dir, "db", "check"); code != exitOK {
		t.Errorf("after down and up: %s%s", out, errs)
	}
}
