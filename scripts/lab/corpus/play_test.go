package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// played runs the program on a file and reads its figures.
func played(t *testing.T, replays string, args ...string) map[string]any {
	t.Helper()
	var out, diag bytes.Buffer
	args = append([]string{"--bots", bots, "--replays", replays, "--json"}, args...)
	if code := run(t.Context(), args, &out, &diag); code != 0 {
		t.Fatalf("corpus %q = %d: %s", args, code, diag.String())
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func expectFigures(t *testing.T, got, want map[string]any) {
	t.Helper()
	for key, w := range want {
		if got[key] != w {
			t.Errorf("%s = %v, want %v; failures: %v", key, got[key], w, got["failures"])
		}
	}
}

func TestTeacherForced(t *testing.T) {
	expectFigures(t, played(t, "testdata/boats.jsonl"), map[string]any{
		"file": "boats.jsonl", "conversations": 1.0, "turns": 7.0, "intent_accuracy": 1.0, "param_recall": 1.0,
		"param_precision": 1.0, "call_exact": 1.0, "ask_agreement": 1.0, "unconfirmed_writes": 0.0, "goal_success": nil,
	})
}

// changed writes the made-up conversation with one thing in it replaced.
func changed(t *testing.T, old, new string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/boats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("the conversation does not have %s", old)
	}
	path := filepath.Join(t.TempDir(), "changed.jsonl")
	if err := os.WriteFile(path, bytes.Replace(data, []byte(old), []byte(new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each measure must be able to fall, and only the one concerned.
func TestWhatDiffersIsCounted(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		measure        string
		want           float64
	}{
		{"a value that was not understood", `"harbor": ["Bregenz"]}, "params_new"`, `"harbor": ["Arbon"]}, "params_new"`, "param_recall", 0.75},
		{"a value that was not given", `"params_new": {"boat_name": "user"}`, `"params_new": {}`, "param_recall", 1},
		{"another intent", `{"intent": "FindBoat", "acts": ["REQUEST"]`, `{"intent": "HireBoat", "acts": ["REQUEST"]`, "intent_accuracy", 6.0 / 7},
		{"another argument", `"params": {"harbor": "Bregenz", "rental_day": "2019-03-04"}}}`, `"params": {"harbor": "Bregenz", "rental_day": "2019-03-04", "deck": "open"}}}`, "call_exact", 0.5},
		{"another question", `"ask": ["rental_day"]`, `"ask": ["harbor"]`, "ask_agreement", 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			expectFigures(t, played(t, changed(t, c.old, c.new)), map[string]any{c.measure: c.want})
		})
	}
}

// A write that the recording does not show a yes for is reported, whoever made it.
func TestUnconfirmedWriteIsCounted(t *testing.T) {
	path := changed(t, `"acts": ["AFFIRM"]`, `"acts": ["REQUEST"]`)
	expectFigures(t, played(t, path), map[string]any{"unconfirmed_writes": 1.0})
}

func TestFreeRun(t *testing.T) {
	got := played(t, "testdata/boats.jsonl", "--free")
	expectFigures(t, got, map[string]any{"turns": 7.0, "call_exact": 1.0, "unconfirmed_writes": 0.0})
}

func TestGoals(t *testing.T) {
	expectFigures(t, played(t, "testdata/boats_goals.jsonl"), map[string]any{
		"conversations": 2.0, "goal_success": 0.5, "unconfirmed_writes": 0.0, "intent_accuracy": nil,
	})
}

func TestOnly(t *testing.T) {
	expectFigures(t, played(t, "testdata/boats.jsonl", "--only", "nobody"), map[string]any{"conversations": 0.0, "turns": 0.0})
}

func TestText(t *testing.T) {
	var out, diag bytes.Buffer
	path := changed(t, `"ask": ["rental_day"]`, `"ask": ["harbor"]`)
	if code := run(t.Context(), []string{"--bots", bots, "--replays", path, "--show", "1"}, &out, &diag); code != 0 {
		t.Fatalf("run = %d: %s", code, diag.String())
	}
	for _, want := range []string{"sgd_boats_1", "ask: another question", "which boats are free"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}

func TestWithoutData(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no folder", []string{"--bots", "nowhere", "--replays", "testdata/boats.jsonl"}, 1, "no part of the project"},
		{"no file", []string{"--bots", bots, "--replays", "nowhere.jsonl"}, 1, "no part of the project"},
		{"no flags", nil, 2, "usage"},
		{"an argument", []string{"--bots", bots, "--replays", "x", "y"}, 2, "usage"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, diag bytes.Buffer
			if code := run(t.Context(), c.args, &out, &diag); code != c.code || !strings.Contains(diag.String(), c.says) {
				t.Errorf("run(%q) = %d, %q, want %d and %q", c.args, code, diag.String(), c.code, c.says)
			}
		})
	}
}

// A bot that is not there is an error that names it.
func TestUnknownBot(t *testing.T) {
	path := changed(t, `"bot": "sgd_boats_1"`, `"bot": "sgd_rafts_9"`)
	var out, diag bytes.Buffer
	if code := run(t.Context(), []string{"--bots", bots, "--replays", path}, &out, &diag); code != 1 || !strings.Contains(diag.String(), "sgd_rafts_9") {
		t.Errorf("run = %d, %q, want 1 and the bot's name", code, diag.String())
	}
}
