package httpapi_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/test/accesstest"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

// keysOf writes a keys file; the text of each key is its name.
func keysOf(t *testing.T, lines map[string]string) *access.Keys {
	t.Helper()
	var text strings.Builder
	text.WriteString("keys:\n")
	for name, rest := range lines {
		fmt.Fprintf(&text, "- {name: %s, hash: '%s', %s}\n", name, settings.APIKey{Hash: sha256.Sum256([]byte(name))}.HashText(), rest)
	}
	path := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := access.OpenKeys(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

const allScopes = "scopes: [chat, read, admin, handoff, metrics]"

// said keeps what each user said, by session.
type said map[[2]string][]string

func (s said) Handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	at := [2]string{in.Context.UserID, in.Context.SessionID}
	s[at] = append(s[at], in.Text)
	return router.Reply{SessionID: in.Context.SessionID, Turn: int64(len(s[at])), Reply: strings.Join(s[at], ", ")}, nil
}

func (s said) Routes(*httpapi.API) []httpapi.Route {
	return []httpapi.Route{
		{Method: http.MethodGet, Path: "/v1/sessions/{id}/messages", Scope: access.Read, Handler: func(w http.ResponseWriter, r *http.Request) {
			lines, ok := s[[2]string{access.From(r.Context()).UserID, r.PathValue("id")}]
			if !ok {
				httpapi.WriteProblem(w, &httpapi.Problem{Status: http.StatusNotFound, Code: "session_not_found", Title: "No such session"})
				return
			}
			httpapi.WriteJSON(w, http.StatusOK, "application/json", lines)
		}},
		{Method: http.MethodPost, Path: "/v1/sessions/import", Scope: access.Admin, Handler: func(http.ResponseWriter, *http.Request) {}},
	}
}

func TestEveryRouteWithEveryOtherKey(t *testing.T) {
	const canary = "canary-81c2"
	conversations := said{{"alice", "s1"}: {"my number is " + canary}}
	api := httpapi.New(conversations, &httpapi.Options{
		Adapters: []httpapi.Adapter{conversations},
		Access: &access.Bearer{Keys: keysOf(t, map[string]string{
			"owner": "user: alice, " + allScopes, "stranger": "user: mallory, " + allScopes,
			"c": "user: alice, scopes: [chat]", "r": "user: alice, scopes: [read]", "a": "user: alice, scopes: [admin]",
			"h": "user: alice, scopes: [handoff]", "m": "user: alice, scopes: [metrics]",
		})},
	})
	accesstest.Run(t, &accesstest.Case{
		API: api, Owner: "owner", Stranger: "stranger", Canaries: []string{canary}, Fill: map[string]string{"id": "s1"},
		Only: map[access.Scope]string{access.Chat: "c", access.Read: "r", access.Admin: "a", access.Handoff: "h", access.Metrics: "m"},
		Body: func(r httpapi.Route) (string, string) {
			if r.Path == "/chat" {
				return "", `{"message":"what did I say?","conversation_id":"s1"}`
			}
			return "", ""
		},
		Intact: func(t *testing.T) {
			if got := conversations[[2]string{"alice", "s1"}]; len(got) != 1 {
				t.Errorf("the owner's session is now %q", got)
			}
		},
	})
}
