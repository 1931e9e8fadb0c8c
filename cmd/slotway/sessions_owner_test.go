package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSessionsOfOtherAgents: the error for a session that is not found names the agent and the user
// that have it, and Tab completes the ids of those that are.
func TestSessionsOfOtherAgents(t *testing.T) {
	dir := t.TempDir()
	agent := func(id string) string {
		path := filepath.Join(dir, id+".yaml")
		text := "version: 1\nagent: {id: " + id + "}\nintents:\n  - id: greeting\n    answer_only: true\n    examples: [please say hello, greet me now]\n    plan: [{respond: hi}]\nresponses: {hi: Hi.}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shop, clinic := agent("shop"), agent("clinic")
	slotway := func(agent, in string, args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append([]string{"--data", dir, "--agent", agent}, args...), strings.NewReader(in), &out, &out)
		return code, out.String()
	}
	if code, out := slotway(shop, "please say hello\n", "chat", "--session", "first", "--user", "ann"); code != exitOK {
		t.Fatal(code, out)
	}
	for _, c := range []struct {
		agent string
		args  []string
		want  string
	}{
		{clinic, []string{"sessions", "show", "first", "--user", "ann"}, `one of user "ann" belongs to agent "shop": name that agent's file with --agent`},
		{clinic, []string{"record", "first"}, `one of user "ann" belongs to agent "shop": name that agent's file with --agent --user ann`},
		{shop, []string{"sessions", "undo", "first"}, `session "first" of user "local" and agent "shop": session not found; one belongs to user "ann": --user ann`},
		{shop, []string{"sessions", "forget", "second"}, "'slotway sessions list --all-users' shows what there is"},
	} {
		if code, out := slotway(c.agent, "", c.args...); code != exitCheck || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit code %d, %q, want %q", c.args, code, out, c.want)
		}
	}
	_, out := slotway(clinic, "please say hello\n", "chat", "--session", "first", "--user", "ann")
	if want := `slotway: session "first" belongs to agent shop; this is agent clinic`; !strings.HasPrefix(out, want) {
		t.Errorf("chat printed %q, want %q", out, want)
	}
	if _, out := slotway(shop, "", "__complete", "sessions", "show", "--user", "ann", ""); !strings.Contains(out, "first\t1 turns") {
		t.Errorf("completion of a session: %q", out)
	}
	if _, out := slotway(shop, "", "__complete", "chat", "--user", "ann", "--session", ""); !strings.Contains(out, "first\t1 turns") {
		t.Errorf("completion of --session: %q", out)
	}
	none := t.TempDir()
	if _, out := slotway(shop, "", "__complete", "--data", none, "sessions", "show", ""); strings.Contains(out, "first") {
		t.Errorf("completion without a store: %q", out)
	}
	if left, err := os.ReadDir(none); err != nil || len(left) > 0 {
		t.Errorf("completion made %v, %v", left, err)
	}
}

// TestBrowsable: an address of all interfaces is no address to open.
func TestBrowsable(t *testing.T) {
	for addr, want := range map[string]string{"127.0.0.1:80": "127.0.0.1:80", "0.0.0.0:80": "localhost:80", "[::]:80": "localhost:80", "[::1]:80": "[::1]:80"} {
		at, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := browsable(at); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
