package mcptool_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// legacy is a server of the protocol of 2025, with sessions, that can forget them and
// fail in the ways that are seen.
type legacy struct {
	mu       sync.Mutex // guards the rest
	sessions int        // made so far
	calls    int        // of tools that ran
	fail     func(w http.ResponseWriter, session string) bool
}

func (l *legacy) failBy(fail func(w http.ResponseWriter, session string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = fail
}

func (l *legacy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var msg struct {
		ID     any
		Method string
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	json.NewDecoder(r.Body).Decode(&msg)
	session := r.Header.Get("Mcp-Session-Id")
	answer := func(result string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"result":%s}`, msg.ID, result)
	}
	switch {
	case session != "" && l.fail != nil && l.fail(w, session):
	case msg.Method == "initialize":
		l.sessions++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("s%d", l.sessions))
		answer(`{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`)
	case msg.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case msg.Method == "tools/call":
		l.calls++
		answer(`{"content":[{"type":"text","text":"done"}]}`)
	default:
		w.WriteHeader(http.StatusBadRequest) // what it does not know, such as the newer protocol's discovery
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32000,"message":"no session"}}`, msg.ID)
	}
}

func (l *legacy) serve(t *testing.T) *config.MCPServer {
	s := httptest.NewServer(l)
	t.Cleanup(s.Close)
	return &config.MCPServer{Name: "old", URL: s.URL}
}

// A server that was started again does not know the session, and says so in one of three
// ways. The call then goes through a new session, and runs once.
func TestForgottenSession(t *testing.T) {
	for name, forget := range map[string]func(http.ResponseWriter){
		"404": func(w http.ResponseWriter) { http.Error(w, "session not found", http.StatusNotFound) },
		"404 with a JSON-RPC error": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
		},
		"400 with a JSON-RPC error": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":3}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			side := &legacy{}
			s := newServer(t, side.serve(t))
			if v, err := call(t.Context(), s, "any"); v != "done" || err != nil {
				t.Fatalf("%v, %v", v, err)
			}
			side.failBy(func(w http.ResponseWriter, session string) bool {
				if session != "s1" {
					return false
				}
				forget(w)
				return true
			})
			if v, err := call(t.Context(), s, "any"); v != "done" || err != nil {
				t.Errorf("%v, %v", v, err)
			}
			if side.sessions != 2 || side.calls != 2 {
				t.Errorf("%d sessions, %d calls, want 2 of each", side.sessions, side.calls)
			}
			side.failBy(func(w http.ResponseWriter, _ string) bool { forget(w); return true })
			_, err := call(t.Context(), s, "any")
			if tools.CodeOf(err) != tools.Unavailable || side.sessions > 4 {
				t.Errorf("a server that forgets every session: %v after %d sessions", err, side.sessions)
			}
			check(t, err, false)
		})
	}
}

// Failures within a session keep their meaning, and the session serves on.
func TestFailuresInASession(t *testing.T) {
	for name, tt := range map[string]struct {
		status    int
		want      tools.Code
		uncertain bool
	}{
		"overloaded":  {http.StatusServiceUnavailable, tools.Unavailable, true},
		"crashed":     {http.StatusInternalServerError, tools.Unavailable, true},
		"too many":    {http.StatusTooManyRequests, tools.RateLimited, false},
		"no longer":   {http.StatusUnauthorized, tools.Denied, false},
		"lost midway": {0, tools.Unavailable, true},
	} {
		t.Run(name, func(t *testing.T) {
			side := &legacy{}
			s := newServer(t, side.serve(t))
			if _, err := call(t.Context(), s, "any"); err != nil {
				t.Fatal(err)
			}
			side.failBy(func(w http.ResponseWriter, _ string) bool {
				if tt.status == 0 {
					panic(http.ErrAbortHandler)
				}
				http.Error(w, canary, tt.status)
				return true
			})
			_, err := call(t.Context(), s, "any")
			if tools.CodeOf(err) != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
			check(t, err, tt.uncertain)
			side.failBy(nil)
			if v, err := call(t.Context(), s, "any"); v != "done" || err != nil {
				t.Errorf("afterwards: %v, %v", v, err)
			}
		})
	}
}

// A server that is not there any more was not reached, so a write is certain not to have
// happened.
func TestServerGone(t *testing.T) {
	side := &legacy{}
	web := httptest.NewServer(side)
	s := newServer(t, &config.MCPServer{Name: "old", URL: web.URL})
	if _, err := call(t.Context(), s, "any"); err != nil {
		t.Fatal(err)
	}
	web.Close()
	var err error
	for range 2 { // the first may find the old connection, and not know how far it came
		if _, err = call(t.Context(), s, "any"); tools.CodeOf(err) != tools.Unavailable {
			t.Errorf("%v, want unavailable", err)
		}
	}
	check(t, err, false)
}
