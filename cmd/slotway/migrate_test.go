package main

import (
	"strings"
	"testing"
)

// TestMigrateGoesForward: migrate up makes the schema, status shows it, and down says what to do
// instead.
func TestMigrateGoesForward(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		direction string
		code      int
		text      string
	}{
		{"status", exitOK, "pending  00001_init"},
		{"up", exitOK, "applied  00001_init"},
		{"up", exitOK, "applied  00001_init"},
		{"status", exitOK, "applied  00001_init"},
		{"down", exitUsage, "restore a backup"},
		{"sideways", exitUsage, "up and status"},
	} {
		if code, out, errs := command(t, "--data", dir, "migrate", c.direction); code != c.code || !strings.Contains(out+errs, c.text) {
			t.Errorf("migrate %s: code %d, %s%s", c.direction, code, out, errs)
		}
	}
	if code, out, errs := command(t, "--data", dir, "db", "check"); code != exitOK {
		t.Errorf("db check of a new schema: %s%s", out, errs)
	}
}
