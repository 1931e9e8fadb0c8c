package conversation

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// servedWith serves an agent, or the embedded one if agent is nil, with a model server.
func servedWith(t *testing.T, agent *config.Agent, model http.Handler, set ...string) http.Handler {
	t.Helper()
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	set = append([]string{"memory.storage=inmem", "telemetry.log=none", "server.limits.rate=0", "models.chat.model=small", "models.chat.base_url=" + server.URL + "/v1"}, set...)
	return runtimetest.Serve(runtimetest.Open(t, runtimetest.Config{Set: set, Options: slotway.Options{Agent: agent}}))
}

// posted returns a request to /chat.
func posted(t *testing.T, body string) *http.Request {
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8080/chat", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	return req
}

// TestRepliesNameTheModelServer: POST /chat names the model if the model server read the message or
// answered it, and the agent otherwise. A repeated message gets the same names. A client may call
// the agent general.
func TestRepliesNameTheModelServer(t *testing.T) {
	server := &runtimetest.ModelServer{Answers: map[string]string{runtimetest.Odd: `{"intent":"order_status","params":[]}`}}
	service := servedWith(t, nil, server)
	for _, turn := range []struct{ id, text, model, provider string }{
		{"1", "hello", "shop", "slotway"},
		{"2", runtimetest.Odd, "small", "127.0.0.1"},
		{"3", "O-12345", "shop", "slotway"},
		{"2", runtimetest.Odd, "small", "127.0.0.1"},
	} {
		body := `{"message":"` + turn.text + `","conversation_id":"c","message_id":"` + turn.id + `","agent":"general"}`
		res := httptest.NewRecorder()
		service.ServeHTTP(res, posted(t, body))
		var got struct{ Model, Provider string }
		if err := json.Unmarshal(res.Body.Bytes(), &got); err != nil || got.Model != turn.model || got.Provider != turn.provider {
			t.Errorf("%s: %s\nwant %s of %s", turn.text, res.Body, turn.model, turn.provider)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("the model was asked %d times, want once", n)
	}
}
