package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const handoffOfS = "/v1/sessions/s/handoff"

func (w *fixture) acts(t *testing.T, body string) map[string]any {
	t.Helper()
	res := w.ask("POST", handoffOfS, body)
	got := map[string]any{}
	if text := readAll(t, res); res.StatusCode != http.StatusOK || json.Unmarshal(text, &got) != nil {
		t.Fatalf("%s: %d %s", body, res.StatusCode, text)
	}
	return got
}

func TestHandOver(t *testing.T) {
	w := newFixture(t)
	for _, text := range []string{"badge please", canaryName, canaryPin} {
		w.say(t, "s", text)
	}
	take := w.acts(t, `{"action":"take","by":"Ann","message_id":"h1"}`)
	held := func(v any) map[string]any {
		t.Helper()
		h, _ := v.(map[string]any)
		if at, err := time.Parse(time.RFC3339, fmt.Sprint(h["since"])); err != nil || at.IsZero() {
			t.Errorf("since: %v", h)
		}
		delete(h, "since")
		return h
	}
	want := map[string]any{"status": "taken", "by": "Ann", "turn": 4.0}
	for _, path := range []string{"/v1/sessions/s", "/v1/sessions/s/state"} {
		if diff := cmp.Diff(want, held(object(t, w.ask("GET", path, ""))["handoff"])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if diff := cmp.Diff(map[string]any{
		"session_id": "s", "turn": 4.0, "action": "take", "reply": "", "asked": nil, "waiting_for_param": nil, "confirming": "make_badge", "handoff": want,
	}, func() map[string]any { held(take["handoff"]); return take }()); diff != "" {
		t.Errorf("take (-want +got):\n%s", diff)
	}
	if got := object(t, w.ask("POST", "/chat", `{"message":"yes","conversation_id":"s","message_id":"m"}`)); got["reply"] != "" || got["handoff"] != true || at(got["person"], "by") != "Ann" {
		t.Errorf("said to the person: %v", got)
	}
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"take","by":"Bob"}`), 409, "taken")
	if text := string(readAll(t, w.ask("POST", handoffOfS, `{"action":"take","by":"Bob"}`))); !strings.Contains(text, `"by":"Ann"`) {
		t.Errorf("refused with %s", text)
	}
	for range 2 {
		if got := w.acts(t, `{"action":"answer","text":"One moment, Zaphod.","message_id":"h2"}`); got["turn"] != 6.0 {
			t.Errorf("an answer, perhaps again: %v", got)
		}
	}
	last := object(t, w.ask("GET", "/v1/sessions/s/messages?last=true&limit=1", ""))["messages"].([]any)[0]
	if at(last, "text") != "One moment, Zaphod." || at(last, "role") != "agent" || at(at(last, "metadata"), "person") != "Ann" {
		t.Errorf("the answer in the history: %v", last)
	}
	back := w.acts(t, `{"action":"give_back","by":"Ann"}`)
	if back["handoff"] != nil || !strings.Contains(fmt.Sprint(back["reply"]), "A badge for") || containsAny(fmt.Sprint(back), []string{canaryPin, "Beeblebrox"}) {
		t.Errorf("give back: %v", back)
	}
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"give_back"}`), 409, "not_taken")
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"answer","text":"hello"}`), 409, "not_taken")
}

// The name of a person is masked where it holds what a redacted param knows.
func TestTheNameIsMasked(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please")
	w.say(t, "s", canaryName)
	w.acts(t, `{"action":"take","by":`+fmt.Sprintf("%q", canaryName)+`}`)
	answers := []*http.Response{
		w.ask("GET", "/v1/sessions", ""), w.ask("GET", "/v1/sessions/s", ""), w.ask("GET", "/v1/sessions/s/state", ""), w.ask("GET", "/v1/sessions/s/turns", ""),
		w.ask("POST", handoffOfS, `{"action":"take","by":"Bob"}`), w.ask("POST", "/chat", `{"message":"hi","conversation_id":"s"}`, "X-Test-Scopes", "chat"),
	}
	for i, res := range answers {
		if text := string(readAll(t, res)); containsAny(text, canaries) {
			t.Errorf("answer %d: %s", i, text)
		}
	}
}

func TestHandOverRefuses(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please")
	for body, code := range map[string]string{
		`{}`:                                      "missing_field",
		`{"action":"leave"}`:                      "bad_field",
		`{"action":"answer"}`:                     "missing_field",
		`{"action":"answer","text":" "}`:          "missing_field",
		`{"action":"take","text":"hello"}`:        "bad_field",
		`{"action":"take","by":"Ann\nBob"}`:       "bad_field",
		`{"action":"take","message_id":"a b\nc"}`: "bad_field",
		`{"action":"take","who":"Ann"}`:           "unknown_field",

		`{"action":"take","by":"` + strings.Repeat("x", 101) + `"}`:      "bad_field",
		`{"action":"answer","text":"` + strings.Repeat("x", 4001) + `"}`: "bad_field",
	} {
		wantProblem(t, w.ask("POST", handoffOfS, body), 400, code)
	}
	wantProblem(t, w.ask("POST", "/v1/sessions/none/handoff", `{"action":"take"}`), 404, "session_not_found")
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"take"}`, "X-Test-Scopes", "chat,read,admin,metrics"), 403, "forbidden")
	object(t, w.ask("POST", "/chat", `{"message":"hello","conversation_id":"s","message_id":"m"}`))
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"take","message_id":"m"}`), 400, "bad_field")
	wantProblem(t, w.ask("POST", handoffOfS, `{"action":"take","message_id":"m"}`, "Idempotency-Key", "n"), 400, "bad_request")
}

// Sessions can be listed by whether they wait for a person.
func TestListOfHandOvers(t *testing.T) {
	w := newFixture(t)
	for _, id := range []string{"s", "t", "u"} {
		w.say(t, id, "badge please")
	}
	w.say(t, "t", "human please")
	w.acts(t, `{"action":"take"}`)
	for query, want := range map[string]string{
		"?handoff=taken": "s", "?handoff=wanted": "t", "": "s t u", "?handoff=taken&offset=1": "", "?handoff=taken&text=t": "", "?handoff=wanted&text=t": "t",
	} {
		if ids := sessionIDs(object(t, w.ask("GET", "/v1/sessions"+query, ""))); !sameWords(ids, want) {
			t.Errorf("%q lists %q, want %q", query, ids, want)
		}
	}
	wantProblem(t, w.ask("GET", "/v1/sessions?handoff=maybe", ""), 400, "bad_query")
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for w := range strings.FieldsSeq(a) {
		count[w]++
	}
	for w := range strings.FieldsSeq(b) {
		count[w]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
