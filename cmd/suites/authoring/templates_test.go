package authoring

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// served has a conversation by HTTP for each template: messages, and a part of each reply.
var served = map[string][][2]string{
	"minimal": {
		{"when is my book due", "What's your member number?"},
		{"L-1001", `"The Tide Clock" is due on `},
		{"renew it", `Renew "The Tide Clock"?`},
		{"yes", `Done: "The Tide Clock" is now due on `},
	},
	"order-support": {
		{"cancel my order", "What's your order number?"},
		{"O-4711", "Cancel order O-4711, desk lamp?"},
		{"yes", "Done: order O-4711 is cancelled."},
		{"where is O-4711", "was cancelled, so nothing is on its way"},
	},
	"appointments": {
		{"cancel my appointment, my number is 202-555-0142", "Cancel the appointment of Tom Berg on "},
		{"yes", "Done: the appointment of Tom Berg on "},
		{"when is my appointment", "I find no appointment under"},
	},
	"it-helpdesk": {
		{"reset my password, i am E-1001", "Send Ana Ruiz a link for a new password"},
		{"yes", "Done: the link is on its way to a...@corp.example."},
		{"my number is E-1002 and i want to close T-501", "Close ticket T-501?"},
		{"yes", "Done: ticket T-501 is closed."},
		{"is the vpn down", "I see a disturbance of vpn"},
	},
	"faq": {
		{"can children use the sauna", "I found this: Children under twelve"},
		{"no", "Which email address"},
		{"mia@example.com", "to a colleague, who answers to mia@example.com?"},
		{"yes", "Done: a colleague answers to mia@example.com"},
	},
}

// TestTemplatesAreServed talks to each template over HTTP, with its real tools: the databases are
// filled by the first start, the help desk's backend runs, and the FAQ has its documents.
func TestTemplatesAreServed(t *testing.T) {
	programtest.TakesLong(t)
	for template, turns := range served {
		t.Run(template, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), template)
			if out, code := programtest.Run(t, "", "init", dir, "--template", template); code != 0 {
				t.Fatalf("init: exit code %d\n%s", code, out)
			}
			flags := []string{"--agent", filepath.Join(dir, "agent.yaml"), "--config", filepath.Join(dir, "slotway.yaml")}
			prepare(t, template, dir, flags)
			p := programtest.Start(t, filepath.Join(dir, "data"), flags...)
			for _, turn := range turns {
				body, err := json.Marshal(map[string]string{"message": turn[0], "conversation_id": "c"})
				if err != nil {
					t.Fatal(err)
				}
				if reply, _ := p.Chat(t, string(body))["reply"].(string); !strings.Contains(reply, turn[1]) {
					t.Fatalf("%q: the reply is %q, want %q", turn[0], reply, turn[1])
				}
			}
		})
	}
}

// prepare does what the README of a template asks for before the first conversation.
func prepare(t *testing.T, template, dir string, flags []string) {
	t.Helper()
	switch template {
	case "faq":
		documents, err := filepath.Glob(filepath.Join(dir, "knowledge", "*.txt"))
		if err != nil || len(documents) == 0 {
			t.Fatal("no documents", err)
		}
		args := slices.Concat(flags, []string{"--data", filepath.Join(dir, "data"), "memory", "add"}, documents)
		if out, code := programtest.Run(t, "", args...); code != 0 {
			t.Fatalf("memory add: exit code %d\n%s", code, out)
		}
	case "it-helpdesk":
		startBackend(t, dir)
	}
}

// startBackend runs the stub backend of a template, at a free address that the agent then names.
func startBackend(t *testing.T, dir string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()
	path := filepath.Join(dir, "agent.yaml")
	agent, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(agent), "127.0.0.1:9090", addr)), 0o600); err != nil {
		t.Fatal(err)
	}

	binary := filepath.Join(t.TempDir(), "backend")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, filepath.Join(dir, "backend", "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("build the backend: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), binary, addr)
	ready, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if _, err := io.ReadFull(ready, make([]byte, 1)); err != nil { // its first line
		t.Fatal(err)
	}
	go io.Copy(io.Discard, ready)
}
