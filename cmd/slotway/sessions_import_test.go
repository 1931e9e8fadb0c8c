package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// An import of sessions that are there takes none, and says why.
func TestImportOfWhatIsThere(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	file := filepath.Join(here, "ann.jsonl")
	command := func(dir, want string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		code := run(t.Context(), append([]string{"--data", dir, "--set", "telemetry.log=none"}, args...), strings.NewReader("where is my order?\n"), &out, &out)
		if code != exitOK || !strings.Contains(out.String(), want) {
			t.Fatalf("%q: exit %d, want %q:\n%s", args, code, want, out.String())
		}
	}
	command(here, "order", "chat", "--session", "ann")
	command(here, "", "sessions", "export", "ann", "--reveal", "--output", file)
	command(there, "1 sessions imported", "sessions", "import", file)
	command(there, "no session of the file is new", "sessions", "import", file)
}
