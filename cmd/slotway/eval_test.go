package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/cmd/internal/programtest"
	"github.com/slotway/slotway/config"
)

// rowsFile writes made-up messages, some of them out of scope, as a file of rows.
func rowsFile(t *testing.T, intents, each, outside int) string {
	t.Helper()
	var b strings.Builder
	rows := eval.Synthetic(intents, each)
	for i := range outside {
		rows = append(rows, eval.Row{Text: fmt.Sprintf("quite another matter, the %dth of many", i), Intent: eval.OutOfScope})
	}
	for _, r := range rows {
		slots := []map[string]any{}
		for _, s := range r.Spans {
			slots = append(slots, map[string]any{"name": s.Param, "start": s.Start, "end": s.End, "value": s.Value})
		}
		line, err := json.Marshal(map[string]any{"text": r.Text, "intent": r.Intent, "slots": slots})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	writeTestFile(t, path, b.String())
	return path
}

// runJSON runs a command that ends well and returns the one object it prints.
func runJSON(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, code := runCommand(t, args...)
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != exitOK {
		t.Fatalf("%v: exit code %d, %v\n%s", args, code, err, out)
	}
	return v
}

func hasKeys(t *testing.T, v map[string]any, keys string) {
	t.Helper()
	for key := range strings.FieldsSeq(keys) {
		if _, ok := v[key]; !ok {
			t.Errorf("key %s is missing", key)
		}
	}
}

// The keys are a contract.
const nluKeys = "accuracy macro_f1 oos span_f1 train_cpu_s p50_us p99_us allocs model_bytes"

// withoutEncoder is for commands that train many classifiers only to be looked at from outside:
// with the encoder each takes three times as long.
const withoutEncoder = "classifier.encoder=off"

func TestEvalNLU(t *testing.T) {
	trainsOften(t)
	train, test := rowsFile(t, 6, 20, 5), rowsFile(t, 6, 8, 10)
	html := filepath.Join(t.TempDir(), "page.html")
	v := runJSON(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test, "--json", "--html", html)
	hasKeys(t, v, nluKeys)
	oos, _ := v["oos"].([]any)
	if len(oos) != 4 || v["out_of_scope"] != 10.0 || v["examples"] != 120.0 || v["accuracy"].(float64) < 0.9 {
		t.Errorf("%v", v)
	}
	first, _ := oos[0].(map[string]any)
	hasKeys(t, first, "in_scope_loss threshold in_scope_accuracy recall precision")
	page, err := os.ReadFile(html)
	if err != nil || !strings.Contains(string(page), "<svg") {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	v = runJSON(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test, "--intents-only", "--folds", "3", "--json")
	hasKeys(t, v, nluKeys)
	if v["span_f1"] != nil {
		t.Errorf("span F1 of intents only: %v", v["span_f1"])
	}
	v = runJSON(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--folds", "4", "--json")
	hasKeys(t, v, nluKeys)
	if v["folds"] != 4.0 || v["messages"] != 120.0 || v["out_of_scope"] != 5.0 {
		t.Errorf("%v", v)
	}
	out, code := runCommand(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test)
	if code != exitOK || !strings.Contains(out, "accuracy") || !strings.Contains(out, "loss of 2.0 points") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// Both spellings measure the agent's own examples, and name them by place.
// Slips and chatter are done to what is measured, and small agents are drawn.
func TestEvalNoise(t *testing.T) {
	trainsOften(t)
	train, test := rowsFile(t, 12, 10, 0), rowsFile(t, 12, 4, 2)
	measure := func(args ...string) eval.Figures {
		t.Helper()
		out, code := runCommand(t, append([]string{"--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test, "--folds", "2", "--intents-only", "--json"}, args...)...)
		var f eval.Figures
		if err := json.Unmarshal([]byte(out), &f); err != nil || code != exitOK {
			t.Fatalf("%v: exit code %d, %v\n%s", args, code, err, out)
		}
		return f
	}
	clean, noisy := measure(), measure("--edits", "12", "--chatter")
	if noisy.Accuracy >= clean.Accuracy || noisy.Messages != clean.Messages {
		t.Errorf("clean %v of %d, noisy %v of %d", clean.Accuracy, clean.Messages, noisy.Accuracy, noisy.Messages)
	}
	if few := measure("--shots", "3"); few.Examples != 36 {
		t.Errorf("%d examples", few.Examples)
	}
	out, code := runCommand(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test, "--small", "2", "--shots", "4", "--json")
	var small eval.SmallFigures
	if err := json.Unmarshal([]byte(out), &small); err != nil || code != exitOK || small.Agents != 2 || small.Shots != 4 || small.Served.Messages == 0 {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
	if out, code := runCommand(t, "--set", withoutEncoder, "eval", "nlu", "--train", train, "--test", test, "--small", "1", "--chatter"); code != exitOK || !strings.Contains(out, "acted on rightly") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestEvalAgent(t *testing.T) {
	path, args := "intents.yaml", []string{"--set", withoutEncoder}
	if programtest.Race { // each fold of the default agent is trained on one processor, for seconds
		path = filepath.Join(t.TempDir(), "agent.yaml")
		writeTestFile(t, path, strayed)
		args = append(args, "--agent", path)
	}
	short := runJSON(t, append(args, "eval", "--folds", "3", "--json")...)
	long := runJSON(t, append(args, "eval", "nlu", "--folds", "3", "--json")...)
	hasKeys(t, short, nluKeys)
	if diff := cmp.Diff(short["missed"], long["missed"]); diff != "" || short["accuracy"] != long["accuracy"] {
		t.Errorf("%v and %v:\n%s", short["accuracy"], long["accuracy"], diff)
	}
	missed, _ := short["missed"].([]any)
	if len(missed) == 0 {
		t.Fatal("nothing was missed")
	}
	first, _ := missed[0].(map[string]any)
	if at, _ := first["at"].(string); !strings.HasPrefix(at, path+":") {
		t.Errorf("missed at %q", at)
	}
}

func TestEvalUsage(t *testing.T) {
	train := rowsFile(t, 2, 3, 0)
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	writeTestFile(t, bad, "{\"text\": \"x\", \"intent\": \"a\"}\nno json\n")
	for _, tc := range []struct {
		args string
		code int
		want string
	}{
		{"eval nlu --test " + train, exitUsage, "--test needs --train"},
		{"eval nlu --intents-only", exitUsage, "--intents-only needs --train"},
		{"eval nlu --train " + train + " --shots 3", exitUsage, "--shots and --small need --train and --test"},
		{"eval nlu --edits -1", exitUsage, "are counts"},
		{"eval nlu --train " + train + " --test " + train + " --small 2 --html x.html", exitUsage, "--small has no page"},
		{"eval nlu --train " + train + " --test " + train + " --small 2", exitCheck, "too few intents"},
		{"eval nlu --folds 1", exitUsage, "--folds is 1"},
		{"eval nlu --train " + train + " --folds 500", exitCheck, "folds must be 2 or more"},
		{"eval nlu --train " + bad + " --folds 2", exitCheck, "bad.jsonl:2:1: is no JSON object"},
		{"eval nlu --train " + bad + "x", exitCheck, "read messages"},
		{"eval entities", exitUsage, "--cases is missing"},
		{"eval entities --cases " + bad, exitCheck, "bad.jsonl:1:1: type: is none"},
		{"eval diff " + train, exitUsage, "expected two JSON files"},
		{"eval diff " + train + " " + train, exitCheck, "compare"},
		{"eval nothing", exitUsage, `unknown command "nothing" for eval`},
	} {
		out, code := runCommand(t, strings.Fields(tc.args)...)
		if code != tc.code || !strings.Contains(out, tc.want) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", tc.args, code, tc.code, tc.want, out)
		}
	}
	if out, code := runCommand(t, "eval"); code != exitOK || !strings.Contains(out, "entities") {
		t.Errorf("eval alone: exit code %d\n%s", code, out)
	}
}

func TestEvalEntities(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	writeTestFile(t, path, `{"id": "one", "type": "number", "input": "twelve of 30", "expected": [{"start": 0, "end": 6, "type": "number", "resolution": {"value": "12"}}, {"start": 10, "end": 12, "type": "number", "resolution": {"value": "30"}}]}
{"id": "two", "type": "number", "input": "31", "expected": [{"start": 0, "end": 2, "type": "number", "resolution": {"value": "32"}}]}
`)
	v := runJSON(t, "eval", "entities", "--cases", path, "--json")
	hasKeys(t, v, "cases exact spans p50_us")
	if v["cases"] != 2.0 || v["exact"] != 0.5 || v["spans"] != 1.0 || v["missed"] != nil {
		t.Errorf("%v", v)
	}
	out, code := runCommand(t, "eval", "entities", "--cases", path, "--missed")
	if code != exitOK || !strings.Contains(out, "cases.jsonl:2:1") || !strings.Contains(out, "expected number 0:2 32") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestEvalDiff(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	writeTestFile(t, a, `{"accuracy": 0.9, "p50_us": 10, "intents": [{"intent": "ask", "f1": 0.8}]}`)
	writeTestFile(t, b, `{"accuracy": 0.88, "p50_us": 12, "intents": [{"intent": "ask", "f1": 0.6}]}`)
	out, code := runCommand(t, "eval", "diff", a, b)
	if code != exitCheck || !strings.Contains(out, "-0.0200") || !strings.Contains(out, "worse") || !strings.Contains(out, "ask") || strings.Contains(out, "slotway:") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "eval", "diff", "--tolerance", "0.05", a, b); code != exitOK {
		t.Errorf("within the tolerance: exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "eval", "diff", "--json", b, a); code != exitOK || !strings.Contains(out, `"regressed":false`) {
		t.Errorf("the better way round: exit code %d\n%s", code, out)
	}
	if _, code := runCommand(t, "eval", "diff", "--tolerance", "2", a, b); code != exitUsage {
		t.Errorf("a tolerance of 2: exit code %d", code)
	}
}

func TestBenchNLU(t *testing.T) {
	trainsOften(t)
	agent := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, agent, strayed)
	v := runJSON(t, "--set", withoutEncoder, "--agent", agent, "bench", "nlu", "--intents", "5", "--examples", "10", "--starts", "3", "--json")
	hasKeys(t, v, "intents examples p50_us p99_us allocs intent_p50_us intent_p99_us intent_allocs rank_p50_us rank_p99_us rank_allocs model_bytes intent_bytes train_cpu_s start_ms start_train_ms cached_start_ms")
	if v["intents"] != 5.0 || v["examples"] != 45.0 || v["messages"] != 5.0 || v["start_ms"].(float64) <= 0 || v["cached_start_ms"].(float64) <= 0 {
		t.Errorf("%v", v)
	}
	if out, code := runCommand(t, "--set", withoutEncoder, "bench", "nlu", "--starts", "1", "--train", rowsFile(t, 3, 12, 2)); code != exitOK || !strings.Contains(out, "3 intents, ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, code := runCommand(t, "bench", "nlu", "--intents", "1"); code != exitUsage {
		t.Errorf("one intent: exit code %d", code)
	}
	if _, code := runCommand(t, "bench", "nlu", "--starts", "0"); code != exitUsage {
		t.Errorf("no start: exit code %d", code)
	}
}

func TestZoneOf(t *testing.T) {
	p := config.ClassifierPolicy{Threshold: 0.6, Reject: 0.3}
	for confidence, want := range map[float64]string{1: "accept", 0.6: "accept", 0.59: "offer", 0.3: "offer", 0.29: "reject", 0: "reject"} {
		if got := zoneOf(p, confidence); got != want {
			t.Errorf("zone of %v is %s, want %s", confidence, got, want)
		}
	}
}

func TestClassifyCommand(t *testing.T) {
	var out strings.Builder
	code := run(t.Context(), []string{"classify", "--json"}, strings.NewReader("where is my order O-12345\n\n"), &out, &out)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var first, second map[string]any
	if code != exitOK || len(lines) != 2 || json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &second) != nil {
		t.Fatalf("exit code %d\n%s", code, out.String())
	}
	hasKeys(t, first, "text intent confidence tier zone ranking params")
	if first["intent"] != "order_status" || first["zone"] != "accept" || first["tier"] == "" || second["zone"] != "reject" || second["ranking"] == nil {
		t.Errorf("%v\n%v", first, second)
	}
	out.Reset()
	if code := run(t.Context(), []string{"classify"}, strings.NewReader("where is my order\n"), &out, &out); code != exitOK || !strings.Contains(out.String(), " accept (") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}

// trainsOften leaves a test of a command that trains many classifiers to the plain run: what
// trains and what measures are tried under the race detector where they are, on small sets.
func trainsOften(t *testing.T) {
	t.Helper()
	if programtest.Race {
		t.Skip("trains many classifiers, half a minute under the race detector")
	}
}
