package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// startMCP runs `slotway mcp` and connects a client to its streams. Standard output must hold
// nothing but the protocol.
func startMCP(t *testing.T, protocol string, opts *mcp.ClientOptions, args ...string) (c *mcp.ClientSession, stop func() (int, string)) {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	var out, stderr bytes.Buffer
	code := make(chan int, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		code <- run(ctx, append([]string{"--data", t.TempDir(), "mcp"}, args...), fromClient, io.MultiWriter(toClient, &out), &stderr)
		toClient.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	c, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		cancel()
		t.Fatalf("connect: %v; exit code %d, stderr %s", err, <-code, stderr.String())
	}
	return c, func() (int, string) {
		_ = c.Close() // the server ends with it
		cancel()
		n := <-code
		for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
			var m struct{ JSONRPC string }
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
				t.Errorf("stdout holds %q", line)
			}
		}
		return n, stderr.String()
	}
}

func callMCP[T any](t *testing.T, c *mcp.ClientSession, name string, args map[string]any) T {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMCPOverStdio: a client looks up an order of the demo shop by an elicitation, cancels it with
// a yes, and lists both sessions.
func TestMCPOverStdio(t *testing.T) {
	asked := 0
	c, stop := startMCP(t, "", &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			schema, _ := req.Params.RequestedSchema.(map[string]any)
			properties, _ := schema["properties"].(map[string]any)
			if properties["confirm"] != nil {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirm": true}}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"order_id": "O-12345"}}, nil
		},
	}, "--user", "ann")
	status := callMCP[mcpserver.Answer](t, c, "order_status", nil)
	if status.Status != "done" || !strings.Contains(status.Reply, "O-12345") || asked != 1 {
		t.Errorf("order_status: %+v after %d questions", status, asked)
	}
	cancelled := callMCP[mcpserver.Answer](t, c, "cancel_order", map[string]any{"order_id": "O-12345"})
	if len(cancelled.ToolCalls) == 0 || asked < 2 {
		t.Errorf("cancel_order: %+v after %d questions", cancelled, asked)
	}
	list := callMCP[struct{ Sessions []mcpserver.Session }](t, c, "list_sessions", nil)
	if len(list.Sessions) != 2 {
		t.Errorf("list_sessions: %+v", list)
	}
	code, stderr := stop()
	if code != exitOK {
		t.Errorf("exit code %d, stderr %s", code, stderr)
	}
}

func TestMCPRefusesAUserThatIsNone(t *testing.T) {
	for _, user := range []string{"", "$system"} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"--data", t.TempDir(), "mcp", "--user", user}, strings.NewReader(""), &stdout, &stderr)
		if code != exitUsage || stdout.Len() > 0 {
			t.Errorf("--user %q: exit code %d, stdout %q, stderr %q", user, code, stdout.String(), stderr.String())
		}
	}
}

// TestMCPSearchIsMasked: search_memory masks values and does not return another user's messages.
func TestMCPSearchIsMasked(t *testing.T) {
	s := runtimetest.ServeWithKeys(t, nil, "ann=ann chat, read, admin", "bob=bob chat, read, admin")
	server := httptest.NewServer(runtimetest.KeyPerUser(s))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	connect := func(user string) *mcp.ClientSession {
		c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: server.URL + "/mcp", MaxRetries: -1, HTTPClient: &http.Client{Transport: asUser(user)},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	ann, bob := connect("ann"), connect("bob")
	said := callMCP[mcpserver.Answer](t, ann, "send_message", map[string]any{"text": "where is my order O-12345, the blue parcel"})
	if said.Params["order_id"] != "O-12345" {
		t.Errorf("the reply: %+v, want what /chat would give", said)
	}
	type results struct{ Results []mcpserver.Found }
	query := map[string]any{"query": "blue parcel"}
	var found results
	for found = callMCP[results](t, ann, "search_memory", query); len(found.Results) == 0; {
		found = callMCP[results](t, ann, "search_memory", query) // indexed in the background
	}
	for _, r := range found.Results {
		if strings.Contains(r.Text, "12345") {
			t.Errorf("search_memory shows %q", r.Text)
		}
	}
	if other := callMCP[results](t, bob, "search_memory", query); len(other.Results) != 0 {
		t.Errorf("another user finds %+v", other)
	}
}

type asUser string

func (u asUser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-User", string(u))
	return http.DefaultTransport.RoundTrip(r)
}
