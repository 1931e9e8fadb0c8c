package build

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/settings"
)

// A text that the server refuses is told by rules; a server that fails is waited for. Both are seen in
// /readyz, and the probe keeps to what strict servers take.
func TestSummaryModel(t *testing.T) {
	down := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil:
			t.Error(err)
		case down:
			w.WriteHeader(http.StatusInternalServerError)
		case strings.Contains(string(body), "refused words"), !strings.Contains(string(body), `"additionalProperties":false`):
			w.WriteHeader(http.StatusBadRequest)
		default:
			io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"{}"}}]}`)
		}
	}))
	defer server.Close()
	conf := settings.Default()
	conf.Models.Chat.BaseURL, conf.Models.Chat.Model, conf.Memory.Summary.Enabled = server.URL, "small", true
	servers := NewServers(func(string) {}, 0)
	m, err := (&Models{Settings: conf, Servers: servers}).SummaryModel("summary")
	if err != nil {
		t.Fatal(err)
	}
	schema := json.RawMessage(`{"type":"object","additionalProperties":false}`)
	for _, step := range []struct {
		text, want string
		down       bool
		degraded   int
	}{
		{"hello", "{}", false, 0}, {"refused words", "", false, 1}, {"hello", "{}", false, 0}, {"hello", "", true, 1},
	} {
		down = step.down
		got, err := m.Complete(t.Context(), "Summarise.", step.text, schema)
		if got != step.want || (err != nil) != step.down || len(servers.Degraded()) != step.degraded {
			t.Errorf("%+v: %q, %v, degraded %v", step, got, err, servers.Degraded())
		}
	}
	down = false
	for _, probe := range servers.due(false) {
		if err := probe(t.Context()); err != nil {
			t.Errorf("the probe: %v", err)
		}
	}
	if list := servers.Degraded(); len(list) > 0 {
		t.Errorf("after the probe: %v", list)
	}
}
