package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// The official client for Node looks an order up and cancels it, once, whether or not its
// user can be asked in place.
func TestMCPClientForNode(t *testing.T) {
	folder := nodeFolder(t, "SLOTWAY_TEST_MCP_NODE", "mcp", "@modelcontextprotocol/sdk")
	for _, way := range []string{"asked", "plain"} {
		t.Run(way, func(t *testing.T) {
			a, err := newApp(t.Context(), &flags{data: t.TempDir(), set: []string{"telemetry.log=none"}}, parts{})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			server := a.mcpServer(a.router.Handle, mcpserver.HTTPOptions{User: func(r *http.Request) (string, bool) { return r.Header.Get("X-User"), true }})
			defer server.Close()
			face := httptest.NewServer(server.HTTP())
			defer face.Close()
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("..", "..", "scripts", "services", "node", "mcp", "client.mjs"), folder, face.URL, "ann", way)
			cmd.WaitDelay = 10 * time.Second
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
