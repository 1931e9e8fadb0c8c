package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// strayed has an example under the wrong intent, and a value that crowds out others.
const strayed = `version: 1
types:
  table: {patterns: ['\bT\d+\b']}
params:
  table: {type: table, prompt: "Which table?"}
intents:
  - id: book_table
    examples:
      - book a table for tonight
      - "reserve [T1](table) by the window"
      - "table for two please, [T1](table)"
      - "can i book [T1](table)"
      - "reserve [T1](table) for four people"
      - "we need [T1](table) this evening"
      - book me a table
      - cancel the table for friday
    params: {required: [table]}
    title: book a table
    plan: [{respond: done}]
  - id: cancel_table
    examples:
      - cancel my table
      - please cancel the table
      - i have to cancel the table
      - cancel the table at noon
      - cancel the table for monday
      - cancel our table
      - call off my reservation
    title: cancel a table
    plan: [{respond: done}]
responses: {done: Done.}
`

func TestCheckLooksAtExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, strayed)
	out, code := runCommand(t, "check", path)
	for _, want := range []string{
		`agent.yaml:10:9: warning: 5 of the 5 marked values of param "table" are "t1"; mark different values`,
		`agent.yaml:16:9: warning: example "cancel the table for friday" of intent "book_table" is taken for "cancel_table"`,
		": 0 errors, ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != exitOK || t.Failed() {
		t.Errorf("exit code %d\n%s", code, out)
	}
	v := runJSON(t, "check", path, "--json")
	if v["cross_validated"] != true || v["errors"] != 0.0 {
		t.Errorf("%v", v)
	}
	v = runJSON(t, "check", path, "--json", "--no-nlu")
	if v["cross_validated"] != false || v["warnings"] != 1.0 {
		t.Errorf("without the classifier: %v", v)
	}
	problem := v["problems"].([]any)[0].(map[string]any)
	if problem["severity"] != "warning" || problem["message"] == nil || problem["pos"].(map[string]any)["line"] == nil {
		t.Errorf("a problem as JSON: %v", problem)
	}
}

// TestCheckOfABrokenFile: check does not train on a file with errors.
func TestCheckOfABrokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, strings.Replace(strayed, "respond: done", "respond: gone", 1))
	out, code := runCommand(t, "check", path)
	if code != exitCheck || !strings.Contains(out, "1 error,") || strings.Contains(out, "left out") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if out, code := runCommand(t, "check", path+"x"); code != exitCheck || !strings.Contains(out, "cannot be read") {
		t.Errorf("a file that is not there: exit code %d\n%s", code, out)
	}
}

func TestCheckDefault(t *testing.T) {
	programtest.TakesLong(t)
	if programtest.Race {
		t.Skip("trains the default agent eleven times; TestCheckLooksAtExamples goes the same way with a small one")
	}
	if out, code := runCommand(t, "check"); code != exitOK || out != "the embedded agent: 0 errors, 0 warnings\n" {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestCheckProbe: --probe reports what the agent would do with requests that it most likely does
// not serve, names the worst and suggests what to do. It does not fail the check.
func TestCheckProbe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.yaml")
	writeTestFile(t, path, strayed)
	out, code := runCommand(t, "check", "--probe", path)
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"probe: 500 generic requests: ", "probe: 300 near requests: ", " would begin book_table (", " more; --json has them all",
		"probe: book_table takes ", "not_served, such as \"", "; and add examples to cancel_table, which has 7",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(out, " would begin "); n != worstShown || t.Failed() {
		t.Errorf("%d of the worst are shown\n%s", n, out)
	}
	v := runJSON(t, "check", "--probe", "--json", path)
	taken, _ := v["probed"].([]any)
	counts, _ := v["probe"].([]any)
	if len(counts) != 2 || len(taken) == 0 {
		t.Fatalf("%d kinds, %d are taken", len(counts), len(taken))
	}
	acted := 0.0
	for _, c := range counts {
		n := c.(map[string]any)
		acted += n["acted"].(float64)
		if n["acted"].(float64)+n["asked"].(float64)+n["refused"].(float64) != n["requests"] || n["refused"] == 0.0 {
			t.Errorf("the parts of %v are not the whole, or all is taken", n)
		}
	}
	if int(acted) != len(taken) {
		t.Errorf("%v are acted on, %d are listed", acted, len(taken))
	}
}

// TestCheckProbeAdvice: requests that an agent lists as not served are refused from then on.
func TestCheckProbeAdvice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.yaml")
	probe := func(file string) (acted float64) {
		writeTestFile(t, path, file)
		for _, c := range runJSON(t, "check", "--no-nlu", "--probe", "--json", path)["probe"].([]any) {
			acted += c.(map[string]any)["acted"].(float64)
		}
		return acted
	}
	before := probe(strayed)
	after := probe(strayed + `not_served:
  - name: other_bookings
    examples: [book a dentist visit, book my haircut, book me in for a wheel change, cancel my gym membership, cancel my rental car, can you cancel the newspaper]
`)
	if after >= before {
		t.Errorf("%v requests are acted on with a list of what is not served, %v without", after, before)
	}
}
