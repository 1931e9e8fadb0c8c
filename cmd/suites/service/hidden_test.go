package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// askAs sends a JSON body with a key and reads the JSON answer. It fails the test unless the status
// is 200.
func askAs(t *testing.T, h http.Handler, key, method, path, body string) (raw string, v map[string]any) {
	t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", "send_message")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	text := w.Body.String()
	if _, data, ok := strings.Cut(text, "data: "); ok {
		text = data
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s %s: status %d, %v in %s", method, path, w.Code, err, w.Body)
	}
	return text, v
}

// TestRepliesHideWhatTheKeyDoesNotCover: without the scope admin an answer holds a redacted value
// in the reply alone, and an answer that is read again holds it nowhere.
func TestRepliesHideWhatTheKeyDoesNotCover(t *testing.T) {
	const value = "O-12345"
	s := runtimetest.ServeWithKeys(t, nil, "chat=alice chat, read", "admin=alice chat, read, admin")
	const ask = `where is O-12345?`
	turns := []struct{ name, path, body, at string }{
		{"chat", "/chat", `{"message": "` + ask + `", "conversation_id": "s1", "message_id": "m1"}`, ""},
		{"the same again", "/chat", `{"message": "` + ask + `", "conversation_id": "s1", "message_id": "m1"}`, ""},
		{"completions", "/v1/chat/completions", `{"model": "shop", "messages": [{"role": "user", "content": "` + ask + `"}], "conversation_id": "s2"}`, "slotway"},
		{"responses", "/v1/responses", `{"model": "shop", "input": "` + ask + `"}`, "slotway"},
	}
	for key, hidden := range map[string]bool{"chat": true, "admin": false} {
		for _, turn := range turns {
			raw, got := askAs(t, s, s.Keys[key], http.MethodPost, turn.path, turn.body)
			if turn.at != "" {
				got, _ = got[turn.at].(map[string]any)
			}
			params, _ := got["params"].(map[string]any)
			text, _ := got["reply"].(string)
			if fmt.Sprint(params["order_id"]) == "<nil>" || strings.Contains(fmt.Sprint(params), value) == hidden || !strings.Contains(text, value) {
				t.Errorf("%s with %s: params %v, reply %q in %s", turn.name, key, params, text, raw)
			}
			if turn.name != "responses" {
				continue
			}
			var full map[string]any
			if err := json.Unmarshal([]byte(raw), &full); err != nil {
				t.Fatal(err)
			}
			again, _ := askAs(t, s, s.Keys[key], http.MethodGet, "/v1/responses/"+full["id"].(string), "")
			if strings.Contains(again, value) == hidden {
				t.Errorf("the response again with %s: %s", key, again)
			}
		}
	}
}

// TestMCPRepliesHideWhatTheKeyDoesNotCover: an MCP client sees no more than an HTTP client.
func TestMCPRepliesHideWhatTheKeyDoesNotCover(t *testing.T) {
	s := runtimetest.ServeWithKeys(t, nil, "chat=alice chat, read", "admin=alice chat, read, admin")
	const call = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": {"message": "where is O-12345?"},
		"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"}, "io.modelcontextprotocol/clientCapabilities": {}}}}`
	for key, hidden := range map[string]bool{"chat": true, "admin": false} {
		raw, got := askAs(t, s, s.Keys[key], http.MethodPost, "/mcp", call)
		result, _ := got["result"].(map[string]any)
		answer, _ := result["structuredContent"].(map[string]any)
		params, _ := answer["params"].(map[string]any)
		if params["order_id"] == nil || strings.Contains(fmt.Sprint(params), "O-12345") == hidden {
			t.Errorf("with %s: params %v in %s", key, params, raw)
		}
	}
}
