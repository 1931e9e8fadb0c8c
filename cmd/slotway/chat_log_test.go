package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChatInAPipePrintsRepliesOnly: what a chat prints to both streams is one line a message;
// telemetry goes to the data folder, or where the settings say.
func TestChatInAPipePrintsRepliesOnly(t *testing.T) {
	dir := t.TempDir()
	agent := filepath.Join(dir, "agent.yaml")
	text := "version: 1\nagent: {id: hello}\nintents:\n  - id: greeting\n    answer_only: true\n    examples: [please say hello, greet me now]\n    plan: [{respond: hi}]\nresponses: {hi: Hi.}\n"
	if err := os.WriteFile(agent, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	chat := func(args ...string) (both string) {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append([]string{"--data", dir, "--agent", agent, "chat"}, args...), strings.NewReader("please say hello\nplease say hello\n"), &out, &out); code != exitOK {
			t.Fatalf("exit code %d: %s", code, out.String())
		}
		return out.String()
	}
	lines := func(name string) int {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return bytes.Count(data, []byte(`"stage":"respond"`))
	}
	if got := chat(); got != "Hi.\nHi.\n" {
		t.Errorf("printed %q", got)
	}
	if n := lines(chatLog); n != 2 {
		t.Errorf("%d replies in the log", n)
	}
	if got := chat("--set", "telemetry.log=stderr"); strings.Count(got, `"stage":"respond"`) != 2 {
		t.Errorf("telemetry was asked for, printed %q", got)
	}
	other := filepath.Join(dir, "other.log")
	if got := chat("--set", "telemetry.log="+other); got != "Hi.\nHi.\n" || lines("other.log") != 2 || lines(chatLog) != 2 {
		t.Errorf("printed %q; %d replies in the named log, %d in the usual one", got, lines("other.log"), lines(chatLog))
	}
	if err := os.Truncate(filepath.Join(dir, chatLog), maxChatLog); err != nil {
		t.Fatal(err)
	}
	chat()
	if _, err := os.Stat(filepath.Join(dir, chatLog+".old")); err != nil || lines(chatLog) != 2 {
		t.Errorf("a full log: %v, %d replies in the new one", err, lines(chatLog))
	}
}
