package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestImportedTalk imports the small bots of testdata/imports and talks to them. Each has a fault of importers
// behind it: something that became something else, and nobody was told. The sections of a file: format; in/,
// the bot; talk, messages and replies; report and agent, lines that must be in these; tests, a conversation
// that must pass.
func TestImportedTalk(t *testing.T) {
	files, err := filepath.Glob("testdata/imports/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			talkImported(t, archive)
		})
	}
}

func talkImported(t *testing.T, archive *txtar.Archive) {
	t.Helper()
	dir, sections := t.TempDir(), map[string]string{}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "in/") {
			sections[f.Name] = strings.TrimSpace(string(f.Data))
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeTestFile(t, path, string(f.Data))
	}
	in := "in"
	if name := sections["file"]; name != "" {
		in = name
	}
	out := filepath.Join(dir, "out")
	args := append([]string{"import", sections["format"], filepath.Join(dir, in), "--output", out, "--verbose"}, strings.Fields(sections["flags"])...)
	report, code := runCommand(t, args...)
	if code != exitOK || !strings.Contains(report, "agent.yaml: 0 errors") {
		t.Fatalf("import: exit code %d\n%s", code, report)
	}
	agent, err := os.ReadFile(filepath.Join(out, "agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for section, text := range map[string]string{"report": report, "agent": string(agent)} {
		for line := range strings.Lines(sections[section]) {
			if line = strings.TrimSpace(line); !strings.Contains(text, line) {
				t.Errorf("no %q in the %s:\n%s", line, section, text)
			}
		}
	}
	var said strings.Builder
	for line := range strings.Lines(sections["talk"]) {
		if message, ok := strings.CutPrefix(line, "> "); ok {
			said.WriteString(message)
		}
	}
	var replies bytes.Buffer
	chat := []string{"--agent", filepath.Join(out, "agent.yaml"), "--set", "memory.storage=inmem", "chat"}
	if code := run(t.Context(), chat, strings.NewReader(said.String()+"\n"), &replies, &bytes.Buffer{}); code != exitOK {
		t.Fatalf("chat: exit code %d\n%s", code, replies.String())
	}
	got, answers := "", strings.Split(replies.String(), "\n")
	for i, message := range strings.Split(strings.TrimSpace(said.String()), "\n") {
		got += "> " + message + "\n"
		if i < len(answers) {
			got += answers[i] + "\n"
		}
	}
	if diff := cmp.Diff(sections["talk"]+"\n", got); diff != "" {
		t.Errorf("talk (-want +got):\n%s\n%s", diff, agent)
	}
	if sections["tests"] != "" {
		if result, code := runCommand(t, "test", filepath.Join(out, "tests")); code != exitOK {
			t.Errorf("its own tests: exit code %d\n%s", code, result)
		}
	}
}
