package httpapi

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tags and importance are set with a message; searches and lists are limited by them.
func TestTagsAndImportance(t *testing.T) {
	w := newFixture(t)
	for i, body := range []string{
		`{"message":"badge please","conversation_id":"s","tags":["work","blue","work"],"importance":1}`,
		`{"message":"badge now","conversation_id":"s","tags":["home"]}`,
		`{"message":"never call me about the badge","conversation_id":"s","importance":3}`,
	} {
		if got := object(t, w.ask("POST", "/chat", body)); got["reply"] == "" {
			t.Fatalf("message %d: %v", i, got)
		}
	}
	list := func(query string) (seqs []string) {
		for _, m := range object(t, w.ask("GET", "/v1/sessions/s/messages?"+query, ""))["messages"].([]any) {
			seqs = append(seqs, fmt.Sprintf("%v %v %v", at(m, "role"), at(m, "tags"), at(m, "importance")))
		}
		return seqs
	}
	for query, want := range map[string][]string{
		"role=user":                                   {"user [blue work] 1", "user [home] 0", "user <nil> 3"},
		"role=user&tag=work":                          {"user [blue work] 1"},
		"tag=home&limit=1":                            {"user [home] 0"},
		"tag=home&role=agent":                         {"agent [home] 0"},
		"min_importance=1&role=user":                  {"user [blue work] 1", "user <nil> 3"},
		"min_importance=3":                            {"user <nil> 3"},
		"role=user&last=true&limit=1":                 {"user <nil> 3"},
		"role=user&from=2000-01-01T00:00:00Z&limit=1": {"user [blue work] 1"},
		"to=2000-01-01T00:00:00Z":                     nil,
		"tag=nobody":                                  nil,
	} {
		if diff := cmp.Diff(want, list(query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	for body, most := range map[string]int{
		`{"query":"badge","tags":["work"]}`:                    2,
		`{"query":"badge","tags":["work","home"]}`:             0,
		`{"query":"badge","min_importance":2}`:                 1,
		`{"query":"badge","tags":["home"],"role":"user"}`:      1,
		`{"query":"badge","tags":["blue"],"min_importance":1}`: 1,
	} {
		got := object(t, w.ask("POST", "/v1/memory/search", body))["results"].([]any)
		if len(got) > most || most > 0 && len(got) == 0 {
			t.Errorf("%s finds %d, want 1 to %d", body, len(got), most)
		}
	}
	for body, code := range map[string]string{
		`{"message":"a","tags":["a,b"]}`: "wrong_type", `{"message":"a","tags":[""]}`: "wrong_type", `{"message":"a","importance":4}`: "wrong_type",
		`{"message":"a","importance":-1}`: "wrong_type", `{"message":"a","tags":"work"}`: "wrong_type",
	} {
		wantProblem(t, w.ask("POST", "/chat", body), 400, code)
	}
	for _, query := range []string{"role=nobody", "min_importance=4", "from=today", "tag=a,b", "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z"} {
		wantProblem(t, w.ask("GET", "/v1/sessions/s/messages?"+query, ""), 400, "bad_query")
	}
}
