package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/term"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

func chatWith(t *testing.T, input string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), append([]string{"--set", "telemetry.log=none"}, args...), strings.NewReader(input), &out, &errs)
	return code, out.String(), errs.String()
}

// TestChatOverHTTPIsTheSameChat: the same lines get the same answers from a server and from an
// agent in the process.
func TestChatOverHTTPIsTheSameChat(t *testing.T) {
	url, stop := startServe(t, t.TempDir())
	defer stop()
	const lines = "I want to check my order\nIt's O-12345\nthank you\n"
	for _, form := range [][]string{nil, {"--json"}} {
		session := fmt.Sprintf("s%d", len(form))
		here, local, _ := chatWith(t, lines, append([]string{"--data", t.TempDir(), "chat", "--session", session}, form...)...)
		there, distant, errs := chatWith(t, lines, append([]string{"chat", "--session", session, "--url", url}, form...)...)
		if here != exitOK || there != exitOK || strings.Count(local, "\n") != 3 {
			t.Errorf("exit codes %d and %d: %s\n%s", here, there, errs, local)
		}
		if diff := cmp.Diff(local, distant); diff != "" {
			t.Errorf("%v (-here +there)\n%s", form, diff)
		}
	}
}

// distant is a server with the API's own chat and session routes of the same shapes, which
// can lose connections and refuse.
type distant struct {
	mu       sync.Mutex
	ids      []string // of messages, as they came
	asked    []string // method, path and query of session routes
	trouble  []func(http.ResponseWriter, *http.Request) bool
	shelf    map[string]string // answers by method and path
	lastUser string
}

func (d *distant) Handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	return router.Reply{SessionID: in.Context.SessionID, Turn: 1, Reply: "you said " + in.Text, Params: map[string]any{}, ToolCalls: []router.ToolReport{}}, nil
}

