package mcptool_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/mcptool"
)

const canary = "CANARY-77"

// TestMain lets the test binary be an MCP server over stdio.
func TestMain(m *testing.M) {
	if os.Getenv("MCPTOOL_SERVER") != "" {
		if err := newMCP().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type in struct {
	Text string `json:"text"`
}

type out struct {
	Text string `json:"text"`
	Key  any    `json:"key"`
}

// newMCP is the other side: a few tools, one for each way to answer.
func newMCP() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "other", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "structured"}, func(_ context.Context, r *mcp.CallToolRequest, a in) (*mcp.CallToolResult, out, error) {
		return nil, out{Text: a.Text, Key: r.Params.Meta["slotway/idempotency-key"]}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "refuses"}, func(_ context.Context, _ *mcp.CallToolRequest, a in) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("no " + a.Text)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "texts"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"n":1}`}, &mcp.TextContent{Text: "plain"}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "picture"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte(canary), MIMEType: "image/png"}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "hangs"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ in) (*mcp.CallToolResult, any, error) {
		hanging <- struct{}{}
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	mcp.AddTool(s, &mcp.Tool{Name: "complains"}, func(_ context.Context, _ *mcp.CallToolRequest, a in) (*mcp.CallToolResult, any, error) {
		fmt.Fprintf(os.Stderr, "%s\n\nlast without an end", strings.Repeat("x", 4000))
		return nil, nil, errors.New("no " + a.Text)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "exits"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
		os.Exit(3)
		return nil, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "pid"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strconv.Itoa(os.Getpid())}}}, nil, nil
	})
	return s
}

var hanging = make(chan struct{}, 1)

// stdio declares this binary as the server.
func stdio(t *testing.T) *config.MCPServer {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &config.MCPServer{Name: "other", Command: []string{self}, Env: map[string]string{
		"MCPTOOL_SERVER": "1",
		"GORACE":         "atexit_sleep_ms=0", // or a -race binary takes a second to end
	}}
}

// overHTTP serves newMCP under a URL that asks for a header.
func overHTTP(t *testing.T) *config.MCPServer {
	side := newMCP()
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return side }, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Token") != canary {
			http.Error(w, canary, http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return &config.MCPServer{Name: "other", URL: s.URL, Headers: map[string]string{"x-token": "${TOKEN}"}}
}

func lookup(name string) (string, bool) {
	v, ok := map[string]string{"TOKEN": canary, "PATH": os.Getenv("PATH")}[name]
	return v, ok
}

func newServer(t *testing.T, decl *config.MCPServer) *mcptool.Server {
	t.Helper()
	s, err := mcptool.NewServer(decl, lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func call(ctx context.Context, s *mcptool.Server, remote string) (any, error) {
	tool := mcptool.New(&tools.Spec{Name: "t", Remote: remote, Effect: config.EffectWrite}, s)
	return tool.Call(ctx, tools.Call{Tool: "t", IdempotencyKey: "k", Args: map[string]any{"text": canary, "absent": nil}})
}

func TestCall(t *testing.T) {
	tests := []struct {
		remote    string
		want      any
		code      tools.Code
		uncertain bool
	}{
		{"structured", map[string]any{"text": canary, "key": "k"}, "", false},
		{"texts", []any{map[string]any{"n": 1.0}, "plain"}, "", false},
		{"refuses", nil, tools.Failed, true},
		{"picture", nil, tools.BadResult, true},
		{"none", nil, tools.InvalidInput, false}, // the protocol's answer to an unknown tool
	}
	for kind, decl := range map[string]*config.MCPServer{"stdio": stdio(t), "http": overHTTP(t)} {
		s := newServer(t, decl)
		for _, tt := range tests {
			t.Run(kind+" "+tt.remote, func(t *testing.T) {
				// Each call has a context of its own, which ends before the next.
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				got, err := call(ctx, s, tt.remote)
				if tools.CodeOf(err) != tt.code {
					t.Fatalf("error %v (%v), want %q", err, errors.Unwrap(err), tt.code)
				}
				if err == nil {
					if diff := cmp.Diff(tt.want, got); diff != "" {
						t.Error(diff)
					}
					return
				}
				check(t, err, tt.uncertain)
			})
		}
	}
}

func check(t *testing.T, err error, uncertain bool) {
	t.Helper()
	var e *tools.Error
	if !errors.As(err, &e) || e.Uncertain != uncertain {
		t.Errorf("%#v: uncertain %v, want %v", err, e.Uncertain, uncertain)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", err, errors.Unwrap(err)), canary) {
		t.Errorf("the error leaks: %v", err)
	}
}

func TestReconnects(t *testing.T) {
	s := newServer(t, stdio(t))
	for range 2 {
		_, err := call(t.Context(), s, "exits")
		if tools.CodeOf(err) != tools.Unavailable {
			t.Fatalf("%v, want unavailable", err)
		}
		check(t, err, true)
		if _, err := call(t.Context(), s, "structured"); err != nil {
			t.Errorf("after the server ended: %v", err)
		}
	}
}

// A program that ended between two calls costs the next call nothing.
func TestEndedProgramIsNoticed(t *testing.T) {
	s := newServer(t, stdio(t))
	var before any
	for range 2 {
		pid, err := call(t.Context(), s, "pid")
		if err != nil || pid == before {
			t.Fatalf("pid %v, %v", pid, err)
		}
		before = pid
		process, err := os.FindProcess(int(pid.(float64)))
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Kill(); err != nil {
			t.Fatal(err)
		}
		s.WaitEnded()
	}
}

func TestConnectsOnceForAll(t *testing.T) {
	var connections atomic.Int64
	side := newMCP()
	side.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "tools/call" { // what else there is opens a connection
				connections.Add(1)
			}
			return next(ctx, method, req)
		}
	})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return side }, nil)
	web := httptest.NewServer(h)
	t.Cleanup(web.Close)
	s := newServer(t, &config.MCPServer{Name: "other", URL: web.URL})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := call(context.Background(), s, "structured"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	before := connections.Load()
	if _, err := call(t.Context(), s, "structured"); err != nil {
		t.Error(err)
	}
	// initialize and initialized, or the newer protocol's discovery
	if n := connections.Load(); n < 1 || n > 3 || n != before {
		t.Errorf("%d requests beside the calls (%d before the last), want those of one connection", n, before)
	}
}

func TestHang(t *testing.T) {
	s := newServer(t, overHTTP(t))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-hanging; cancel() }()
	_, err := call(ctx, s, "hangs")
	if tools.CodeOf(err) != tools.Timeout {
		t.Errorf("%v, want timeout", err)
	}
	check(t, err, true)
	if _, err := call(t.Context(), s, "structured"); err != nil {
		t.Errorf("the session did not survive a cancelled call: %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	denied := overHTTP(t)
	denied.Headers = nil
	for name, tt := range map[string]struct {
		decl *config.MCPServer
		want tools.Code
	}{
		"no program": {&config.MCPServer{Name: "x", Command: []string{"/nowhere/" + canary}}, tools.Unavailable},
		"no server":  {&config.MCPServer{Name: "x", URL: "http://127.0.0.1:1/" + canary}, tools.Unavailable},
		"denied":     {denied, tools.Denied},
	} {
		_, err := call(t.Context(), newServer(t, tt.decl), "structured")
		if tools.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
			continue
		}
		check(t, err, false)
	}
}

// A server inside the network is refused before anything is sent to it.
func TestPrivateServer(t *testing.T) {
	for _, at := range []string{"http://10.20.30.40/mcp", "http://169.254.169.254/mcp"} {
		_, err := call(t.Context(), newServer(t, &config.MCPServer{Name: "x", URL: at}), "structured")
		if tools.CodeOf(err) != tools.Denied {
			t.Errorf("%s: %v, want denied", at, err)
			continue
		}
		check(t, err, false)
	}
}

func TestClosed(t *testing.T) {
	s := newServer(t, stdio(t))
	if _, err := call(t.Context(), s, "structured"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if _, err := call(t.Context(), s, "structured"); tools.CodeOf(err) != tools.Unavailable {
		t.Errorf("%v, want unavailable", err)
	}
}

func TestNewServerRefuses(t *testing.T) {
	for name, decl := range map[string]*config.MCPServer{
		"nil":     nil,
		"nothing": {},
		"both":    {Command: []string{"a"}, URL: "http://b"},
		"unset":   {URL: "${NONE}"},
		"scheme":  {URL: "file:///etc/passwd"},
		"env":     {Command: []string{"a"}, Env: map[string]string{"A": "${NONE}"}},
		"header":  {URL: "http://b", Headers: map[string]string{"A": "${NONE}"}},
	} {
		if _, err := mcptool.NewServer(decl, lookup, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
