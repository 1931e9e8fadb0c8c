package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// In a session that is named the history is not read: after_turn says which reply a yes
// answers, and nobody's client sends it again by itself.
func TestALateYesInANamedSession(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses"} {
		w := newFixture(t)
		say := func(text, more string) *http.Response {
			body := fmt.Sprintf(`{"messages": [{"role": "user", "content": %q}]%s}`, text, more)
			if path == "/v1/responses" {
				body = fmt.Sprintf(`{"input": %q%s}`, text, more)
			}
			return w.send("POST", path, body, "X-Conversation-Id", "c1")
		}
		say("buy I-7", "")
		say("no", `, "after_turn": 1`)
		say("buy I-8", `, "after_turn": 2`)
		res := say("yes", `, "after_turn": 1, "stream": true`)
		if res.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s: a client would send it again", path)
		}
		got := read[map[string]*apiError](t, res, http.StatusConflict)["error"]
		if *got.Code != "moved_on" || !strings.Contains(got.Message, "turn 3") || len(w.purchases()) != 0 {
			t.Errorf("%s: %+v, bought %v", path, got, w.purchases())
		}
		say("yes", `, "after_turn": 3`)
		if diff := cmp.Diff([]string{"I-8"}, w.purchases()); diff != "" {
			t.Errorf("%s: bought (-want +got)\n%s", path, diff)
		}
		for _, bad := range []string{`"1"`, "-1", "1.5"} {
			if got := *read[map[string]*apiError](t, say("yes", `, "after_turn": `+bad), http.StatusBadRequest)["error"]; *got.Param != "after_turn" {
				t.Errorf("%s: after_turn %s: %+v", path, bad, got)
			}
		}
	}
}

// A history says by itself what its last message answers to.
func TestAfterTurnGoesWithANamedSession(t *testing.T) {
	w := newFixture(t)
	res := w.send("POST", "/v1/chat/completions", `{"messages": [{"role": "user", "content": "buy"}], "after_turn": 0}`)
	if got := read[map[string]*apiError](t, res, http.StatusBadRequest)["error"]; *got.Param != "after_turn" {
		t.Errorf("%+v", got)
	}
}
