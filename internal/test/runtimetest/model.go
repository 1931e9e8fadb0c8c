package runtimetest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Odd is a message of words that no agent knows: the embedded classifier cannot be sure of them.
const Odd = "flumps quandered the zorbly wexit"

// ModelServer is an OpenAI-compatible server of a chat model, which answers by what it finds in
// the message and keeps the requests.
type ModelServer struct {
	Answers map[string]string // by a part of the message
	Status  int               // 0: 200

	mu   sync.Mutex // guards sent
	sent []string
}

// ServeHTTP implements http.Handler.
func (m *ModelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.mu.Lock()
	m.sent = append(m.sent, string(body))
	m.mu.Unlock()
	var req struct {
		Messages []struct{ Role, Content string }
	}
	if err != nil || json.Unmarshal(body, &req) != nil || len(req.Messages) != 2 || r.URL.Path != "/v1/chat/completions" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if m.Status != 0 {
		w.WriteHeader(m.Status)
		return
	}
	answer := `{"intent":"none","params":[]}`
	for part, a := range m.Answers {
		if strings.Contains(req.Messages[1].Content, part) {
			answer = a
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": answer}}}})
}

// Requests returns the bodies of all requests.
func (m *ModelServer) Requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent
}
