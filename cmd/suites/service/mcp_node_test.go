package service

import (
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestMCPClientForNode: the official client for Node looks up an order and cancels it once, with
// and without elicitation.
func TestMCPClientForNode(t *testing.T) {
	folder := programtest.NodeFolder(t, "SLOTWAY_TEST_MCP_NODE", "mcp", "@modelcontextprotocol/sdk")
	for _, way := range []string{"asked", "plain"} {
		t.Run(way, func(t *testing.T) {
			s := runtimetest.ServeWithKeys(t, nil, "ann=ann chat, read")
			server := httptest.NewServer(runtimetest.KeyPerUser(s))
			defer server.Close()
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("..", "..", "..", "scripts", "services", "node", "mcp", "client.mjs"), folder, server.URL+"/mcp", "ann", way)
			cmd.WaitDelay = 10 * time.Second
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
