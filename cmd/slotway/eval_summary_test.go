package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeLines writes a file of lines into a folder of the test's.
func writeLines(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func evalSummary(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), append([]string{"eval", "summary"}, args...), strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestEvalSummary(t *testing.T) {
	var lines []string
	for i := range 40 {
		text := "Wow, that sounds really great, thank you so much for sharing it with me!"
		if i%8 == 3 {
			text = fmt.Sprintf("My sister Karin moved to Bergen on %d May and bought a violin.", i)
		}
		lines = append(lines, fmt.Sprintf(`{"conv":"a","id":"t%d","session":"s%d","speaker":"Ann","text":%q}`, i, i/20, text))
	}
	turns := writeLines(t, "turns.jsonl", lines...)
	questions := writeLines(t, "questions.jsonl",
		`{"conv":"a","evidence":["t3"]}`, `{"conv":"a","evidence":["t3","t11"]}`, `{"conv":"a","evidence":["t0"]}`, `{"conv":"a","evidence":["none"]}`)
	code, out, errs := evalSummary(t, "--turns", turns, "--questions", questions, "--keep", "0.12", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var got summaryFigures
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	// t3 and t11 are kept, t0 is small talk.
	if got.EvidenceKept != 0.6667 || got.PerQuestion != 0.6667 || got.Evidence != 3 || got.Questions != 3 || got.WordsKept > 0.12 {
		t.Errorf("%+v", got)
	}
	if code, out, _ := evalSummary(t, "--turns", turns, "--questions", questions); code != exitOK || !strings.Contains(out, "of 3 evidence turns") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestEvalSummaryRefuses(t *testing.T) {
	turns := writeLines(t, "turns.jsonl", `{"conv":"a","id":"1","session":1,"speaker":"x","text":"secret words"}`)
	broken := writeLines(t, "broken.jsonl", `{"conv":"a","id":"1","session":1,"speaker":"x","text":"secret`)
	unknown := writeLines(t, "unknown.jsonl", `{"conv":"b","evidence":["1"]}`)
	for name, tc := range map[string]struct {
		args []string
		code int
	}{
		"no files":             {nil, exitUsage},
		"nothing kept":         {[]string{"--turns", turns, "--questions", unknown, "--keep", "0"}, exitUsage},
		"no file":              {[]string{"--turns", turns + "x", "--questions", unknown}, exitCheck},
		"no JSON":              {[]string{"--turns", broken, "--questions", unknown}, exitCheck},
		"unknown conversation": {[]string{"--turns", turns, "--questions", unknown}, exitCheck},
	} {
		code, _, errs := evalSummary(t, tc.args...)
		if code != tc.code || strings.Contains(errs, "secret") {
			t.Errorf("%s: exit %d, want %d: %s", name, code, tc.code, errs)
		}
	}
}
