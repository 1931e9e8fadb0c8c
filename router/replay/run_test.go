package replay

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// play runs the one conversation of a source.
func playSource(t *testing.T, source string, opts *Options) Result {
	t.Helper()
	all, err := Parse("f.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), all[0], openEcho, opts)
}

func TestRunPasses(t *testing.T) {
	r := playSource(t, `
conversation: all that can be expected
store: sqlite
tools: {look: [{result: one}, {error: timeout}, {result: three}]}
turns:
  - user: ask zip
    expect: {intent: ask, asked: zip, waiting_for_param: zip, confirming: null, turn: 1, handoff: false, error: null, calls: []}
  - user: time
    expect: {reply: "2026-01-05T09:00:01Z", asked: null, params: {zip: 04101, count: 2, other: null}}
  - user: time
    after: 1h
    expect: {reply_matches: ['^2026-01-05T10:', '01Z$'], params: {zip: "04101", count: 3}, params_exact: true}
  - user: call look
    expect: {calls: [look], reply: one, replayed: false}
  - user: call look
    id: again
    expect: {calls: [check, look], error: timeout, replayed: true}
  - user: given
    given: {confirming: pay}
    expect: {confirming: pay}
  - user: given
    given: {confirming: pay}
    expect: {confirming: true}
  - user: write something
  - user: read
    restart: true
    expect: {turn: 1, reply_contains: [some, thing]}
  - user: call look
    expect: {calls: [look], reply: three}
  - user: offer Yes No 12
    expect: {options: [Yes, No, 12], unheard: [], rule: null}
  - user: leave it
    expect: {options: [], unheard: [it, the rest], rule: answer}
  - user: leave it
    expect: {options: null, unheard: [{text: it, told: true}, {text: the rest, told: false}], rule: courtesy}
`, nil)
	if !r.Passed || r.Turns != 13 {
		t.Errorf("result = %+v", r)
	}
}

func TestRunChangesTheAgent(t *testing.T) {
	r := playSource(t, `
conversation: another definition from the second turn on
agent: old.yaml
store: sqlite
turns:
  - user: agent
    expect: {reply: old.yaml}
  - user: agent
    restart: true
    agent: new.yaml
    expect: {reply: new.yaml}
  - user: agent
    restart: true
    expect: {reply: new.yaml}
`, nil)
	if !r.Passed || r.Turns != 3 {
		t.Errorf("result = %+v", r)
	}
}

func TestRunFails(t *testing.T) {
	for name, c := range map[string]struct{ turn, want string }{
		"intent":   {"{user: ask zip, expect: {intent: tell}}", `(?s)intent .*-.*"tell".*\+.*"ask"`},
		"asked":    {"{user: ask zip, expect: {asked: null}}", `(?s)asked .*\+.*"zip"`},
		"not":      {"{user: hi, expect: {asked: zip}}", `(?s)asked .*-.*"zip"`},
		"confirm":  {"{user: hi, expect: {confirming: true}}", `confirming`},
		"param":    {"{user: hi, expect: {params: {zip: 1}}}", `(?s)-.*"1".*\+.*"04101"`},
		"missing":  {"{user: hi, expect: {params: {other: 1}}}", `(?s)other`},
		"exact":    {"{user: hi, expect: {params: {zip: 04101}, params_exact: true}}", `(?s)\+ count: `},
		"calls":    {"{user: hi, expect: {calls: [look]}}", `(?s)-.*"look"`},
		"check":    {"{user: call look, expect: {calls: [look, check]}}", `calls`},
		"reply":    {"{user: hi, expect: {reply: ho}}", `(?s)reply .*-.*"ho".*\+.*"hi"`},
		"part":     {"{user: hi, expect: {reply_contains: [h, o]}}", `(?s)reply_contains .*-.*"o".*\+.*"hi"`},
		"match":    {"{user: hi, expect: {reply_matches: ^i}}", `reply_matches`},
		"turn":     {"{user: hi, expect: {turn: 7}}", `turn`},
		"replayed": {"{user: hi, expect: {replayed: true}}", `replayed`},
		"options":  {"{user: offer A B, expect: {options: [A]}}", `(?s)options .*\+.*"B"`},
		"no offer": {"{user: offer A B, expect: {options: []}}", `(?s)options .*\+.*"A"`},
		"unheard":  {"{user: leave it, expect: {unheard: []}}", `(?s)unheard .*\+.*"it"`},
		"untold":   {"{user: leave it, expect: {unheard: [it, {text: the rest, told: true}]}}", `(?s)unheard .*-.*true.*\+.*false`},
		"rule":     {"{user: leave it, expect: {rule: task}}", `(?s)rule .*-.*"task".*\+.*"courtesy"`},
		"no rule":  {"{user: leave it, expect: {rule: null}}", `(?s)rule .*\+.*"courtesy"`},
		"unruled":  {"{user: offer A B, expect: {rule: task}}", `(?s)rule .*-.*"task"`},
		"error":    {"{user: fail}", `could not be carried out`},
	} {
		t.Run(name, func(t *testing.T) {
			r := playSource(t, "conversation: x\ntools: {look: [{result: a}]}\nturns:\n  - user: hi\n  - "+c.turn+"\n  - user: hi\n", nil)
			if r.Passed || len(r.Failures) != 1 {
				t.Fatalf("result = %+v", r)
			}
			f := r.Failures[0]
			if f.Turn != 2 || f.Line != 5 || !regexp.MustCompile(c.want).MatchString(f.Diff) {
				t.Errorf("failure = %+v, want turn 2, line 5, %s", f, c.want)
			}
			if c.turn == "{user: fail}" && r.Turns != 1 {
				t.Errorf("%d turns were carried out", r.Turns)
			}
		})
	}
}

// A failure says how the message was taken, once a turn.
func TestAFailureSaysWhy(t *testing.T) {
	r := playSource(t, "conversation: x\nturns: [{user: leave it, expect: {turn: 7, intent: go}}, {user: hi, expect: {turn: 7}}]\n", nil)
	var why []string
	for _, f := range r.Failures {
		why = append(why, f.Why)
	}
	want := []string{"", `taken by: courtesy (0.50), then answer of pay (0.88); not by: task of order (0.25); unheard: "it", "the rest"`, ""}
	if diff := cmp.Diff(want, why); diff != "" {
		t.Errorf("why (-want +got):\n%s", diff)
	}
	var out bytes.Buffer
	if err := WriteText(&out, []Result{r}); err != nil || strings.Count(out.String(), "\ntaken by: ") != 1 {
		t.Errorf("%v, written as\n%s", err, out.String())
	}
}

func TestRunOpenFails(t *testing.T) {
	all, err := Parse("f.yaml", []byte("conversation: x\nturns: [{user: a}]"))
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(context.Context, Setup) (Runtime, error) { return nil, errors.New("no such agent") }
	if r := Run(t.Context(), all[0], refuse, nil); r.Passed || !strings.Contains(r.Failures[0].Diff, "no such agent") {
		t.Errorf("result = %+v", r)
	}
}

func TestRunLeavesNothingBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if r := playSource(t, "conversation: x\nturns: [{user: write a}]", nil); !r.Passed {
		t.Fatalf("result = %+v", r)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestUpdate(t *testing.T) {
	path := write(t, t.TempDir(), "f.yaml", `# what it shows
conversation: x
telemetry: golden/x.jsonl
tools: {look: [{result: a}]}
turns:
  - user: ask zip     # a question
    expect:
      asked: order_id # this is wrong
      reply: "wrong"
      params:
        zip: 1
        gone: 2       # lost
        count: 1
      turn: 1
  - user: call look
    expect: {reply: 'it''s {wrong}', calls: [], error: oops, reply_contains: a}
  - user: leave it
    expect: {rule: task, options: [A, B], unheard: [{text: it, told: false}]}
---
conversation: y
turns:
  - user: "hello: you"
    expect: {reply: wrong, intent: "x"}
`)
	for i := range 2 {
		results, err := RunFile(t.Context(), path, openEcho, &Options{Update: i == 0})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if !r.Passed || r.Updated != (i == 0) {
				t.Errorf("run %d: %+v", i, r)
			}
		}
	}
	const want = `# what it shows
conversation: x
telemetry: golden/x.jsonl
tools: {look: [{result: a}]}
turns:
  - user: ask zip     # a question
    expect:
      asked: zip # this is wrong
      reply: ask zip
      params: {zip: "04101", gone: null, count: 1}
      turn: 1
  - user: call look
    expect: {reply: a, calls: [look], error: null, reply_contains: a}
  - user: leave it
    expect: {rule: courtesy, options: [], unheard: [{text: it, told: true}, the rest]}
---
conversation: y
turns:
  - user: "hello: you"
    expect: {reply: "hello: you", intent: "hello:"}
`
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	if !strings.Contains(read(t, filepath.Join(filepath.Dir(path), "golden", "x.jsonl")), `"stage":"tool_call"`) {
		t.Error("no golden telemetry")
	}
}

// What cannot be changed safely is left alone, and said.
func TestUpdateByHand(t *testing.T) {
	for name, expect := range map[string]string{
		"block":  "\n      reply: |\n        wrong\n",
		"anchor": " {reply: &a wrong, error: null}\n",
		"empty":  "\n      intent:\n      turn: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			source := "conversation: x\nturns:\n  - user: hi\n    expect:" + expect
			path := write(t, t.TempDir(), "f.yaml", source)
			if _, err := RunFile(t.Context(), path, openEcho, &Options{Update: true}); !errors.Is(err, errByHand) {
				t.Errorf("error = %v", err)
			}
			if read(t, path) != source {
				t.Error("the file was changed")
			}
		})
	}
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "f.yaml", "conversation: x\ntelemetry: g.jsonl\nturns: [{user: hi}]")
	run := func(opts *Options) Result {
		results, err := RunFile(t.Context(), path, openEcho, opts)
		if err != nil {
			t.Fatal(err)
		}
		return results[0]
	}
	if r := run(nil); r.Passed || !strings.Contains(r.Failures[0].Diff, "--update") {
		t.Errorf("without a golden: %+v", r)
	}
	if r := run(&Options{Update: true}); !r.Passed || !r.Updated {
		t.Errorf("update: %+v", r)
	}
	if r := run(nil); !r.Passed {
		t.Errorf("with a golden: %+v", r)
	}
	golden := filepath.Join(dir, "g.jsonl")
	write(t, dir, "g.jsonl", strings.Replace(read(t, golden), `"replayed":false`, `"replayed":true`, 1))
	if r := run(nil); r.Passed || !strings.Contains(r.Failures[0].Diff, "-want +got") {
		t.Errorf("with another golden: %+v", r)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.yaml": "# x\nconversation: b", "agent.yaml": "intents:\n  - conversation: no", "deep/a.yml": "\"conversation\": [broken",
		"notes.txt": "conversation: c",
	} {
		write(t, dir, name, text)
	}
	got, err := Find([]string{filepath.Join(dir, "agent.yaml"), dir})
	want := []string{filepath.Join(dir, "agent.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "deep/a.yml")}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	if _, err := Find([]string{filepath.Join(dir, "gone")}); err == nil {
		t.Error("a missing path was found")
	}
}

func TestWriteResults(t *testing.T) {
	results := []Result{
		{Name: "good", File: "a.yaml", Line: 1, Turns: 2, Passed: true, Duration: 1500e6},
		{Name: "bad", File: "a.yaml", Line: 9, Failures: []Failure{{Turn: 2, Line: 12, Diff: "asked (-want +got):\n  <x>"}, {Line: 9, Diff: "telemetry"}}},
		Invalid("b.yaml", errors.New("b.yaml:1:1: broken")),
	}
	var text, junit bytes.Buffer
	if err := errors.Join(WriteText(&text, results), WriteJUnit(&junit, results)); err != nil {
		t.Fatal(err)
	}
	const wantText = `a.yaml:12: conversation "bad", turn 2: asked (-want +got):
  <x>
a.yaml:9: conversation "bad": telemetry
b.yaml:1:1: broken
1 passed, 2 failed
`
	if diff := cmp.Diff(wantText, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	var suites junitSuites
	if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 3 || suites.Failures != 2 || len(suites.Suites) != 2 || suites.Suites[0].Cases[0].Time != "1.500" ||
		!strings.Contains(suites.Suites[0].Cases[1].Failure.Text, "<x>") {
		t.Errorf("junit: %s", junit.String())
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
