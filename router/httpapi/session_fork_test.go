package httpapi

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// created reads a JSON answer with status 201.
func created(t *testing.T, res *http.Response) map[string]any {
	t.Helper()
	body := readAll(t, res)
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("status %d, %v in %s", res.StatusCode, err, body)
	}
	if want := "/v1/sessions/" + v["session_id"].(string); res.Header.Get("Location") != want {
		t.Errorf("Location %q, want %q", res.Header.Get("Location"), want)
	}
	return v
}

// A fork goes on from a turn, and leaves the session alone.
func TestForkSession(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please", canaryName, canaryPin)
	now := created(t, w.ask("POST", "/v1/sessions/s/fork", `{}`))
	then := created(t, w.ask("POST", "/v1/sessions/s/fork", `{"session_id":"then","turn":1}`))
	if now["turns"] != 3.0 || then["turns"] != 1.0 || then["waiting_for_param"] != "name" {
		t.Errorf("the forks are %v and %v", now, then)
	}
	w.say(t, "then", canaryName)
	if got := object(t, w.ask("GET", "/v1/sessions/then/state", "")); got["waiting_for_param"] != "pin" {
		t.Errorf("the fork goes on with %v", got)
	}
	if got := object(t, w.ask("GET", "/v1/sessions/s/state", "")); got["turns"] != 3.0 || got["confirming"] != "make_badge" {
		t.Errorf("the session itself is now %v", got)
	}
	wantProblem(t, w.ask("POST", "/v1/sessions/s/fork", `{"session_id":"then"}`), 409, "session_exists")
	wantProblem(t, w.ask("POST", "/v1/sessions/s/fork", `{"turn":9}`), 404, "session_not_found")
	for body, code := range map[string]string{`{"turn":-1}`: "bad_field", `{"turn":"1"}`: "wrong_type", `{"session_id":"\u0001"}`: "bad_field", `{"title":"x"}`: "unknown_field"} {
		wantProblem(t, w.ask("POST", "/v1/sessions/s/fork", body), 400, code)
	}
}

// A list tells how each session began and where it stands, if it is asked to.
func TestPreviewSessions(t *testing.T) {
	w := newFixture(t)
	w.say(t, "a", "badge please", "track my parcels")
	object(t, w.ask("POST", "/v1/sessions/a/undo", ""))
	w.say(t, "b", "track my parcels", "the first", "thanks")
	created(t, w.ask("POST", "/v1/sessions", `{"session_id":"c"}`))
	var got []any
	for _, s := range object(t, w.ask("GET", "/v1/sessions?preview=true", ""))["sessions"].([]any) {
		got = append(got, []any{at(s, "session_id"), at(s, "first_message"), at(s, "intent"), at(s, "outcome")})
	}
	want := []any{[]any{"c", nil, nil, nil}, []any{"b", "track my parcels", "track", "responded"}, []any{"a", "badge please", "badge", "waiting"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("previews (-want +got)\n%s", diff)
	}
	if s := at(object(t, w.ask("GET", "/v1/sessions", "")), "sessions", 1); at(s, "first_message") != nil {
		t.Errorf("a preview that was not asked for: %v", s)
	}
}
