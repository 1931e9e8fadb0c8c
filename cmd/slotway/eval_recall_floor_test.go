package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestRecallFloor holds how many of 30 questions about a user's life find the message that answers
// them, with few words in common. The messages are our own; nobody tuned the index on them.
func TestRecallFloor(t *testing.T) {
	dir := filepath.Join("testdata", "recall")
	files := []string{"--turns", filepath.Join(dir, "turns.jsonl"), "--questions", filepath.Join(dir, "questions.jsonl")}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), append([]string{"eval", "recall", "-k", "1,5", "--json"}, files...), nil, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	var got map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	const margin = 0.04 // one question
	for name, measured := range map[string]float64{"R@1": 0.833, "R@5": 0.966} {
		if v, ok := got[name].(float64); !ok || v < measured-margin {
			t.Errorf("%s is %v, it was %.3f", name, got[name], measured)
		}
	}
}
