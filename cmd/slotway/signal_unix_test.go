//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPFollowsTheAgent: an MCP client is notified of changed tools.
func TestMCPFollowsTheAgent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.yaml")
	write := func(id string) {
		text := "version: 1\nagent: {id: notes}\nintents:\n  - id: " + id + "\n    answer_only: true\n    examples: [say hello, greet me, hi there]\n    plan: [{respond: hi}]\nresponses: {hi: Hi.}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	told := make(chan struct{}, 4)
	c, stop := startMCP(t, "2025-11-25", &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
	}, "--agent", path)
	write("second")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-told
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "second" }) {
		t.Error("the new intent is no tool")
	}
	if code, stderr := stop(); code != exitOK || !strings.Contains(stderr, "is reloaded") {
		t.Errorf("exit code %d, stderr %s", code, stderr)
	}
}
