package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Somebody else's session is one that does not exist, on every route; and nothing of it is
// in any list or search.
func TestOtherUsersSeeNothing(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "s")
	before := readAll(t, w.ask("GET", "/v1/sessions/s/export?reveal=true", ""))
	w.as = "bob"
	w.say(t, "mine", "badge please")
	for _, r := range w.api.Routes() {
		if r.Scope == "" || !strings.Contains(r.Path, "{id}") {
			continue
		}
		path := strings.Replace(r.Path, "{id}", "s", 1)
		body := ""
		if r.Method == http.MethodPatch {
			body = `{"title":"mine"}`
		}
		if strings.HasSuffix(r.Path, "/fork") {
			body = `{}`
		}
		if strings.HasSuffix(r.Path, "/handoff") {
			body = `{"action":"take"}`
		}
		for _, query := range []string{"", "?reveal=true"} {
			res := w.ask(r.Method, path+query, body)
			if text := string(readAll(t, res)); query == "" && res.StatusCode != http.StatusNotFound || res.StatusCode < 400 || containsAny(text, canaries) {
				t.Errorf("%s %s%s as another user: %d %s", r.Method, path, query, res.StatusCode, text)
			}
		}
	}
	if ids := sessionIDs(object(t, w.ask("GET", "/v1/sessions?reveal=true", ""))); ids != "mine" {
		t.Errorf("another user lists %q", ids)
	}
	wantProblem(t, w.ask("POST", "/v1/memory/search", `{"query":"badge","session_id":"s"}`), 404, "session_not_found")
	found := object(t, w.ask("POST", "/v1/memory/search?reveal=true", `{"query":"Zaphod badge please parcel","limit":50}`))
	for _, r := range found["results"].([]any) {
		if at(r, "session_id") != "mine" {
			t.Errorf("another user finds %v", r)
		}
	}
	w.as = "ann"
	if diff := cmp.Diff(string(before), string(readAll(t, w.ask("GET", "/v1/sessions/s/export?reveal=true", "")))); diff != "" {
		t.Errorf("another user changed the session\n%s", diff)
	}
}

// A route needs its own scope; none includes another.
func TestScopes(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "badge please")
	for _, r := range w.api.Routes() {
		if r.Scope == "" {
			continue
		}
		var others []string
		for _, s := range []string{"chat", "read", "admin", "metrics"} {
			if s != string(r.Scope) {
				others = append(others, s)
			}
		}
		path := strings.Replace(r.Path, "{id}", "s", 1)
		wantProblem(t, w.ask(r.Method, path, "", "X-Test-Scopes", strings.Join(others, ",")), 403, "forbidden")
		wantProblem(t, w.ask(r.Method, path, "", "X-Test-User", ""), 401, "unauthorized")
	}
}

// Ids that no session can have are unknown, however they are written.
func TestStrangeSessionIDs(t *testing.T) {
	w := newFixture(t)
	for _, id := range []string{"%00", "%0a", "%ff", "..%2f", strings.Repeat("x", 201), "%20", "a%2Fb"} {
		for _, part := range []string{"", "/messages", "/state", "/export"} {
			wantProblem(t, w.ask("GET", "/v1/sessions/"+id+part, ""), 404, "session_not_found")
		}
		wantProblem(t, w.ask("DELETE", "/v1/sessions/"+id, ""), 404, "session_not_found")
		wantProblem(t, w.ask("POST", "/v1/sessions/"+id+"/clear", ""), 404, "session_not_found")
	}
}
