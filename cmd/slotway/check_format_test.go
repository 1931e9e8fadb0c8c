package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// doubtful has a warning, a note, a warning that a comment switches off, and a comment without use.
const doubtful = `version: 1
params:
  note: {type: text, prompt: "What?"}
intents:
  - id: keep # slotway: ignore few-examples
    examples: [keep a note, note this]
    params: {required: [note]}
    plan:
      - confirm: "Keep {note}?"
      - {call: keep, with: {note: $note}}
      - respond: kept # slotway: ignore unused
tools:
  keep: {kind: go, effect: write}
responses: {kept: Kept.}
`

func TestCheckFormats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, doubtful)
	check := func(args ...string) string {
		t.Helper()
		out, code := runCommand(t, append([]string{"check", path}, args...)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
		return out
	}
	for _, tc := range []struct {
		args []string
		want []string
	}{
		{nil, []string{`agent.yaml:3:9: warning: params.note: whatever is said`, " [free-text]\n", `agent.yaml:11:23: warning: there is no "unused"`, " [go-tool]\n", "not checked: the intents of the examples (there is no second intent", ": 0 errors, 2 warnings, 1 ignored\n"}},
		{[]string{"--disable", "free-text", "--no-nlu"}, []string{"(--no-nlu)", ": 0 errors, 1 warning, 2 ignored\n"}},
		{[]string{"--format", "github"}, []string{"::warning file=" + commandProperty.Replace(path) + ",line=3,col=9,title=slotway free-text::params.note: whatever is said", "::notice file="}},
		{[]string{"--codes"}, []string{"free-text ", "unconfirmed-write "}},
	} {
		out := check(tc.args...)
		for _, want := range tc.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v lacks %q\n%s", tc.args, want, out)
			}
		}
	}
	for _, args := range [][]string{{"--format", "xml"}, {"--disable", "free-txt"}, {"--disable", "invalid"}} {
		if _, code := runCommand(t, append([]string{"check", path}, args...)...); code != exitUsage {
			t.Errorf("%v: exit code %d, want that of wrong usage", args, code)
		}
	}
}

// TestCheckSARIF holds the log to the rules of SARIF 2.1.0 that it could break: a result's rule is the
// one at its index, levels are known, and lines and columns count from 1.
func TestCheckSARIF(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my agent.yaml")
	writeTestFile(t, path, doubtful)
	out, _ := runCommand(t, "check", path, "--format", "sarif", "--no-nlu")
	var log sarifLog
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 3 {
		t.Fatalf("%+v", log)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0].Physical
		if rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || r.Level != "warning" && r.Level != "note" {
			t.Errorf("%+v", r)
		}
		if at.Region.StartLine < 1 || at.Region.StartColumn < 1 || !strings.HasPrefix(at.Artifact.URI, "file:///") || !strings.HasSuffix(at.Artifact.URI, "/my%20agent.yaml") {
			t.Errorf("%+v", at)
		}
	}
}
