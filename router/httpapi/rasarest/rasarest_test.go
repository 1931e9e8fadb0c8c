package rasarest_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/rasarest"
)

// parrot stands for a router. It keeps the messages.
type parrot struct {
	got []router.Interaction
}

func (p *parrot) Handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	p.got = append(p.got, in)
	switch in.Text {
	case "silence":
		return router.Reply{}, nil
	case "busy":
		return router.Reply{}, router.ErrBadInteraction
	}
	return router.Reply{Reply: "You said: " + in.Text, Options: []planner.Suggestion{{Title: "Yes", Text: "yes, please"}}}, nil
}

func send(p *parrot, body, id string) (status int, answer string) {
	api := httpapi.New(p, &httpapi.Options{Agent: func() *config.Agent { return &config.Agent{ID: "parrot"} }, Adapters: []httpapi.Adapter{rasarest.Adapter{}}})
	r := httptest.NewRequest("POST", "/webhooks/rest/webhook", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if id != "" {
		r.Header.Set("Idempotency-Key", id)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		want       string // part of the answer
	}{
		{"a text with buttons", `{"sender": "ann", "message": "hi", "metadata": {"from": "web"}}`, 200, `[{"recipient_id":"ann","text":"You said: hi","buttons":[{"title":"Yes","payload":"yes, please"}]}]`},
		{"nothing to say", `{"sender": "ann", "message": "silence"}`, 200, `[]`},
		{"no sender", `{"message": "hi"}`, 400, `sender is missing`},
		{"no JSON", `hi`, 400, `both text`},
		{"a number", `{"sender": 7, "message": "hi"}`, 400, `both text`},
		{"not UTF-8", "{\"sender\": \"ann\", \"message\": \"\xff\"}", 400, `not UTF-8`},
		{"a message that the router refuses", `{"sender": "ann", "message": "busy"}`, 400, `"code"`},
	} {
		if status, answer := send(&parrot{}, c.body, ""); status != c.status || !strings.Contains(answer, c.want) {
			t.Errorf("%s: %d %s, want %d %s", c.name, status, answer, c.status, c.want)
		}
	}
}

// The sender is the conversation, and the header says which message it is.
func TestWhoSaysWhat(t *testing.T) {
	p := &parrot{}
	send(p, `{"sender": "ann", "message": "hi"}`, "m1")
	want := router.Interaction{ID: "m1", Text: "hi", Context: router.Context{SessionID: "ann", UserID: "local"}}
	if diff := cmp.Diff([]router.Interaction{want}, p.got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
