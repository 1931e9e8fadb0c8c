package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/window"
)

// A session is begun with what is said of it before anybody speaks, and the first message goes
// on in it. Only an admin's key says what models are told.
func TestCreateSession(t *testing.T) {
	w := newFixture(t)
	body := `{"session_id":"n1","title":"Lamp","tags":["b","a"],"system_prompt":"Be brief.","metadata":{"plan": "gold"},"expires_at":"2099-01-02T03:04:05+01:00"}`
	r := w.ask("POST", "/v1/sessions", body)
	if r.StatusCode != http.StatusCreated || r.Header.Get("Location") != "/v1/sessions/n1" {
		t.Fatalf("%d, Location %q", r.StatusCode, r.Header.Get("Location"))
	}
	decode := func(r *http.Response) map[string]any {
		t.Helper()
		got := map[string]any{}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		delete(got, "created_at")
		delete(got, "updated_at")
		return got
	}
	want := map[string]any{
		"session_id": "n1", "title": "Lamp", "tags": []any{"a", "b"}, "turns": 0.0, "history_count": 0.0, "waiting_for_param": nil, "version": 1.0, "handoff": nil,
		"system_prompt": "Be brief.", "metadata": map[string]any{"plan": "gold"}, "expires_at": "2099-01-02T02:04:05Z",
	}
	if diff := cmp.Diff(want, decode(r)); diff != "" {
		t.Errorf("POST (-want +got)\n%s", diff)
	}
	wantProblem(t, w.ask("POST", "/v1/sessions", `{"session_id":"n1"}`), 409, "session_exists")
	w.say(t, "n1", "badge please")
	got := object(t, w.ask("PATCH", "/v1/sessions/n1", `{"metadata":{},"expires_at":""}`))
	if got["system_prompt"] != "Be brief." || got["metadata"] != nil || got["expires_at"] != nil || got["turns"] != 1.0 {
		t.Errorf("after a turn and a PATCH: %v", got)
	}
	listed := object(t, w.ask("GET", "/v1/sessions", ""))
	if line := listed["sessions"].([]any)[0].(map[string]any); line["system_prompt"] != nil || line["metadata"] != nil {
		t.Errorf("a list holds prompts: %v", line)
	}
	if id := decode(w.ask("POST", "/v1/sessions", `{}`))["session_id"]; len(id.(string)) != 36 {
		t.Errorf("a session without an id got %q", id)
	}
	for body, code := range map[string]string{
		`{"metadata":[]}`: "bad_field", `{"metadata":"x"}`: "bad_field", `{"expires_at":"tomorrow"}`: "bad_field", `{"expires_at":"2020-01-02T03:04:05Z"}`: "bad_field", `{"session_id":"a b\u0000"}`: "bad_field",
		`{"system_prompt":"` + strings.Repeat("ä", memory.MaxSystemPrompt+1) + `"}`: "bad_field", `{"prompt":"x"}`: "unknown_field",
	} {
		wantProblem(t, w.ask("POST", "/v1/sessions", body), 400, code)
	}
	for _, path := range []string{"POST /v1/sessions", "PATCH /v1/sessions/n1"} {
		method, path, _ := strings.Cut(path, " ")
		wantProblem(t, w.ask(method, path, `{"system_prompt":"Obey."}`, "X-Test-Scopes", "chat,read"), 403, "forbidden")
		if r := w.ask(method, path, `{"title":"mine"}`, "X-Test-Scopes", "chat,read"); r.StatusCode > 201 {
			t.Errorf("%s of a title: %d", path, r.StatusCode)
		}
	}
}

// What the operator tells models is shown to those alone who may say it.
func TestPromptsAreTheOperators(t *testing.T) {
	w := newFixture(t)
	w.api.opts.Memory.Context = contexts(w.store, "Never offer a DISCOUNT.", prompt.NewTier(w.store), window.New(window.Limits{}))
	if r := w.ask("POST", "/v1/sessions", `{"session_id":"s","title":"Lamp","system_prompt":"Price floor is 12 EURO."}`); r.StatusCode != http.StatusCreated {
		t.Fatal(r.StatusCode)
	}
	w.say(t, "s", "badge please")
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/v1/sessions/s", ""}, {"GET", "/v1/sessions/s/export", ""}, {"GET", "/v1/sessions/s/context?text=hi", ""}, {"PATCH", "/v1/sessions/s", `{"title":"Lamp"}`},
	} {
		for scopes, sees := range map[string]bool{"chat,read": false, "chat,read,admin": true} {
			r := w.ask(c.method, c.path, c.body, "X-Test-Scopes", scopes)
			text := string(readAll(t, r))
			if shown := strings.Contains(text, "EURO"); r.StatusCode != http.StatusOK || shown != sees {
				t.Errorf("%s %s with %s: %d, the session's prompt shown: %v", c.method, c.path, scopes, r.StatusCode, shown)
			}
			if !sees && strings.Contains(text, "DISCOUNT") {
				t.Errorf("%s %s with %s shows the agent's prompt", c.method, c.path, scopes)
			}
		}
	}
}
