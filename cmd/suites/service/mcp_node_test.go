package service

import (
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/cmd/internal/programtest"
	"github.com/slotway/slotway/cmd/internal/runtimetest"
)

// The official client for Node looks an order up and cancels it, once, whether or not its
// user can be asked in place.
func TestMCPClientForNode(t *testing.T) {
	folder := programtest.NodeFolder(t, "SLOTWAY_TEST_MCP_NODE", "mcp", "@modelcontextprotocol/sdk")
	for _, way := range []string{"asked", "plain"} {
		t.Run(way, func(t *testing.T) {
			s := runtimetest.ServeWithKeys(t, nil, "ann=ann chat, read")
			face := httptest.NewServer(runtimetest.KeyPerUser(s))
			defer face.Close()
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("..", "..", "..", "scripts", "services", "node", "mcp", "client.mjs"), folder, face.URL+"/mcp", "ann", way)
			cmd.WaitDelay = 10 * time.Second
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
