package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckLanguage: the English words that ship tell that examples are in another language.
func TestCheckLanguage(t *testing.T) {
	trainsOften(t)
	agent := filepath.Join("..", "..", "scripts", "lab", "nlu", "testdata", "languages", "fr", "agent.yaml")
	const warning = "the agent speaks English"
	if out, _ := runCommand(t, "check", agent); strings.Contains(out, warning) {
		t.Errorf("of a French agent: %s", out)
	}
	data, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, strings.Replace(string(data), "language: fr", "language: en", 1))
	if out, code := runCommand(t, "check", path); code != exitOK || !strings.Contains(out, warning) {
		t.Errorf("exit code %d: %s", code, out)
	}
}
