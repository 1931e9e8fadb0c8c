package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
)

// servedWith is the service of an agent, nil for the embedded one, beside a model server.
func servedWith(t *testing.T, agent *config.Agent, model http.Handler, set ...string) http.Handler {
	t.Helper()
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	set = append([]string{"memory.storage=inmem", "telemetry.log=none", "server.limits.rate=0", "models.chat.model=small", "models.chat.base_url=" + server.URL + "/v1"}, set...)
	a, err := newApp(t.Context(), &flags{data: t.TempDir(), set: set}, slotway.Options{Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newLocalService(a)
	return s.api
}

// posted is a request to /chat.
func posted(t *testing.T, body string) *http.Request {
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8080/chat", strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	return req
}

// POST /chat names the model server where it read the message or answered, and the agent
// otherwise. A repeated message is answered with the same names. A client may call the agent
// general.
func TestRepliesNameTheModelServer(t *testing.T) {
	server := &modelServer{answers: map[string]string{odd: `{"intent":"order_status","params":[]}`}}
	service := servedWith(t, nil, server)
	for _, turn := range []struct{ id, text, model, provider string }{
		{"1", "hello", "shop", "slotway"},
		{"2", odd, "small", "127.0.0.1"},
		{"3", "O-12345", "shop", "slotway"},
		{"2", odd, "small", "127.0.0.1"},
	} {
		body := `{"message":"` + turn.text + `","conversation_id":"c","message_id":"` + turn.id + `","agent":"general"}`
		res := httptest.NewRecorder()
		service.ServeHTTP(res, posted(t, body))
		var got struct{ Model, Provider string }
		if err := json.Unmarshal(res.Body.Bytes(), &got); err != nil || got.Model != turn.model || got.Provider != turn.provider {
			t.Errorf("%s: %s\nwant %s of %s", turn.text, res.Body, turn.model, turn.provider)
		}
	}
	if n := len(server.requests()); n != 1 {
		t.Errorf("the model was asked %d times, want once", n)
	}
}

// A generate step that the model answered names it too; one that fell back to its else does not.
func TestGeneratedRepliesNameTheModel(t *testing.T) {
	c := newCompanion(t)
	if got := c.turn("ann", "s", "Photography matters most to me"); got.Model != "small" || got.Provider != "127.0.0.1" {
		t.Errorf("a generated reply names %s of %s", got.Model, got.Provider)
	}
	gone := newCompanion(t, "models.chat.base_url=http://127.0.0.1:1/v1")
	if got := gone.turn("ann", "s", "Photography matters most to me"); got.Model != "" || got.Reply != "I have no words today." {
		t.Errorf("%q names %s, without a model server", got.Reply, got.Model)
	}
}
