package main

import (
	"strings"
	"testing"
)

// TestKnowledgeSharedBetweenAgents: agents that share find what the same user said to the others,
// and their documents, by a turn's knowledge tool, on every store. Agents that do not share neither
// give nor find.
func TestKnowledgeSharedBetweenAgents(t *testing.T) {
	onEveryStore(t, knowing, func(s *shell) {
		as := func(agent, shared string, args ...string) string {
			s.Helper()
			redacted := ""
			if agent == "shop" {
				redacted = "redaction: {params: [topic]}\n"
			}
			s.write("agent.yaml", strings.Replace(knowing, "version: 1\n", "version: 1\nagent: {id: "+agent+"}\n"+redacted, 1))
			return s.run(0, args[0], append([]string{"--set", "memory.knowledge_base.shared=" + shared}, args[1:]...)...)
		}
		as("shop", "true", "what did we say about kettles", "chat", "--user", "ada", "--session", "one")
		as("shop", "true", "", "memory", "archive", "one", "--user", "ada")
		as("shop", "true", "", "memory", "add", s.write("lamp.md", "# Lamps\n\nThe guarantee on lamps lasts three years.\n"))
		as("bank", "false", "what did we say about carpets", "chat", "--user", "ada", "--session", "own")
		as("bank", "false", "", "memory", "archive", "own", "--user", "ada")
		for _, test := range []struct{ agent, shared, user, text, want string }{
			{"bank", "true", "ada", "what did we say about kettles", "1 results of 3 documents."},
			{"bank", "true", "ada", "what do you know about lamps", "1 results of 3 documents."},
			{"bank", "false", "ada", "what did we say about kettles", "0 results of 1 documents."},
			{"bank", "true", "bob", "what did we say about kettles", "0 results of 1 documents."},
			{"bank", "true", "bob", "what do you know about lamps", "1 results of 1 documents."},
			{"shop", "true", "ada", "what did we say about carpets", "0 results of 2 documents."},
		} {
			if got := as(test.agent, test.shared, test.text, "chat", "--user", test.user, "--session", "two"); got != test.want {
				s.Errorf("%s (shared: %s), %s asks %q: %q, want %q", test.agent, test.shared, test.user, test.text, got, test.want)
			}
		}
		got := as("bank", "true", "", "memory", "documents", "--user", "ada", "--reveal")
		if !strings.Contains(got, "shop") || strings.Contains(got, "kettles") {
			s.Errorf("the other agent's redacted values are shown, or nothing of it:\n%s", got)
		}
	})
}
