package mcpserver_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// send is one raw request.
func send(t testing.TB, url, user, method, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("X-User", user)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func listen(t testing.TB, s *shop) string {
	t.Helper()
	server := httptest.NewServer(s.HTTP())
	t.Cleanup(server.Close)
	return server.URL
}

// open begins a session by hand and returns its id.
func open(t testing.TB, url, user string) string {
	t.Helper()
	res, body := send(t, url, user, http.MethodPost, hello)
	id := res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != http.StatusOK || len(id) < 20 {
		t.Fatalf("initialize: %d, session %q, %s", res.StatusCode, id, body)
	}
	return id
}

// A session's id is of no use to anybody but the user who opened it.
func TestASessionBelongsToItsUser(t *testing.T) {
	s := newShop(t, nil)
	url := listen(t, s)
	id := open(t, url, "ann")
	if again := open(t, url, "ann"); again == id {
		t.Error("two sessions have one id")
	}
	const ask = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_sessions","arguments":{}}}`
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		res, body := send(t, url, "bob", method, ask, "Mcp-Session-Id", id)
		if res.StatusCode != http.StatusForbidden {
			t.Errorf("%s with another user's session: %d %s, want 403", method, res.StatusCode, body)
		}
	}
	if res, body := send(t, url, "ann", http.MethodPost, ask, "Mcp-Session-Id", id); res.StatusCode != http.StatusOK || !strings.Contains(body, "sessions") {
		t.Errorf("its own user: %d %s", res.StatusCode, body)
	}
	if res, _ := send(t, url, "ann", http.MethodPost, ask, "Mcp-Session-Id", "made-up"); res.StatusCode != http.StatusNotFound {
		t.Errorf("a session that is none: %d, want 404", res.StatusCode)
	}
	if res, _ := send(t, url, "ann", http.MethodDelete, "", "Mcp-Session-Id", id); res.StatusCode != http.StatusNoContent {
		t.Errorf("ending it: %d", res.StatusCode)
	}
	if res, _ := send(t, url, "ann", http.MethodPost, ask, "Mcp-Session-Id", id); res.StatusCode != http.StatusNotFound {
		t.Errorf("after its end: %d, want 404", res.StatusCode)
	}
}

// Neither conversations nor what was said in them are to be had by another user, whatever
// he knows of them.
func TestConversationsBelongToTheirUser(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			ann, bob := s.connect(w, "ann", nil, nil), s.connect(w, "bob", nil, nil)
			asked := use[mcpserver.Answer](t, ann, "cancel_order", arguments{"order_id": "O-12345", "reason": "late"})
			yes := arguments{"text": "yes", "conversation_id": asked.ConversationID}
			if a := use[mcpserver.Answer](t, bob, "send_message", yes); a.Params["order_id"] != nil || len(s.done()) != 0 {
				t.Fatalf("another user's yes: %+v, done %v", a, s.done())
			}
			type sessions struct{ Sessions []mcpserver.Session }
			type results struct{ Results []mcpserver.Found }
			if l := use[sessions](t, bob, "list_sessions", nil); len(l.Sessions) != 1 || l.Sessions[0].Turns != 1 {
				t.Errorf("bob lists %+v, want his own conversation of one turn", l)
			}
			if r := use[results](t, bob, "search_memory", arguments{"query": "O-12345"}); len(r.Results) != 0 {
				t.Errorf("bob finds %+v", r)
			}
			if r := use[results](t, ann, "search_memory", arguments{"query": "O-12345", "limit": 1}); len(r.Results) != 1 {
				t.Errorf("ann finds %+v, want one result", r)
			}
			if a := use[mcpserver.Answer](t, ann, "send_message", yes); a.Status != "done" || len(s.done()) != 1 || s.done()[0] != "ann O-12345" {
				t.Errorf("her own yes: %+v, done %v", a, s.done())
			}
		})
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	scopes := map[string][]string{"reader": {"read"}, "talker": {"chat"}, "none": {}}
	s := newShop(t, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{
		User: func(r *http.Request) (string, bool) {
			return r.Header.Get("X-User"), r.Header.Get("X-User") != "stranger"
		},
		Scopes: func(r *http.Request) []string { return scopes[r.Header.Get("X-User")] },
	}})
	url := listen(t, s)
	for _, user := range []string{"stranger", ""} {
		if res, body := send(t, url, user, http.MethodPost, hello); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("user %q: %d %s, want 401", user, res.StatusCode, body)
		}
	}
	for user, may := range map[string][3]bool{"reader": {false, true, true}, "talker": {true, false, false}, "none": {false, false, false}, "all": {true, true, true}} {
		for _, protocol := range protocols {
			c := s.connect(way{protocol, true}, user, nil, nil)
			for i, tool := range []string{"order_status", "search_memory", "list_sessions"} {
				args := arguments{}
				if tool == "search_memory" {
					args["query"] = "x"
				}
				_, err := call(t, c, tool, args)
				var refused *jsonrpc.Error
				if ok := err == nil; ok != may[i] || !ok && (!errors.As(err, &refused) || refused.Code != -32001) {
					t.Errorf("%s, %s, %s: %v; allowed %v", protocol, user, tool, err, may[i])
				}
			}
		}
	}
	nobody := mcpserver.New(mcpserver.Deps{Turn: s.router.Handle, Agent: s.router.Agent}, nil)
	w := httptest.NewRecorder()
	nobody.HTTP().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(hello)))
	if w.Code != http.StatusUnauthorized {
		t.Errorf("a server that knows no users: %d, want 401", w.Code)
	}
}

