package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const evalTurns = `{"conv": "c1", "id": "1:1", "session": 1, "speaker": "Rosa", "date": "3:00 pm on 4 June, 2024", "text": "We picked cherries."}
{"conv": "c1", "id": "1:2", "session": 1, "speaker": "Tomas", "date": "3:00 pm on 4 June, 2024", "text": "I tuned the piano.", "caption": "an open lid"}
{"conv": "c1", "id": "2:1", "session": "two", "speaker": "Rosa", "date": "2024-07-01", "text": "Nothing new."}
{"conv": "c2", "id": "1:1", "session": 1, "speaker": "user", "text": "The piano of someone else."}
{"conv": "c2", "id": "1:2", "session": 1, "speaker": "assistant", "text": "Noted."}
`

const evalQuestions = `{"idx": 7, "conv": "c1", "question": "Who tuned a piano?", "category": "one", "evidence": ["1:2"]}
{"conv": "c1", "question": "Did Rosa pick cherries?", "category": "two", "evidence": ["1:1", "2:1", "9:9", "1:1"]}
{"conv": "c1", "question": "Zebras?", "category": "two", "evidence": []}
{"conv": "c3", "question": "Who is this?", "category": "one", "evidence": ["1:1"]}
`

func evalFiles(t *testing.T) (turns, questions, run string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("turns.jsonl", evalTurns), write("questions.jsonl", evalQuestions), filepath.Join(dir, "run.jsonl")
}

func TestEvalRecall(t *testing.T) {
	turns, questions, out := evalFiles(t)
	var stdout, stderr bytes.Buffer
	args := []string{"eval", "recall", "--turns", turns, "--questions", questions, "-k", "1,3", "--run", out, "--no-embeddings", "--json"}
	if code := run(t.Context(), args, nil, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	var got map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"p50_us", "p99_us", "search_p50_us", "build_ms", "index_bytes"} {
		if v, ok := got[key].(float64); !ok || v <= 0 {
			t.Errorf("%s is %v", key, got[key])
		}
		delete(got, key)
	}
	want := map[string]any{
		"R@1": (1 + 1.0/3) / 3, "R@3": (1 + 2.0/3) / 3, "messages": 5.0, "questions": 3.0, "model": "",
		"by_category": map[string]any{
			"one": map[string]any{"R@1": .5, "R@3": .5, "n": 2.0},
			"two": map[string]any{"R@1": 1.0 / 3, "R@3": 2.0 / 3, "n": 1.0},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], `{"conv":"c1","question_idx":7,"ranked":["1:2"`) || lines[3] != `{"conv":"c3","question_idx":3,"ranked":[]}` {
		t.Errorf("the run is\n%s", data)
	}
}

func TestEvalRecallAsText(t *testing.T) {
	turns, questions, _ := evalFiles(t)
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"eval", "recall", "--turns", turns, "--questions", questions}, nil, &stdout, &stderr); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	for _, want := range []string{"R@5", "R@10", "building takes"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
}

func TestEvalRecallUsage(t *testing.T) {
	turns, questions, _ := evalFiles(t)
	tests := []struct {
		args []string
		want int
	}{
		{nil, exitUsage},
		{[]string{"--turns", turns, "--questions", questions, "-k", "0"}, exitUsage},
		{[]string{"--turns", turns, "--questions", turns + ".missing"}, exitCheck},
		{[]string{"--turns", questions + "x", "--questions", questions}, exitCheck},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), append([]string{"eval", "recall"}, test.args...), nil, &stdout, &stderr); code != test.want {
			t.Errorf("%v: exit %d, want %d", test.args, code, test.want)
		}
	}
}

func TestRecallDate(t *testing.T) {
	want := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	if got := recallDate("1:56 pm on 8 May, 2023"); !got.Equal(want) {
		t.Errorf("date %v, want %v", got, want)
	}
	if got := recallDate("some day"); !got.IsZero() {
		t.Errorf("no date is %v", got)
	}
}

// TestEvalRecallOnDialogues holds the figures on long dialogues of two people, in the folder
// that SLOTWAY_RECALL_DATA names (turns.jsonl and questions.jsonl).
func TestEvalRecallOnDialogues(t *testing.T) {
	dir := os.Getenv("SLOTWAY_RECALL_DATA")
	if dir == "" {
		t.Skip("SLOTWAY_RECALL_DATA is not set")
	}
	for _, test := range []struct {
		flags         []string
		recall, multi float64
	}{{[]string{"--no-embeddings"}, .77, .45}, {nil, .79, .50}} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"eval", "recall", "--json", "--turns", filepath.Join(dir, "turns.jsonl"), "--questions", filepath.Join(dir, "questions.jsonl")}, test.flags...)
		if code := run(t.Context(), args, nil, &stdout, &stderr); code != exitOK {
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
		var got struct {
			R10        float64                       `json:"R@10"`
			Categories map[string]map[string]float64 `json:"by_category"`
		}
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if multi := got.Categories["multi-hop"]["R@10"]; got.R10 < test.recall || multi < test.multi {
			t.Errorf("%v: R@10 %.3f, multi-hop %.3f; want %.2f and %.2f", test.flags, got.R10, multi, test.recall, test.multi)
		}
	}
}
