package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/programtest"
)

// rowsFile writes made-up messages, some of them out of scope, as a file of rows.
func rowsFile(t *testing.T, intents, each, outside int) string {
	t.Helper()
	var b strings.Builder
	row := func(text, intent string, slots ...map[string]any) {
		line, err := json.Marshal(map[string]any{"text": text, "intent": intent, "slots": slots})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	openings := []string{"please", "could you", "i want to", "i need to", "help me"}
	wishes := []string{"book a flight", "cancel the table", "rate my hotel", "find an invoice", "share this photo", "renew the loan"}
	cities := []string{"Rome", "Oslo", "Lima", "Cairo", "Delhi", "Quito", "Porto"}
	for i := range intents * each {
		wish, city := wishes[i/each], cities[i%len(cities)]
		before := openings[i%len(openings)] + " " + wish + " in "
		row(before+city, strings.ReplaceAll(wish, " ", "_"), map[string]any{"name": "city", "start": len(before), "end": len(before + city), "value": city})
	}
	for i := range outside {
		row(fmt.Sprintf("quite another matter, the %dth of many", i), eval.OutOfScope)
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

// The agent's own examples are measured, and named by place.
func TestEvalAgent(t *testing.T) {
	path, args := "intents.yaml", []string{"--set", withoutEncoder}
	if programtest.Race { // each fold of the default agent is trained on one processor, for seconds
		path = filepath.Join(t.TempDir(), "agent.yaml")
		writeTestFile(t, path, strayed)
		args = append(args, "--agent", path)
	}
	v := runJSON(t, append(args, "eval", "nlu", "--folds", "3", "--json")...)
	hasKeys(t, v, nluKeys)
	missed, _ := v["missed"].([]any)
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
