package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// knowing is an agent whose one plan asks the archive about what it is told.
const knowing = `version: 1
types:
  topic: {patterns: ['\b(?:lamps?|kettles?|refunds?|guarantees?|carpets?)\b']}
params:
  topic: {type: topic, prompt: "What about?"}
intents:
  - id: ask
    examples: [what do you know about lamps, what did we say about kettles, "tell me about [refund](topic)", look up the guarantee]
    params: {required: [topic]}
    plan:
      - call: search_knowledge_base
        with: {query: $topic}
        save: found
      - call: documents
        save: known
      - respond: told
tools:
  search_knowledge_base: {kind: knowledge}
  documents: {kind: knowledge, tool: list_documents}
responses:
  told: "{found.count} results of {known.count} documents."
`

// shell runs commands on one data folder.
type shell struct {
	*testing.T
	dir string
	set []string // settings
}

func newShell(t *testing.T) *shell {
	s := &shell{T: t, dir: t.TempDir()}
	s.write("agent.yaml", knowing)
	return s
}

func (s *shell) write(name, text string) string {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// run gives stdout; the command must end with the code.
func (s *shell) run(code int, stdin string, args ...string) string {
	s.Helper()
	var out, errs bytes.Buffer
	with := []string{"--agent", filepath.Join(s.dir, "agent.yaml"), "--data", s.dir, "--set", "telemetry.log=none"}
	for _, setting := range s.set {
		with = append(with, "--set", setting)
	}
	if got := run(s.Context(), append(with, args...), strings.NewReader(stdin), &out, &errs); got != code {
		s.Fatalf("%q ended with %d, want %d: %s", args, got, code, errs.String())
	}
	return strings.TrimSpace(out.String())
}

// TestKnowledgeTool: a plan finds and lists the caller's own other conversations and the agent's
// documents.
func TestKnowledgeTool(t *testing.T) {
	s := newShell(t)
	manual := s.write("lamp.md", "# Lamps\n\nThe guarantee on lamps lasts three years.\n")
	if got := s.run(0, "", "memory", "add", manual); got != "lamp.md: added, 1 pieces" {
		t.Errorf("add: %q", got)
	}
	if got := s.run(0, "", "memory", "add", manual); got != "lamp.md: unchanged, 1 pieces" {
		t.Errorf("add again: %q", got)
	}
	s.run(0, "what did we say about kettles", "chat", "--user", "ada", "--session", "one")
	if got := s.run(0, "", "memory", "archive", "one", "--user", "ada"); got != "1 documents made" {
		t.Errorf("archive: %q", got)
	}
	for _, test := range []struct{ user, text, want string }{
		{"ada", "what did we say about kettles", "1 results of 2 documents."},
		{"bob", "what did we say about kettles", "0 results of 1 documents."},
		{"ada", "what do you know about lamps", "1 results of 2 documents."},
		{"bob", "what do you know about lamps", "1 results of 1 documents."},
		{"ada", "what did we say about carpets", "0 results of 2 documents."},
	} {
		if got := s.run(0, test.text, "chat", "--user", test.user, "--session", "two"); got != test.want {
			t.Errorf("%s asks %q: %q, want %q", test.user, test.text, got, test.want)
		}
	}
}

func TestMemoryDocuments(t *testing.T) {
	s := newShell(t)
	s.run(0, "", "memory", "add", s.write("a.md", "# Lamps\n\nGo out.\n"), s.write("b.txt", "Kettles boil."))
	s.run(0, "what did we say about kettles", "chat", "--session", "one")
	s.run(0, "", "memory", "archive", "one")
	var names []string
	for line := range strings.Lines(s.run(0, "", "memory", "documents", "--json")) {
		var l struct {
			Type    string `json:"type"`
			Session string `json:"session_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		names = append(names, l.Type+" "+l.Session)
	}
	if got := strings.Join(names, ", "); got != "conversations one, documents a.md, documents b.txt" {
		t.Errorf("documents: %s", got)
	}
	s.run(0, "", "memory", "documents", "--forget", "a.md")
	if got := s.run(0, "", "memory", "documents", "--type", "documents"); strings.Contains(got, "a.md") || !strings.Contains(got, "b.txt") {
		t.Errorf("after --forget:\n%s", got)
	}
	for _, args := range [][]string{
		{"memory", "add"},
		{"memory", "add", "picture.png"},
		{"memory", "documents", "--type", "everyone"},
		{"memory", "archive"},
	} {
		s.run(2, "", args...)
	}
	s.run(1, "", "memory", "add", filepath.Join(s.dir, "nowhere.md"))
	s.run(1, "", "memory", "add", s.write("empty.txt", " \n"))
	s.run(1, "", "memory", "archive", "nothing")
	s.run(1, "", "memory", "documents", "--forget", "nothing")
}
