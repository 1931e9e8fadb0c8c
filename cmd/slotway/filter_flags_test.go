package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// found are the texts of JSON lines that have a message.
func (s *shell) found(args ...string) []string {
	s.Helper()
	var out []string
	for line := range strings.Lines(s.run(0, "", append([]string{"memory", "search", "--json", "-k", "50"}, args...)...)) {
		var r memory.Recalled
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			s.Fatal(err)
		}
		out = append(out, string(r.Message.Role)+": "+r.Message.Text)
	}
	return out
}

// TestTagsAndImportanceByHand: the command line sets tags and importance, messages and calls set
// importance too, and searches filter by both, on every store.
func TestTagsAndImportanceByHand(t *testing.T) {
	onEveryStore(t, returning, func(s *shell) {
		s.run(0, "what are your opening hours", "chat", "--session", "one", "--tag", "work", "--tag", "blue", "--importance", "3")
		s.run(0, "what are your opening hours today", "chat", "--session", "two", "--tag", "home")
		s.run(0, "send something back\nO-12345", "chat", "--session", "three")
		for name, test := range map[string]struct {
			args []string
			want []string
		}{
			"role":       {[]string{"opening hours", "--role", "user", "--tag", "work"}, []string{"user: what are your opening hours"}},
			"both roles": {[]string{"opening hours open", "--tag", "home", "--role", "agent"}, []string{"agent: We open at nine."}},
			"two tags":   {[]string{"opening hours", "--tag", "work", "--tag", "home"}, nil},
			"importance": {[]string{"opening hours", "--min-importance", "3"}, []string{"user: what are your opening hours"}},
			"a fact":     {[]string{"O-12345", "--min-importance", "1", "--reveal", "--session", "three", "--role", "user"}, []string{"user: O-12345"}},
			"until":      {[]string{"opening hours", "--until", "2020-01-01"}, nil},
			"since":      {[]string{"opening hours", "--since", "2020-01-01T00:00:00Z", "--tag", "blue", "--role", "user"}, []string{"user: what are your opening hours"}},
		} {
			if diff := cmp.Diff(test.want, s.found(test.args...)); diff != "" {
				s.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if got := s.run(0, "", "sessions", "show", "one", "--role", "user", "--tag", "blue"); !strings.Contains(got, "opening hours  #blue #work  !!!") || strings.Contains(got, "nine") {
			s.Errorf("show:\n%s", got)
		}
		for _, args := range [][]string{
			{"chat", "--tag", "a\nb"},
			{"chat", "--tag", "a,b"},
			{"memory", "search", "x", "--tag", "a,b"},
			{"chat", "--importance", "4"},
			{"memory", "search", "x", "--since", "yesterday"},
			{"memory", "search", "x", "--role", "boss"},
			{"sessions", "show", "one", "--min-importance", "-1"},
		} {
			s.run(2, "", args...)
		}
	})
}

// TestRecalledByTag: memory.rag.tags, min_importance, roles and max_age limit what a turn recalls.
func TestRecalledByTag(t *testing.T) {
	s := newShell(t)
	s.write("agent.yaml", returning)
	s.set = []string{"memory.rag.enabled=true", "memory.rag.min_similarity=0", "memory.knowledge_base.relevance_threshold=0", "memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.search_always=true"}
	s.run(0, "what are your opening hours at the kite shop", "chat", "--session", "one", "--tag", "work")
	s.run(0, "what are your opening hours at the boat shop", "chat", "--session", "two", "--tag", "home", "--importance", "2")
	s.run(0, "hello", "chat", "--session", "now")
	for setting, want := range map[string][2]bool{ // kite, boat
		"memory.rag.top_k=50":         {true, true},
		"memory.rag.tags=work":        {true, false},
		"memory.rag.tags=work,home":   {false, false},
		"memory.rag.min_importance=2": {false, true},
		"memory.rag.max_age=1ns":      {false, false},
	} {
		got := s.run(0, "", "--set", setting, "memory", "context", "now", "--text", "opening hours of the shop")
		if has := [2]bool{strings.Contains(got, "kite"), strings.Contains(got, "boat")}; has != want {
			t.Errorf("%s: kite and boat are recalled: %v, want %v, in\n%s", setting, has, want, got)
		}
	}
	for role, want := range map[string]bool{"user": true, "agent": false} {
		got := s.run(0, "", "--set", "memory.rag.roles="+role, "--set", "memory.knowledge_base.relevance_threshold=0.5", "memory", "context", "now", "--text", "kite shop")
		if strings.Contains(got, "the kite") != want {
			t.Errorf("roles %s: the kite is recalled: %v, want %v, in\n%s", role, !want, want, got)
		}
	}
	s.run(1, "", "--set", "memory.rag.roles=tool", "memory", "context", "now")
	s.run(1, "", "--set", "memory.rag.min_importance=4", "memory", "context", "now")
}
