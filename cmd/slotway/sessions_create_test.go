package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
)

// TestSessionsCreate: the command line creates sessions, and shows and changes their descriptions.
func TestSessionsCreate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "prompt.txt")
	if err := os.WriteFile(file, []byte("Say \"Ms\"."), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out, logs bytes.Buffer
		code := run(t.Context(), append([]string{"--data", dir, "--agent", runtimetest.CompanionFile(t)}, args...), strings.NewReader(""), &out, &logs)
		if code != want {
			t.Fatalf("%q: exit %d, want %d\n%s%s", args, code, want, out.String(), logs.String())
		}
		return out.String() + logs.String()
	}
	if got := do(0, "sessions", "create", "c1", "--system-prompt", "@"+file, "--metadata", `{"plan": "gold"}`, "--title", "Lamp", "--expires", "1d"); got != "c1\n" {
		t.Errorf("create printed %q", got)
	}
	if got := do(0, "sessions", "create"); len(got) != 37 {
		t.Errorf("create without an id printed %q", got)
	}
	if got := do(1, "sessions", "create", "c1"); !strings.Contains(got, "sessions describe") {
		t.Errorf("create of one that is there: %q", got)
	}
	for _, bad := range [][]string{{"--metadata", "[1]"}, {"--expires", "soon"}, {"--expires", "2020-01-02T03:04:05Z"}, {"--expires", "0d"}, {"--system-prompt", strings.Repeat("a", memory.MaxSystemPrompt+1)}} {
		do(2, append([]string{"sessions", "create", "c2"}, bad...)...)
	}
	for _, set := range []string{"memory.enabled=false", "memory.storage=inmem"} {
		if got := do(1, "--set", set, "sessions", "create", "c2"); !strings.Contains(got, "no session is created: "+strings.SplitN(set, "=", 2)[0]) {
			t.Errorf("create with %s: %q", set, got)
		}
	}
	shown := do(0, "sessions", "show", "c1")
	for _, want := range []string{`system prompt: Say "Ms".`, `metadata {"plan":"gold"}`, "erased at " + time.Now().UTC().Add(24*time.Hour).Format("2006-01-")} {
		if !strings.Contains(shown, want) {
			t.Errorf("show lacks %q:\n%s", want, shown)
		}
	}
	do(0, "sessions", "describe", "c1", "--system-prompt", "", "--expires", "")
	if shown := do(0, "sessions", "show", "c1"); strings.Contains(shown, "Ms") || strings.Contains(shown, "erased") || !strings.Contains(shown, "gold") {
		t.Errorf("after describe:\n%s", shown)
	}
	if got := do(0, "memory", "context", "c1", "--text", "hi"); !strings.Contains(got, "hi") {
		t.Errorf("memory context: %q", got)
	}
}
