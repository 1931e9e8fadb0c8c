package mcpserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// keys lets users in by their header, each for what it may do.
type keys map[string][]access.Scope

func (k keys) Identify(r *http.Request) (access.Identity, error) {
	user := r.Header.Get("X-User")
	if k[user] == nil {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: user, UserID: user, Scopes: k[user]}, nil
}

// As a face of the API the server has its door, its turns and its users.
func TestAFaceOfTheAPI(t *testing.T) {
	s := newShop(t, nil)
	server := mcpserver.New(mcpserver.Deps{Agent: s.router.Agent, Search: s.search, Sessions: s.sessions}, nil)
	api := httpapi.New(s.router, &httpapi.Options{
		Access: keys{"ann": {access.Chat, access.Read}, "bob": {access.Chat}, "eve": {access.Read}},
		Agent:  s.router.Agent, Adapters: []httpapi.Adapter{server},
	})
	service := httptest.NewServer(api)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		service.Close()
	})
	for user, status := range map[string]int{"": http.StatusUnauthorized, "eve": http.StatusForbidden, "ann": http.StatusOK} {
		if res, body := send(t, service.URL+"/mcp", user, http.MethodPost, hello); res.StatusCode != status {
			t.Errorf("user %q: %d %s, want %d", user, res.StatusCode, body, status)
		}
	}
	id := open(t, service.URL+"/mcp", "ann")
	if res, _ := send(t, service.URL+"/mcp", "bob", http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", id); res.StatusCode != http.StatusForbidden {
		t.Errorf("another user's session: %d, want 403", res.StatusCode)
	}
	for _, protocol := range protocols {
		person := &person{t: t, answers: []*mcp.ElicitResult{accept("confirm", true)}}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: person.elicit})
		c, err := client.Connect(t.Context(), clientOf(service.URL+"/mcp", "bob"), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		if a := use[mcpserver.Answer](t, c, "cancel_order", arguments{"order_id": "O-12345", "reason": "late"}); a.Reply != "O-12345 is cancelled." {
			t.Errorf("%s: %+v", protocol, a)
		}
		if _, err := call(t, c, "list_sessions", nil); err == nil || !strings.Contains(err.Error(), "may not") {
			t.Errorf("%s: a list without the scope read: %v", protocol, err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: close: %v", protocol, err)
		}
	}
	if got := s.done(); len(got) != len(protocols) || got[0] != "bob O-12345" {
		t.Errorf("done %v", got)
	}
}
