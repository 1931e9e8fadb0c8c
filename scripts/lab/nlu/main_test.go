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

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/eval"
)

func TestSynthetic(t *testing.T) {
	rows := synthetic(150, 4)
	if diff := cmp.Diff(rows, synthetic(150, 4)); diff != "" {
		t.Errorf("another time:\n%s", diff)
	}
	intents, slots := map[string]int{}, map[string]int{}
	for _, r := range rows {
		intents[r.Intent]++
		for _, s := range r.Spans {
			slots[s.Param]++
			if got := string([]rune(r.Text)[s.Start:s.End]); got != s.Value {
				t.Fatalf("%q is marked as %q", got, s.Value)
			}
		}
	}
	if len(rows) != 600 || len(intents) != 150 || len(slots) != 5 {
		t.Errorf("%d messages of %d intents with slots %v", len(rows), len(intents), slots)
	}
	train, test := holdout(rows, 4)
	if len(train) != 450 || len(test) != 150 {
		t.Errorf("%d and %d rows", len(train), len(test))
	}
}

// rowsFile writes made-up messages as a file of rows, some of them out of scope.
func rowsFile(t *testing.T, intents, each, outside int) string {
	t.Helper()
	var b strings.Builder
	line := func(r eval.Row) {
		data, err := json.Marshal(map[string]any{"text": r.Text, "intent": r.Intent})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", data)
	}
	for _, r := range synthetic(intents, each) {
		line(r)
	}
	for i := range outside {
		line(eval.Row{Text: fmt.Sprintf("quite another matter, the %dth of many", i), Intent: eval.OutOfScope})
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every measurement prints its figures as one object.
func TestMeasurements(t *testing.T) {
	train, test := rowsFile(t, 12, 12, 0), rowsFile(t, 12, 4, 2)
	dir := filepath.Join("testdata", "languages", "zh")
	for _, c := range []struct {
		args string
		keys string
	}{
		{"noise -train " + train + " -test " + test + " -edits 2 -chatter -shots 5 -folds 2", "accuracy macro_f1 oos examples"},
		{"small -train " + train + " -test " + test + " -agents 1", "agents shots served near far"},
		{"near -train " + train + " -test " + test + " -agents 1", "acted_rightly acted_wrongly near far ece"},
		{"served -agent " + filepath.Join(dir, "agent.yaml") + " -test " + filepath.Join(dir, "test.jsonl"), "language served near far"},
		{"perturb -cases ../perturb/testdata/seeds.jsonl -variants 2", "cases exact spans"},
		{"acts", "cases macro_f1 exact by_act missed"},
		{"speed -intents 5 -examples 10 -agent " + filepath.Join(dir, "agent.yaml") + " -starts 1", "p50_us allocs rank_p50_us train_cpu_s start_ms cached_start_ms"},
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), append(strings.Fields(c.args), "-encoder", "off"), &out, &errs); code != 0 {
			t.Errorf("%s: exit code %d: %s", c.args, code, errs.String())
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Errorf("%s: %v", c.args, err)
		}
		for key := range strings.FieldsSeq(c.keys) {
			if _, is := got[key]; !is {
				t.Errorf("%s: key %s is missing", c.args, key)
			}
		}
	}
}

func TestUsage(t *testing.T) {
	train := rowsFile(t, 2, 3, 0)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"", 2, "noise|small|near"},
		{"weather", 2, `there is no "weather"`},
		{"near -train x", 2, "near needs -train and -test"},
		{"noise -train x -test y z", 2, `"z" is no flag`},
		{"noise -train missing.jsonl -test missing.jsonl", 1, "missing.jsonl"},
		{"small -train " + train + " -test " + train, 1, "too few intents"},
		{"speed -intents 1", 2, "from 2 to 150"},
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(c.args), &out, &errs); code != c.code || !strings.Contains(errs.String(), c.says) {
			t.Errorf("nlu %s: got code %d and %q, want %d and %q", c.args, code, errs.String(), c.code, c.says)
		}
	}
}
