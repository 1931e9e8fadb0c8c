package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgentNamed: --agent wins over SLOTWAY_AGENT, which wins over agent.path of the settings file,
// whose relative path starts from the file's folder. An error says what named a file that is missing.
func TestAgentNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bots"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"flag", "env", "bots/file"} {
		writeTestFile(t, filepath.Join(dir, name+".yaml"), doubtful)
	}
	settings := filepath.Join(dir, "slotway.yaml")
	writeTestFile(t, settings, "agent:\n  path: bots/file.yaml\n")
	checked := func(args ...string) string {
		t.Helper()
		out, _ := runCommand(t, append([]string{"check", "--no-nlu", "--config", settings}, args...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		return strings.TrimSuffix(filepath.Base(strings.SplitN(lines[len(lines)-1], ": ", 2)[0]), ".yaml")
	}
	if got := checked(); got != "file" {
		t.Errorf("the settings file: %s", got)
	}
	t.Setenv("SLOTWAY_AGENT", filepath.Join(dir, "env.yaml"))
	if got := checked(); got != "env" {
		t.Errorf("the variable: %s", got)
	}
	if got := checked("--agent", filepath.Join(dir, "flag.yaml")); got != "flag" {
		t.Errorf("the flag: %s", got)
	}
	if out, _ := runCommand(t, "config", "show", "--config", settings); !strings.Contains(out, "agent.path") || !strings.Contains(out, "SLOTWAY_AGENT") {
		t.Errorf("config show lacks the agent or its source:\n%s", out)
	}
	t.Setenv("SLOTWAY_AGENT", filepath.Join(dir, "gone.yaml"))
	if out, code := runCommand(t, "graph", "--config", settings); code == exitOK || !strings.Contains(out, "environment SLOTWAY_AGENT names this file as the agent") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
