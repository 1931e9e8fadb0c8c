package mcptool_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/mcptool"
)

// These tests talk to the npm package @modelcontextprotocol/server-everything (2026.8.31):
//
//	SLOTWAY_TEST_MCP_STDIO='node .../server-everything/dist/index.js stdio'
//	SLOTWAY_TEST_MCP_URL=http://127.0.0.1:3001/mcp

// outside gives the value of a variable that names a server, or skips the test; where
// services are required it fails.
func outside(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value != "" {
		return value
	}
	if os.Getenv("SLOTWAY_REQUIRE_SERVICES") == "1" {
		t.Fatalf("%s is not set, and services are required", name)
	}
	t.Skipf("%s is not set: no MCP server to talk to", name)
	return ""
}

// everything declares the server, over each way there is.
func everything(t *testing.T) map[string]*config.MCPServer {
	return map[string]*config.MCPServer{
		"stdio": {Name: "everything", Command: strings.Fields(outside(t, "SLOTWAY_TEST_MCP_STDIO"))},
		"http":  {Name: "everything", URL: outside(t, "SLOTWAY_TEST_MCP_URL")},
	}
}

func callWith(ctx context.Context, s *mcptool.Server, remote string, args map[string]any) (any, error) {
	tool := mcptool.New(&tools.Spec{Name: "t", Remote: remote, Effect: config.EffectRead}, s)
	return tool.Call(ctx, tools.Call{Tool: "t", Args: args})
}

func TestEverything(t *testing.T) {
	tests := []struct {
		remote string
		args   map[string]any
		want   any
		code   tools.Code
	}{
		{remote: "echo", args: map[string]any{"message": "héllo {x}", "absent": nil}, want: "Echo: héllo {x}"},
		{remote: "get-sum", args: map[string]any{"a": 2.5, "b": 40.0}, want: "The sum of 2.5 and 40 is 42.5."},
		{remote: "get-structured-content", args: map[string]any{"location": "Chicago"}, want: map[string]any{
			"temperature": 36.0, "conditions": "Light rain / drizzle", "humidity": 82.0,
		}},
		{remote: "get-annotated-message", args: map[string]any{"messageType": "success", "includeImage": false}, want: "Operation completed successfully"},
		{remote: "get-tiny-image", code: tools.BadResult},
		{remote: "get-sum", args: map[string]any{"a": canary}, code: tools.Failed}, // the TypeScript SDK's way to refuse arguments: isError
		{remote: "get-resource-reference", args: map[string]any{"resourceType": "Text", "resourceId": -1.0}, code: tools.Failed},
		{remote: "no-such-tool", code: tools.Failed}, // likewise
	}
	for way, decl := range everything(t) {
		s := newServer(t, decl)
		for _, tt := range tests {
			t.Run(way+" "+tt.remote+fmt.Sprint(len(tt.args)), func(t *testing.T) {
				got, err := callWith(t.Context(), s, tt.remote, tt.args)
				if tools.CodeOf(err) != tt.code {
					t.Fatalf("%v, want %q", err, tt.code)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("result (-want +got):\n%s", diff)
				}
				if err != nil && strings.Contains(err.Error(), canary) {
					t.Errorf("the error leaks: %v", err)
				}
			})
		}
	}
}

// A call that takes too long ends at its deadline, and the session serves on.
func TestEverythingCancelled(t *testing.T) {
	for way, decl := range everything(t) {
		t.Run(way, func(t *testing.T) {
			s := newServer(t, decl)
			if _, err := callWith(t.Context(), s, "echo", map[string]any{"message": "a"}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err := callWith(ctx, s, "trigger-long-running-operation", map[string]any{"duration": 600.0, "steps": 1.0})
			if tools.CodeOf(err) != tools.Timeout {
				t.Errorf("%v, want timeout", err)
			}
			check(t, err, true)
			if got, err := callWith(t.Context(), s, "echo", map[string]any{"message": "b"}); got != "Echo: b" || err != nil {
				t.Errorf("after it: %v, %v", got, err)
			}
		})
	}
}

// The server is killed between two calls. Until that is noticed a call may fail, and then
// there is a new server.
func TestEverythingKilled(t *testing.T) {
	argv := strings.Fields(outside(t, "SLOTWAY_TEST_MCP_STDIO"))
	pidFile := filepath.Join(t.TempDir(), "pid")
	decl := &config.MCPServer{
		Name: "everything", Command: append([]string{"sh", "-c", `echo $$ > "$PID_FILE"; exec "$@"`, "sh"}, argv...),
		Env: map[string]string{"PID_FILE": pidFile},
	}
	s := newServer(t, decl)
	pid := func() int {
		t.Helper()
		text, err := os.ReadFile(pidFile)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := callWith(t.Context(), s, "echo", map[string]any{"message": "a"}); err != nil {
		t.Fatal(err)
	}
	first := pid()
	process, err := os.FindProcess(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err = callWith(t.Context(), s, "echo", map[string]any{"message": "b"}); err == nil {
			break
		}
		if tools.CodeOf(err) != tools.Unavailable {
			t.Fatalf("%v, want unavailable", err)
		}
	}
	if err != nil || pid() == first {
		t.Errorf("no new server: %v", err)
	}
}

// The server over HTTP is started again between two calls. It does not know the session
// any more, says 400 of it, and the call goes through a new one.
func TestEverythingRestarted(t *testing.T) {
	argv := strings.Fields(outside(t, "SLOTWAY_TEST_MCP_STDIO"))
	if argv[len(argv)-1] != "stdio" {
		t.Fatalf("SLOTWAY_TEST_MCP_STDIO does not end in stdio: %q", argv)
	}
	argv[len(argv)-1] = "streamableHttp"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	stop := startListening(t, argv, port)
	s := newServer(t, &config.MCPServer{Name: "everything", URL: "http://127.0.0.1:" + port + "/mcp"})
	for n := range 2 {
		if got, err := callWith(t.Context(), s, "echo", map[string]any{"message": "a"}); got != "Echo: a" || err != nil {
			t.Fatalf("before: %v, %v", got, err)
		}
		stop()
		if n == 1 {
			return
		}
		if _, err := callWith(t.Context(), s, "echo", map[string]any{"message": "a"}); tools.CodeOf(err) != tools.Unavailable {
			t.Errorf("while it is down: %v, want unavailable", err)
		}
		stop = startListening(t, argv, port)
	}
}

// startListening runs a server until it says that it listens; what it returns ends it.
func startListening(t *testing.T, argv []string, port string) (stop func()) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "PORT="+port)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	t.Cleanup(stop)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if strings.Contains(lines.Text(), "listening on port") {
			return stop
		}
	}
	t.Fatal("the server ended before it listened")
	return nil
}
