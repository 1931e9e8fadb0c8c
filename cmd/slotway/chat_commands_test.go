package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCommandsInAPipe: with --commands slash commands work in a pipe. Without it a slash is part of
// a message.
func TestCommandsInAPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	const lines = "/save\nI want to check my order\n/save\nO-12345\n/state\n/save out.jsonl\n//thanks\n/nope\n/forget\n/history\n/quit\nhello\n"
	code, out, _ := chatWith(t, lines, "--data", "data", "chat", "--session", "s1", "--commands")
	store := filepath.Join("data", "memory.db")
	want := []string{
		"  nothing was said yet; what is will be saved by itself",
		"What's your order number?",
		"  session s1 is saved in " + store + ", up to turn 1",
		"Order O-12345, wool blanket, is pending. Expected arrival: Friday.",
		`  order_id = "O-12345"`,
		"  waiting for: nothing; last intent: order_status; turns: 2",
		"  saved to out.jsonl",
		"You're welcome.",
		"! no command /nope; /help lists them",
		"  this session is erased",
		"! session not found",
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(out, "\n"), "\n")); diff != "" || code != exitCheck {
		t.Errorf("exit code %d (-want +got)\n%s", code, diff)
	}
	if _, err := os.Stat("out.jsonl"); err != nil {
		t.Error(err)
	}
	if _, out, _ := chatWith(t, "/state\n", "--data", "data", "chat"); strings.Contains(out, "waiting for") {
		t.Errorf("without --commands /state is a command: %s", out)
	}
}

// TestSaveWithoutADisk: /save writes a session that is only in memory to a file, once a turn, and
// never over a file of another kind.
func TestSaveWithoutADisk(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, _ := chatWith(t, "hello\n/save\n/save\nhello\n/save\n", "--set", "memory.storage=inmem", "chat", "--session", "a/b", "--commands", "--json")
	var told []string
	for line := range strings.Lines(out) {
		var done commandResult
		if err := json.Unmarshal([]byte(line), &done); err != nil {
			t.Fatal(err)
		}
		if done.Command != "" {
			told = append(told, strings.Join(done.Output, "|"))
		}
	}
	want := []string{"  saved to session-a_b-1.jsonl", "  session a/b is saved in session-a_b-1.jsonl, up to turn 1", "  saved to session-a_b-2.jsonl"}
	if diff := cmp.Diff(want, told); diff != "" || code != exitOK {
		t.Errorf("exit code %d (-want +got)\n%s", code, diff)
	}
	if code, out, _ := chatWith(t, "hello\n/save\n", "--set", "memory.storage=inmem", "chat", "--session", "a/b", "--commands"); code != exitCheck || !strings.Contains(out, "exists") {
		t.Errorf("exit code %d: %s, want a refusal to take a file that is there", code, out)
	}
	if code, out, _ := chatWith(t, "hello\n/save\n", "chat", "--fresh", "--session", "new", "--commands"); code != exitOK || !strings.Contains(out, "saved to session-new-1.jsonl") {
		t.Errorf("--fresh: exit code %d: %s", code, out)
	}
	if code, out, _ := chatWith(t, "hello\n/save\n", "--data", t.TempDir(), "--set", "memory.durability=relaxed", "chat", "--session", "r", "--commands"); code != exitOK || !strings.Contains(out, "memory.db, up to turn 1") {
		t.Errorf("relaxed: exit code %d: %s", code, out)
	}
	if code, out, _ := chatWith(t, "hello\n/save\n", "--data", t.TempDir(), "--set", "memory.enabled=false", "chat", "--commands"); code != exitCheck && !strings.Contains(out, "nothing") {
		t.Errorf("stateless: exit code %d: %s", code, out)
	}
}
