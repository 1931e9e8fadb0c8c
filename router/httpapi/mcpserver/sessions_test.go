package mcpserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// A user who opens one session after the other loses those that were not used for longest,
// and takes none of another's.
func TestAUsersSessionsAreBounded(t *testing.T) {
	s := newShop(t, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{MaxUserSessions: 3}})
	url := listen(t, s)
	alive := func(user, id string) bool {
		t.Helper()
		res, body := send(t, url, user, http.MethodPost, `{"jsonrpc":"2.0","id":9,"method":"ping"}`, "Mcp-Session-Id", id)
		if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
			t.Errorf("ping: %d %s", res.StatusCode, body)
		}
		return res.StatusCode == http.StatusOK
	}
	bobs := open(t, url, "bob")
	var ids []string
	for range 3 {
		ids = append(ids, open(t, url, "ann"))
	}
	alive("ann", ids[0]) // so that the second is now the one that was not used for longest
	stream := follow(t, url, "ann", ids[1])
	ids = append(ids, open(t, url, "ann"))
	if _, err := io.ReadAll(stream); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the stream of a session that was closed: %v", err)
	}
	var got []bool
	for _, id := range ids {
		got = append(got, alive("ann", id))
	}
	if want := []bool{true, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("alive are %v, want %v", got, want)
	}
	if !alive("bob", bobs) {
		t.Error("another user's session was closed")
	}
	for range 50 {
		open(t, url, "ann")
	}
	if !alive("bob", bobs) {
		t.Error("another user's session was closed")
	}
}

// follow opens the stream that a client keeps for what the server has to say.
func follow(t testing.TB, url, user, id string) io.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Accept": "text/event-stream", "X-User": user, "Mcp-Session-Id": id} {
		r.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		t.Fatalf("open a stream: %d", res.StatusCode)
	}
	return res.Body
}

// A session that is at work is not closed for another one.
func TestASessionAtWorkStays(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	s := mcpserver.New(mcpserver.Deps{
		Agent: newShop(t, nil).router.Agent,
		Turn: func(context.Context, router.Interaction) (router.Reply, error) {
			close(begun)
			<-goOn
			return router.Reply{Reply: "at last"}, nil
		},
	}, &mcpserver.Options{HTTP: mcpserver.HTTPOptions{
		MaxUserSessions: 1, User: func(*http.Request) (string, bool) { return "ann", true },
	}})
	defer s.Close()
	server := httptest.NewServer(s.HTTP())
	defer server.Close()
	id := open(t, server.URL, "ann")
	send(t, server.URL, "ann", http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"send_message","arguments":{"message":"hello"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": id} {
		r.Header.Set(k, v)
	}
	var turn sync.WaitGroup
	turn.Go(func() {
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(body), "at last") {
			t.Errorf("the turn's answer is %s (%v)", body, err)
		}
	})
	<-begun
	if res, _ := send(t, server.URL, "ann", http.MethodPost, hello); res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("another session: %d, want 503", res.StatusCode)
	}
	close(goOn)
	turn.Wait()
	open(t, server.URL, "ann") // the first one has nothing to do now
}
