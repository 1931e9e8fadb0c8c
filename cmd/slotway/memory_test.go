package main

import (
	"strings"
	"testing"
)

// remembering is a data folder with one long conversation and one short one.
func remembering(t *testing.T) []string {
	t.Helper()
	global := []string{"--data", t.TempDir(), "--set", "memory.strategy=hybrid", "--set", "telemetry.log=none"}
	var long []string
	for range 6 {
		long = append(long, "I want to check my order", "It's O-12345", "I am allergic to wool", "how much is shipping")
	}
	for session, lines := range map[string][]string{"long": long, "short": {"where is O-20112"}} {
		cmd := newRoot()
		cmd.SetArgs(append(append([]string{}, global...), "chat", "--session", session))
		cmd.SetIn(strings.NewReader(strings.Join(lines, "\n") + "\n"))
		cmd.SetOut(&strings.Builder{})
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return global
}

// TestMemoryCommands: the memory commands find, summarise and show. Values are masked unless asked
// for.
func TestMemoryCommands(t *testing.T) {
	global := remembering(t)
	run := func(args ...string) string {
		t.Helper()
		out, code := runCommand(t, append(append([]string{}, global...), args...)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
		return out
	}
	for _, c := range []struct {
		args       string
		has, lacks string
	}{
		{"memory summarize long", "allergy", "O-12345"},
		{"memory summarize long --reveal", "O-12345", ""},
		{"memory summarize short", "nothing is summarised yet", ""},
		{"memory search wool --explain", "allergic to wool", "O-12345"},
		{"memory search boots --session short --reveal", "O-20112", "O-12345"},
		{"memory search wool --user eve", "", "wool"},
		{"memory context long --text wool", "What is known so far:", "O-12345"},
		{"memory context long --text wool --reveal", "O-12345", ""},
		{"memory context long --text wool --json", `"messages":[{"role":"system","text":"What is known so far:`, "O-12345"},
		{"memory jobs", "KIND", "dead"},
		{"memory stats", "2", "dead jobs"},
		{"memory stats --json", `"sessions":2`, ""},
		{"memory reindex", "0 messages have new vectors", ""},
		{"sessions describe short --title Boots --tag vip", "", ""},
		{"sessions list --tag vip", "Boots #vip", "long"},
		{"sessions fork long branch --turn 2", "branch goes on", ""},
		{"sessions undo branch", "turn 2 is undone", ""},
		{"sessions show branch", "(undone)", "O-12345"},
		{"sessions erase local", "3 sessions erased", ""},
		{"memory search wool", "", "wool"},
	} {
		out := run(strings.Fields(c.args)...)
		if !strings.Contains(out, c.has) || c.lacks != "" && strings.Contains(out, c.lacks) {
			t.Errorf("%s: want %q, not %q:\n%s", c.args, c.has, c.lacks, out)
		}
	}
	// A session that has not begun shows what a new one would be told.
	if out := run("memory", "context", "long", "--text", "wool"); !strings.Contains(out, "user   wool") || strings.Contains(out, "allergic") {
		t.Errorf("the context of a session that was erased:\n%s", out)
	}
}
