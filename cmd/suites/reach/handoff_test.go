package reach

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/channeltest"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

const deskSecret = "whsec_ZGVzay1zZWNyZXQtZGVzay1zZWNyZXQtZGVzaw=="

// events keeps the events that a desk received, each once by its id.
type events struct {
	mu   sync.Mutex // guards what follows
	seen map[string]bool
	list []string
	lose int // answers that get lost
}

func (e *events) handler(t *testing.T, secret webhook.Secret) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || secret.Verify(r.Header, body, time.Now()) != nil {
			t.Errorf("an event that is not signed: %v", err)
		}
		var event struct {
			Type string `json:"type"`
			Data struct {
				Session string `json:"session_id"`
				User    string `json:"user_id"`
			} `json:"data"`
		}
		if json.Unmarshal(body, &event) != nil || strings.Contains(string(body), "help") {
			t.Errorf("got %s", body)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		if id := r.Header.Get("webhook-id"); !e.seen[id] {
			e.seen[id] = true
			e.list = append(e.list, event.Type+" "+event.Data.Session)
		}
		if e.lose--; e.lose >= 0 {
			panic(http.ErrAbortHandler)
		}
	}
}

func (e *events) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.list...)
}

// everyUser stands for the key of a service.
type everyUser struct{}

func (everyUser) Identify(r *http.Request) (access.Identity, error) {
	return access.Identity{Name: "desk", UserID: r.Header.Get("X-User-Id"), Scopes: access.Scopes}, nil
}

// A person takes a conversation on a channel over. The desk hears of it, what the person says reaches the
// user, and the agent is silent until it gets the conversation back.
func TestPersonOnAChannel(t *testing.T) {
	secret, err := webhook.ParseSecret(deskSecret)
	if err != nil {
		t.Fatal(err)
	}
	told := &events{seen: map[string]bool{}, lose: 2}
	server := httptest.NewServer(told.handler(t, secret))
	t.Cleanup(server.Close)
	t.Setenv("DESK_SECRET", deskSecret)
	d := openDesk(t, "channels.handoff.url="+server.URL, "channels.handoff.secret_env=DESK_SECRET")
	p := d.platforms[1]
	if p.Name() != "telegram" {
		t.Fatal(p.Name())
	}
	const session = "telegram/1"
	say := func(n int, text string) { deliver(t, p.Delivery(t, d.url, 1, n, text)) }
	act := func(body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.url+"/v1/sessions/"+url.PathEscape(session)+"/handoff", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-User-Id", session)
		deliver(t, r)
	}
	screen := func(n int) []string {
		t.Helper()
		until(t, "the person sees more", func() bool { return len(p.Screen(1)) >= n })
		return channeltest.Texts(p.Screen(1))
	}
	say(1, "i want to talk to a human")
	first := screen(1)
	until(t, "the desk is told", func() bool { return len(told.all()) == 1 })
	act(`{"action": "take", "by": "Ann", "message_id": "d1"}`)
	say(2, "help, which colour suits me?")
	until(t, "the desk is told of a message", func() bool { return len(told.all()) == 3 })
	for range 2 {
		act(`{"action": "answer", "text": "Take red.", "message_id": "d2"}`)
	}
	act(`{"action": "give_back", "message_id": "d3"}`)
	say(3, "paint my wall please")
	said := append(first, "Take red.", "Which colour?")
	if diff := cmp.Diff(said, screen(3)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	act(`{"action": "take", "by": "Bob", "message_id": "d4"}`)
	act(`{"action": "give_back", "message_id": "d5"}`)
	if got := screen(4); !strings.Contains(got[3], "Which colour?") {
		t.Errorf("the question is not put again: %q", got)
	}
	say(4, "red")
	if got := screen(5); got[4] != "Shall I paint the wall red?" {
		t.Errorf("the user saw %q", got)
	}
	until(t, "the desk is told of the end", func() bool { return len(told.all()) == 6 })
	var want []string
	for _, kind := range []string{"wanted", "taken", "message", "given_back", "taken", "given_back"} {
		want = append(want, "handoff."+kind+" "+session)
	}
	if diff := cmp.Diff(want, told.all()); diff != "" {
		t.Errorf("the desk: -want +got\n%s", diff)
	}
}
