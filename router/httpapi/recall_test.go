package httpapi

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestSearchMemory(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "one")
	w.say(t, "two", "badge please")
	hour := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	cases := []struct {
		body  string
		least int
		most  int
	}{
		{`{"query":"badge"}`, 2, 5},
		{`{"query":"badge","limit":1}`, 1, 1},
		{`{"query":"badge","session_id":"two"}`, 1, 2},
		{`{"query":"badge","role":"agent","limit":50}`, 1, 20},
		{fmt.Sprintf(`{"query":"badge","from":%q}`, hour(time.Hour)), 0, 0},
		{fmt.Sprintf(`{"query":"badge","to":%q}`, hour(-time.Hour)), 0, 0},
		{fmt.Sprintf(`{"query":"badge","from":%q,"to":null}`, hour(-24 * time.Hour)[:len("2006-01-02")]), 1, 5},
		{fmt.Sprintf(`{"query":"badge","to":%q}`, hour(-24 * time.Hour)[:len("2006-01-02")]), 0, 0},
		{`{"query":"badge","min_similarity":1,"explain":true,"role":null}`, 0, 2},
	}
	for _, c := range cases {
		got := object(t, w.ask("POST", "/v1/memory/search", c.body))["results"].([]any)
		if len(got) < c.least || len(got) > c.most {
			t.Errorf("%s: %d results, want %d to %d", c.body, len(got), c.least, c.most)
		}
		for _, r := range got {
			if strings.Contains(c.body, `"agent"`) && at(r, "message", "role") != "agent" {
				t.Errorf("%s finds %v", c.body, r)
			}
			if why, _ := at(r, "why").([]any); (len(why) > 0) != strings.Contains(c.body, "explain") {
				t.Errorf("%s explains %v", c.body, why)
			}
		}
	}
}

func TestSearchesThatCannotBeTaken(t *testing.T) {
	w := newFixture(t)
	for body, code := range map[string]string{
		`{}`: "missing_field", `{"query":""}`: "bad_field", `{"query":null}`: "wrong_type", `{"query":"a","limit":51}`: "bad_field",
		`{"query":"a","limit":1.5}`: "wrong_type", `{"query":"a","role":"tool"}`: "bad_field", `{"query":"a","from":"yesterday"}`: "wrong_type",
		`{"query":"a","min_similarity":2}`: "bad_field", `{"query":"a","tags":["a,b"]}`: "wrong_type", `{"query":"a","min_importance":4}`: "wrong_type", `{"query":"a","user_id":"bob"}`: "unknown_field",
		`{"query":"a","from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}`: "bad_field",
		`{"query":"` + strings.Repeat("x", 2001) + `"}`:                           "bad_field",
	} {
		wantProblem(t, w.ask("POST", "/v1/memory/search", body), 400, code)
	}
	w.say(t, "s", "badge please")
	w.api.opts.Memory.Search, w.api.opts.Memory.Context, w.api.opts.Memory.Recent = nil, nil, nil
	wantProblem(t, w.ask("POST", "/v1/memory/search", `{"query":"a"}`), 501, "not_enabled")
	for _, path := range []string{"/v1/sessions/s/context", "/v1/sessions/s/trace", "/v1/events"} {
		wantProblem(t, w.ask("GET", path, ""), 501, "not_enabled")
	}
}

func TestContextIsWhatAModelIsTold(t *testing.T) {
	w := newFixture(t)
	w.finished(t, "s")
	got := object(t, w.ask("GET", "/v1/sessions/s/context?text=hello", ""))
	list := got["messages"].([]any)
	if last := list[len(list)-1]; at(last, "role") != "user" || at(last, "text") != "hello" {
		t.Errorf("the last message is %v", last)
	}
	if len(got["recent"].([]any)) == 0 || len(got["facts"].([]any)) != 2 || got["narrative"] == "" {
		t.Errorf("context %v", got)
	}
}