func TestLimitsOverHTTP(t *testing.T) {
	s := newShop(t, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{MaxSessions: 2, MaxBody: 4096}})
	url := listen(t, s)
	first := open(t, url, "ann")
	open(t, url, "bob")
	res, _ := send(t, url, "eve", http.MethodPost, hello)
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("a third session: %d, Retry-After %q; want 503", res.StatusCode, res.Header.Get("Retry-After"))
	}
	if res, _ := send(t, url, "ann", http.MethodDelete, "", "Mcp-Session-Id", first); res.StatusCode != http.StatusNoContent {
		t.Fatalf("end: %d", res.StatusCode)
	}
	open(t, url, "eve")
	if res, _ := send(t, url, "ann", http.MethodPost, strings.Repeat(" ", 5000)+hello, "Mcp-Protocol-Version", "2026-07-28"); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d, want 413", res.StatusCode)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if res, _ := send(t, url, "ann", http.MethodPost, hello); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after Close: %d, want 503", res.StatusCode)
	}
}

// A place is held for as long as a stream is open, and is given back with it.
func TestRequestsUnderWayAreBounded(t *testing.T) {
	s := newShop(t, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{MaxRequests: 1}})
	url := listen(t, s)
	id := open(t, url, "ann")
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Accept": "text/event-stream", "X-User": "ann", "Mcp-Session-Id": id} {
		r.Header.Set(k, v)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("open a stream: %v, %v", stream, err)
	}
	if res, _ := send(t, url, "ann", http.MethodPost, hello); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("beside a stream: %d, want 503", res.StatusCode)
	}
	cancel()
	stream.Body.Close()
	for n := 0; ; n++ {
		res, _ := send(t, url, "ann", http.MethodPost, hello)
		if res.StatusCode == http.StatusOK {
			break
		}
		if n > 5000 {
			t.Fatalf("after the stream: %d", res.StatusCode)
		}
	}
}

// Streams end with the server, or a process could not.
func TestCloseEndsStreams(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			s := newShop(t, nil)
			url := listen(t, s)
			method, body := http.MethodGet, ""
			headers := map[string]string{"Accept": "application/json, text/event-stream", "Content-Type": "application/json", "X-User": "ann"}
			if protocol < "2026" {
				headers["Mcp-Session-Id"] = open(t, url, "ann")
			} else {
				method = http.MethodPost
				headers["Mcp-Protocol-Version"], headers["Mcp-Method"] = protocol, "subscriptions/listen"
				body = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{` +
					`"io.modelcontextprotocol/protocolVersion":"` + protocol + `","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
			}
			r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range headers {
				r.Header.Set(k, v)
			}
			stream, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Body.Close()
			if stream.StatusCode != http.StatusOK || !strings.HasPrefix(stream.Header.Get("Content-Type"), "text/event-stream") {
				text, _ := io.ReadAll(stream.Body)
				t.Fatalf("open a stream: %d %s", stream.StatusCode, text)
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if _, err := io.ReadAll(stream.Body); err != nil { // blocks for as long as the stream is open
				t.Errorf("the stream's end: %v", err)
			}
		})
	}
}

// Idle sessions end by the clock; the requests of a fake network take none of it.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, nil)
		h := s.HTTP()
		do := func(method, id string) int {
			r := httptest.NewRequest(method, "http://localhost/mcp", bytes.NewBufferString(hello))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("X-User", "ann")
			if id != "" {
				r.Header.Set("Mcp-Session-Id", id)
				r.Body = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":9,"method":"ping"}`))
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(hello))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("X-User", "ann")
		h.ServeHTTP(w, r)
		id := w.Header().Get("Mcp-Session-Id")
		time.Sleep(29 * time.Minute)
		if code := do(http.MethodPost, id); code != http.StatusOK {
			t.Errorf("after 29 minutes: %d", code)
		}
		time.Sleep(29 * time.Minute)
		if code := do(http.MethodPost, id); code != http.StatusOK {
			t.Errorf("29 minutes after that: %d", code)
		}
		time.Sleep(31 * time.Minute)
		if code := do(http.MethodPost, id); code != http.StatusNotFound {
			t.Errorf("after 31 minutes of silence: %d, want 404", code)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A question waits for a person longer than a server gives a request to be read.
func TestAQuestionOutlivesTheReadTimeout(t *testing.T) {
	s := newShop(t, nil)
	server := httptest.NewUnstartedServer(s.HTTP())
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Config.WriteTimeout = 200 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	waited := make(chan struct{})
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			<-waited
			return accept("confirm", true), nil
		},
	})
	c, err := client.Connect(t.Context(), clientOf(server.URL, "ann"), &mcp.ClientSessionOptions{ProtocolVersion: protocols[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	time.AfterFunc(600*time.Millisecond, func() { close(waited) }) // three times what the server would give
	if a := use[mcpserver.Answer](t, c, "cancel_order", arguments{"order_id": "O-12345", "reason": "late"}); a.Reply != "O-12345 is cancelled." {
		t.Errorf("%+v", a)
	}
}

// A page of another site that a browser was led to by a name of its own is refused.
func TestHostsAreChecked(t *testing.T) {
	s := newShop(t, nil)
	server := httptest.NewServer(s.HTTP())
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "attacker.example"
	r.Header.Set("X-User", "ann")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign Host: %d, want 403", res.StatusCode)
	}
}
