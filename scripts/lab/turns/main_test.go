package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/scripts/lab/jsonl"
	"github.com/slotway/slotway/scripts/lab/turnset"
)

// The file has plain turns that the program understands, and two whose labels are wrong on purpose:
// a yes that is labelled as a no and must never be a yes, and a start of the wrong task.
func TestFigures(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.jsonl")
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"-wrong", wrong, "testdata/ferry.jsonl"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	misses, err := jsonl.Read[miss](wrong)
	if err != nil {
		t.Fatal(err)
	}
	if want := (sortReport{Turns: 23, Exact: 21, ExactShare: 0.913, Nearly: 21, Never: 1, NeverShare: 0.043}); got.sortReport != want {
		t.Errorf("all turns: got %+v, want %+v\n%+v", got.sortReport, want, misses)
	}
	kinds := map[string]int{}
	for kind, of := range got.Kinds {
		kinds[kind] = of.Turns
	}
	if diff := cmp.Diff(map[string]int{"param": 5, "confirm": 6, "choice": 2, "offer": 2, "more": 2, "none": 6}, kinds); diff != "" {
		t.Errorf("turns by kind of question (-want +got):\n%s", diff)
	}
	if want := (commandReport{Want: 3, Got: 4, Right: 3, Precision: 0.75, Recall: 1}); got.Commands[turnset.Yes] != want {
		t.Errorf("yes: got %+v, want %+v", got.Commands[turnset.Yes], want)
	}
	if len(misses) != 2 {
		t.Fatalf("wrong turns: got %d, want 2: %+v", len(misses), misses)
	}
	if m := misses[0]; len(m.Never) != 1 || m.Never[0].Do != turnset.Yes || m.Want[0].Do != turnset.No {
		t.Errorf("the first wrong turn: got %+v, want a yes that must never be", m)
	}
}

// The file labels two values of a type, both in plain words.
func TestValues(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"-values", "testdata/ferry.jsonl"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var got map[string]valueReport
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if want := (valueReport{Values: 2, Right: 2, Share: 1}); got["all"] != want {
		t.Errorf("all values: got %+v, want %+v", got["all"], want)
	}
}

func TestOneAgentAlone(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"-agent", "nobody", "testdata/ferry.jsonl"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Turns != 0 {
		t.Errorf("turns of an agent that is not in the file: got %d, want 0", got.Turns)
	}
}

func TestBadCalls(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte(`{"agent": "a", "state": {}, "message": "hi", "commands": [{"do": "yes"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "no file was given"},
		{[]string{"none.jsonl"}, 1, "none.jsonl"},
		{[]string{bad}, 1, "bad.jsonl:1: agent \"a\" has no sketch"},
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), c.args, &out, &errs); code != c.code || !strings.Contains(errs.String(), c.says) {
			t.Errorf("turns %q: got code %d and %q, want code %d and %q", c.args, code, errs.String(), c.code, c.says)
		}
	}
}
