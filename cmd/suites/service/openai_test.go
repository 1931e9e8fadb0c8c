package service

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/openai"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// oneKey admits one key, with the scope admin, without which what is read back is masked.
type oneKey string

func (k oneKey) Identify(r *http.Request) (access.Identity, error) {
	if r.Header.Get("Authorization") != "Bearer "+string(k) {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: "test", UserID: "ann", Scopes: []access.Scope{access.Chat, access.Admin}}, nil
}

// TestOpenAIClient: OpenAI's own client holds the conversation of the README. It passes its session
// in each possible way, streamed and not, and each time the order is cancelled once.
func TestOpenAIClient(t *testing.T) {
	folder := programtest.NodeFolder(t, "SLOTWAY_TEST_OPENAI_NODE", "openai", "openai")
	for _, c := range []struct {
		way   string
		calls int // of the tool that cancels
	}{
		{"header", 1},
		{"header-stream", 1},
		{"body", 1},
		{"metadata-stream", 1},
		{"history", 1},
		{"history-stream", 1},
		{"conversation", 0},
		{"conversation-stream", 0}, // which is deleted at the end
		{"previous", 1},
		{"previous-stream", 1},
		{"items", 1},
		{"items-stream", 1},
		{"abort", 1},
		{"hangup", 1},
		{"errors", 0},
	} {
		t.Run(c.way, func(t *testing.T) {
			a := runtimetest.Open(t, runtimetest.Config{Options: slotway.Options{NoHTTP: true}})
			digests, err := memory.OpenDigests(t.Context(), a.Store())
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(httpapi.New(a.Router(), &httpapi.Options{
				Access: oneKey("sk-test"), Agent: a.Router().Agent,
				Adapters: []httpapi.Adapter{openai.New(&openai.Options{Store: a.Store(), Digests: digests, Agent: a.Router().Agent})},
			}))
			defer server.Close()
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("..", "..", "..", "scripts", "services", "node", "openai", "client.mjs"), folder, server.URL, "sk-test", c.way)
			cmd.WaitDelay = 10 * time.Second
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if n := a.Cancellations("ann"); n != c.calls {
				t.Errorf("%d cancellations, want %d", n, c.calls)
			}
		})
	}
}
