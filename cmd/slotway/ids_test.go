package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// idDoors are where an id comes in over HTTP; %s is the id in JSON.
var idDoors = []struct{ name, path, body, header string }{
	{"chat", "/chat", `{"message": "hello", "conversation_id": %s}`, ""},
	{"message", "/chat", `{"message": "hello", "message_id": %s}`, ""},
	{"chat by header", "/chat", `{"message": "hello"}`, "Idempotency-Key"},
	{"completions", "/v1/chat/completions", `{"messages": [{"role": "user", "content": "hello"}], "conversation_id": %s}`, ""},
	{"completions by header", "/v1/chat/completions", `{"messages": [{"role": "user", "content": "hello"}]}`, "X-Conversation-Id"},
	{"completions again", "/v1/chat/completions", `{"messages": [{"role": "user", "content": "hello"}]}`, "Idempotency-Key"},
	{"responses", "/v1/responses", `{"input": "hello", "conversation": %s}`, ""},
}

// TestOneRuleForIDs: every interface applies the same rule to ids and reports it in the same words.
func TestOneRuleForIDs(t *testing.T) {
	bad := map[string]string{"long": strings.Repeat("x", printable.MaxID+1), "tab": "\t"}
	maps.Copy(bad, hostile)
	s := runtimetest.ServeWithKeys(t, nil, "k=alice chat, read, admin")
	ask := func(method, path, body string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+s.Keys["k"])
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		if path == "/mcp" {
			runtimetest.MCPHeaders(r.Header, "send_message")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for name, text := range bad {
		t.Run(name, func(t *testing.T) {
			id := "x" + text
			quoted := strings.NewReplacer(`\x`, `\u00`, `\a`, `\u0007`, `\v`, `\u000b`).Replace(strconv.QuoteToASCII(id))
			for _, d := range idDoors {
				body, headers := d.body, []string(nil)
				if d.header == "" {
					body = fmt.Sprintf(d.body, quoted)
				} else {
					headers = []string{d.header, id}
				}
				got := ask(http.MethodPost, d.path, body, headers...)
				if !strings.Contains(got.Body.String(), printable.IDRule) || got.Code != http.StatusBadRequest {
					t.Errorf("%s: %d %s", d.name, got.Code, got.Body)
				}
			}
			call, err := json.Marshal(runtimetest.MCPCall("send_message", map[string]any{"message": "hello", "conversation_id": id}))
			if err != nil {
				t.Fatal(err)
			}
			if got := ask(http.MethodPost, "/mcp", string(call)); !strings.Contains(got.Body.String(), printable.IDRule) {
				t.Errorf("mcp: %d %s", got.Code, got.Body)
			}
			if got := ask(http.MethodGet, "/v1/events?session_id="+url.QueryEscape(id), ""); got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), printable.IDRule) {
				t.Errorf("events: %d %s", got.Code, got.Body)
			}
			if got := ask(http.MethodGet, "/v1/sessions/"+url.PathEscape(id), ""); got.Code != http.StatusNotFound {
				t.Errorf("a session: %d %s", got.Code, got.Body)
			}
			dir := t.TempDir()
			writeTestFile(t, dir+"/keys.yaml", "keys:\n- {name: "+strconv.QuoteToASCII(id)+", hash: 'sha256:1', user: u, scopes: [chat]}\n")
			writeTestFile(t, dir+"/r.yaml", "conversation: c\nsession: "+strconv.QuoteToASCII(id)+"\nturns: [{user: hi}]\n")
			for _, args := range [][]string{
				{"chat", "--session", id},
				{"chat", "--user", id},
				{"mcp", "--user", id},
				{"record", "s", "--user", id},
				{"sessions", "fork", "s", id},
				{"sessions", "list", "--user", id},
				{"memory", "search", "x", "--session", id},
				{"memory", "stats", "--user", id},
				{"keys", "new", "--name", id, "--user", "u"},
				{"keys", "new", "--name", "n", "--user", id},
				{"keys", "list", "--set", "server.auth.keys_file=" + dir + "/keys.yaml"},
				{"replay", dir + "/r.yaml"},
			} {
				out, code := runCommand(t, append([]string{"--data", dir, "--set", "telemetry.log=none"}, args...)...)
				if code == exitOK || !strings.Contains(out, printable.IDRule) {
					t.Errorf("%q: exit code %d\n%s", args, code, out)
				}
			}
		})
	}
}
