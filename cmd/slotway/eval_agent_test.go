package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEvalAgentOnAFile: what an agent does with the messages of a file, in its language.
func TestEvalAgentOnAFile(t *testing.T) {
	dir := filepath.Join("..", "..", "classifier", "eval", "testdata", "languages", "zh")
	args := []string{"--agent", filepath.Join(dir, "agent.yaml"), "eval", "agent", "--test", filepath.Join(dir, "test.jsonl")}
	v := runJSON(t, append(args, "--json")...)
	hasKeys(t, v, "language served near far")
	served, _ := v["served"].(map[string]any)
	hasKeys(t, served, "messages right wrong system offered helped first")
	if v["language"] != "zh" || served["messages"] != 100.0 || served["first"].(float64) < 0.7 {
		t.Errorf("%v", v)
	}
	if out, code := runCommand(t, args...); code != exitOK || !strings.Contains(out, "100 messages") || !strings.Contains(out, "refused") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code := runCommand(t, "eval", "agent"); code != exitUsage || !strings.Contains(out, "--test") {
		t.Errorf("without a file: exit code %d: %s", code, out)
	}
}

// TestCheckLanguage: the English words that ship tell that examples are in another language.
func TestCheckLanguage(t *testing.T) {
	trainsOften(t)
	agent := filepath.Join("..", "..", "classifier", "eval", "testdata", "languages", "fr", "agent.yaml")
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