// serve starts it behind a proxy that has the trouble.
func (d *distant) serve(t *testing.T, who access.Authenticator) string {
	t.Helper()
	api := httpapi.New(d, &httpapi.Options{Access: who, Adapters: []httpapi.Adapter{d}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		d.mu.Lock()
		var in struct {
			ID string `json:"message_id"`
		}
		if r.URL.Path == "/chat" && json.Unmarshal(body, &in) == nil {
			d.ids = append(d.ids, in.ID)
		}
		d.lastUser = r.Header.Get("X-User-Id")
		var now func(http.ResponseWriter, *http.Request) bool
		if len(d.trouble) > 0 {
			now, d.trouble = d.trouble[0], d.trouble[1:]
		}
		d.mu.Unlock()
		if now != nil && now(w, r) {
			return
		}
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (d *distant) Routes(*httpapi.API) []httpapi.Route {
	var routes []httpapi.Route
	for _, at := range []string{
		"GET /v1/agent", "GET /v1/sessions", "GET /v1/sessions/{id}/messages", "GET /v1/sessions/{id}/state",
		"GET /v1/sessions/{id}/export", "GET /v1/sessions/{id}/trace", "POST /v1/sessions/{id}/clear", "POST /v1/sessions/{id}/undo", "DELETE /v1/sessions/{id}",
	} {
		method, path, _ := strings.Cut(at, " ")
		routes = append(routes, httpapi.Route{Method: method, Path: path, Handler: func(w http.ResponseWriter, r *http.Request) {
			d.mu.Lock()
			defer d.mu.Unlock()
			asked := r.Method + " " + r.URL.RequestURI()
			d.asked = append(d.asked, asked)
			answer, ok := d.shelf[asked]
			switch {
			case !ok:
				httpapi.WriteProblem(w, &httpapi.Problem{Status: 404, Code: "session_not_found", Title: "No such session"})
			case answer == "forbidden":
				httpapi.WriteProblem(w, &httpapi.Problem{Status: 403, Code: "forbidden", Title: "This key may not do that"})
			case answer == "":
				w.WriteHeader(http.StatusNoContent)
			default:
				_, _ = io.WriteString(w, answer)
			}
		}})
	}
	return routes
}

// hangUp drops the connection.
func hangUp(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

func refuse(status, after string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", after)
		code := map[string]int{"429": 429, "503": 503, "500": 500}[status]
		httpapi.WriteProblem(w, &httpapi.Problem{Status: code, Code: "busy", Title: "Too many"})
		return true
	}
}

// placeAt is a remote place that notes how long it would wait.
func placeAt(t *testing.T, url string, waits *[]time.Duration) *remoteBackend {
	t.Helper()
	cmd := newChat(&flags{})
	r, err := (&chatFlags{url: url}).remoteBackend(cmd)
	if err != nil {
		t.Fatal(err)
	}
	r.sleep = func(_ context.Context, d time.Duration) error { *waits = append(*waits, d); return nil }
	return r
}

func TestChatAgainWithTheSameMessageID(t *testing.T) {
	tests := []struct {
		name    string
		trouble []func(http.ResponseWriter, *http.Request) bool
		waits   []time.Duration
		sent    int
		err     string
	}{
		{"no trouble", nil, nil, 1, ""},
		{"the connection is lost", []func(http.ResponseWriter, *http.Request) bool{hangUp}, []time.Duration{time.Second}, 2, ""},
		{"no room", []func(http.ResponseWriter, *http.Request) bool{refuse("503", "7")}, []time.Duration{7 * time.Second}, 2, ""},
		{"too many", []func(http.ResponseWriter, *http.Request) bool{refuse("429", "1")}, []time.Duration{time.Second}, 2, ""},
		{"twice", []func(http.ResponseWriter, *http.Request) bool{refuse("429", "1"), refuse("429", "1")}, []time.Duration{time.Second}, 2, "the server answers 429 busy: Too many"},
		{"for an hour", []func(http.ResponseWriter, *http.Request) bool{refuse("503", "3600")}, nil, 1, "try again in 1h0m0s"},
		{"broken", []func(http.ResponseWriter, *http.Request) bool{refuse("500", "")}, nil, 1, "the server answers 500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := &distant{trouble: test.trouble}
			var waits []time.Duration
			reply, err := placeAt(t, d.serve(t, nil), &waits).send(t.Context(), "s1", "hi", nil)
			if (err != nil) != (test.err != "") || (err != nil && !strings.Contains(err.Error(), test.err)) || (err == nil && reply.Reply != "you said hi") {
				t.Errorf("%+v, %v", reply, err)
			}
			if len(d.ids) != test.sent || d.ids[0] == "" || d.ids[0] != d.ids[len(d.ids)-1] || !cmp.Equal(test.waits, waits) {
				t.Errorf("message ids %q, waited %v", d.ids, waits)
			}
		})
	}
}

// TestUndoIsNotSentAgain: undo is not sent twice, because the first may have succeeded.
func TestUndoIsNotSentAgain(t *testing.T) {
	d := &distant{trouble: []func(http.ResponseWriter, *http.Request) bool{hangUp}, shelf: map[string]string{"POST /v1/sessions/s1/undo": `{"turn":1}`}}
	var waits []time.Duration
	if _, _, err := placeAt(t, d.serve(t, nil), &waits).undo(t.Context(), "s1"); err == nil || len(d.asked) > 0 || waits != nil {
		t.Errorf("%v, asked %v, waited %v", err, d.asked, waits)
	}
}

func TestTerminalCommandsOverHTTP(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.jsonl")
	d := &distant{shelf: map[string]string{
		"GET /v1/sessions?limit=200":                        `{"sessions":[{"session_id":"s1","turns":3,"updated_at":"2026-06-01T12:00:00Z"}],"next_offset":1}`,
		"GET /v1/sessions?limit=200&offset=1":               `{"sessions":[{"session_id":"s2","turns":1,"updated_at":"2026-06-01T12:00:00Z"}],"next_offset":null}`,
		"GET /v1/sessions/a%2Fb/messages?limit=200":         `{"messages":[{"seq":1,"role":"user","text":"hello"}],"next_after":1}`,
		"GET /v1/sessions/a%2Fb/messages?after=1&limit=200": `{"messages":[{"seq":2,"role":"agent","text":"good day"}],"next_after":null}`,
		"GET /v1/sessions/a%2Fb/state":                      `{"params":{"order_id":"***"},"waiting_for_param":"size","last_intent_id":null,"turns":3,"turn":3}`,
		"GET /v1/sessions/a%2Fb/messages?last=true&limit=6": `{"messages":[{"seq":2,"role":"agent","text":"good evening"}],"next_after":null}`,
		"GET /v1/sessions/a%2Fb/export?reveal=true":         "forbidden",
		"GET /v1/sessions/a%2Fb/export":                     `{"slotway_session_masked":1}` + "\n",
		"POST /v1/sessions/a%2Fb/clear":                     `{"cleared":4}`,
		"POST /v1/sessions/a%2Fb/undo":                      `{"turn":3,"calls":[{"tool":"pay","status":"ok"}]}`,
		"DELETE /v1/sessions/a%2Fb":                         "",
	}}
	var waits []time.Duration
	var screen bytes.Buffer
	c := &console{chatSession: &chatSession{chatFlags: &chatFlags{session: "s0"}, backend: placeAt(t, d.serve(t, nil), &waits)}}
	c.screen = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{strings.NewReader(""), &screen}, "")
	for _, step := range []struct{ line, want string }{
		{"/sessions", "s1  3 turns"},
		{"/sessions", "s2  1 turns"},
		{"/load a/b", "on with session a/b\r\n    2 agent good evening"},
		{"hi", "you said hi"},
		{"/history", "2 agent good day"},
		{"/state", `order_id = "***"`},
		{"/state", "waiting for: size; last intent: nothing; turns: 3"},
		{"/save", "session a/b is saved in 127.0.0.1"},
		{"/save " + file, "redacted values are masked in it"},
		{"/undo", "turn 3 is undone; 1 write calls"},
		{"/clear", "cleared 4 messages"},
		{"/forget", "erased"},
	} {
		screen.Reset()
		if err := c.line(t.Context(), step.line); err != nil || !strings.Contains(screen.String(), step.want) {
			t.Errorf("%s: %v, %q, want %q", step.line, err, screen.String(), step.want)
		}
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "slotway_session_masked") {
		t.Errorf("saved %q, %v", data, err)
	}
	c.session = "gone"
	if err := c.line(t.Context(), "/undo"); err == nil || !strings.Contains(err.Error(), "404 session_not_found") {
		t.Errorf("/undo of no session: %v", err)
	}
	if err := c.line(t.Context(), "/forget"); err != nil {
		t.Errorf("/forget of no session: %v", err)
	}
	if greeting, err := c.backend.greet(t.Context()); err != nil || !strings.HasPrefix(greeting, "An agent at 127.0.0.1") {
		t.Errorf("greeting %q, %v", greeting, err)
	}
}

// onlyKey lets one key in, which may speak for users.
type onlyKey struct{}

func (onlyKey) Identify(r *http.Request) (access.Identity, error) {
	if r.Header.Get("Authorization") != "Bearer slotway_good" {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: "k", UserID: r.Header.Get("X-User-Id"), Scopes: access.Scopes}, nil
}

func TestChatOverHTTPTellsWhatIsWrong(t *testing.T) {
	d := &distant{}
	url := d.serve(t, onlyKey{})
	gone := httptest.NewServer(nil)
	gone.Close()
	t.Setenv("GOOD_KEY", "slotway_good")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--url", url}, exitCheck, "the server answers 401 unauthorized"},
		{[]string{"--url", url, "--key-env", "NO_SUCH_KEY"}, exitUsage, "NO_SUCH_KEY"},
		{[]string{"--url", "localhost:8080"}, exitUsage, "http://HOST:PORT"},
		{[]string{"--url", "http://u:p@h"}, exitUsage, "http://HOST:PORT"},
		{[]string{"--url", url, "--redact"}, exitUsage, "--redact"},
	} {
		code, out, errs := chatWith(t, "hi\n", append([]string{"chat"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) || strings.Contains(out+errs, "slotway_good") {
			t.Errorf("%v: %d, %q, %q", test.args, code, out, errs)
		}
	}
	code, out, errs := chatWith(t, "hi\n", "chat", "--url", url, "--key-env", "GOOD_KEY", "--user", "bob")
	if code != exitOK || out != "you said hi\n" || d.lastUser != "bob" {
		t.Errorf("with the key: %d, %q, %q, for %q", code, out, errs, d.lastUser)
	}
	var waits []time.Duration
	if _, err := placeAt(t, gone.URL, &waits).send(t.Context(), "s1", "hi", nil); err == nil || !strings.Contains(err.Error(), "cannot reach the server") || len(waits) != 1 {
		t.Errorf("nobody there: %v after %v", err, waits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := placeAt(t, url, &waits).send(ctx, "s1", "hi", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	elsewhere := httptest.NewServer(http.RedirectHandler(url, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	if _, err := placeAt(t, elsewhere.URL, &waits).send(t.Context(), "s1", "hi", nil); err == nil || !strings.Contains(err.Error(), "sends us elsewhere") {
		t.Errorf("redirected: %v", err)
	}
}
