package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGraphCommand(t *testing.T) {
	const agent = "../../config/flow/testdata/desk.yaml"
	file := filepath.Join(t.TempDir(), "desk.svg")
	for name, c := range map[string]struct {
		args []string
		code int
		want []string // of the output
		not  string
	}{
		"mermaid":        {[]string{"--agent", agent, "graph"}, exitOK, []string{"flowchart TD\n", `subgraph g3["hours"]`, `-.->|"not_found"|`}, ""},
		"one intent":     {[]string{"--agent", agent, "graph", "--intent", "hours", "--format", "dot"}, exitOK, []string{"digraph agent {", "From nine to five"}, "book"},
		"svg":            {[]string{"--agent", agent, "graph", "--format", "svg"}, exitOK, []string{"<svg ", `data-step="sure"`, "</svg>\n"}, ""},
		"file":           {[]string{"--agent", agent, "graph", "--format", "svg", "-o", file}, exitOK, nil, "<svg"},
		"machine":        {[]string{"graph", "--machine"}, exitOK, []string{"stateDiagram-v2\n    [*] --> idle\n", "    waiting --> [*]\n"}, ""},
		"machine, dot":   {[]string{"graph", "--machine", "--format", "dot"}, exitOK, []string{`label="classified"`, `label="classify"`}, ""},
		"no such intent": {[]string{"--agent", agent, "graph", "--intent", "bok"}, exitCheck, []string{`unknown intent "bok", did you mean "book"?`}, ""},
		"no such format": {[]string{"graph", "--format", "png"}, exitUsage, []string{"mermaid, dot and svg"}, ""},
		"both":           {[]string{"graph", "--machine", "--intent", "a"}, exitUsage, []string{"--machine draws no intent"}, ""},
	} {
		out, code := runCommand(t, c.args...)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d:\n%s", name, code, c.code, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, out)
			}
		}
		if c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%s: %q is in\n%s", name, c.not, out)
		}
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasSuffix(string(text), "</svg>\n") {
		t.Errorf("the file: %v, %d bytes", err, len(text))
	}
}

// TestDocsWithCoverage: the page shows what a conversation reaches, and which of its ways none takes.
func TestDocsWithCoverage(t *testing.T) {
	dir := t.TempDir()
	agent, talk := filepath.Join(dir, "agent.yaml"), filepath.Join(dir, "talk.yaml")
	writeTestFile(t, agent, `version: 1
agent: {id: desk}
params:
  room: {type: text, prompt: "Which room?"}
intents:
  - id: book
    examples: [book a room, i need a room, reserve a room]
    params: {required: [room]}
    plan:
      - confirm: "Book {room}?"
        denied: kept
      - respond: booked
responses: {kept: Nothing was booked., booked: "{room} is yours."}
`)
	writeTestFile(t, talk, `conversation: a room is booked
agent: agent.yaml
turns:
  - user: book a room
    expect: {asked: room}
`)
	out, code := runCommand(t, "--agent", agent, "docs", "--tests", talk)
	if code != exitOK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	for _, want := range []string{"Measured with 1 conversation.", "No conversation reaches", `node say ends missed"`, `node question reached"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	out, code = runCommand(t, "--agent", "../../config/flow/testdata/desk.yaml", "docs", "--tests", talk)
	if code != exitCheck || !strings.Contains(out, "no conversation in "+talk+" talks to agent desk") {
		t.Errorf("another agent's tests: exit code %d:\n%s", code, out)
	}
}

func TestDocsCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk.html")
	out, code := runCommand(t, "--agent", "../../config/flow/testdata/desk.yaml", "docs", "-o", file)
	page, err := os.ReadFile(file)
	if code != exitOK || err != nil || out != "" {
		t.Fatalf("exit code %d, %v:\n%s", code, err, out)
	}
	for _, want := range []string{"<!doctype html>", "lends rooms", "book a room", "</html>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}
