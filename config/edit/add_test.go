package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

const agent = `# the agent of a bank
version: 1   # the format
agent: {id: bank}
types:
  card: {patterns: ["\\bC-\\d+\\b"], example: C-1}
params:
  card: {type: card, prompt: "Which card?"}
intents:
  - id: freeze   # in a hurry
    examples: [freeze my card, "block: my card", lock the card please]
    params: {optional: [card]}
    plan: [{respond: done}]
responses: {done: Done.}
`

// write makes the agent's file in a folder.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bank.yaml")
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

var card = config.Example{Text: "freeze C-77 now", Spans: []config.Span{{Param: "card", Start: 7, End: 11, Value: "C-77"}}}

func say(text string) config.Example { return config.Example{Text: text} }

// The first examples make the file and the line that names it; later ones are added to it.
func TestAdd(t *testing.T) {
	path := write(t, agent)
	for _, c := range []struct {
		intent string
		added  []config.Example
	}{
		{"freeze", []config.Example{card, say(`say "yes" <now>`)}},
		{"not_served.rates", []config.Example{say("what is the rate")}},
		{"not_served.rates", []config.Example{say("your rates"), say("12")}},
		{"help", []config.Example{say("show me the ropes")}},
	} {
		file, now, err := Add(path, c.intent, c.added)
		if err != nil {
			t.Fatal(err)
		}
		has := now.Intent(c.intent).Examples
		for i, e := range c.added {
			got := has[len(has)-len(c.added)+i]
			if diff := cmp.Diff(e.Spans, got.Spans); c.intent != "help" && (got.Text != e.Text || diff != "") {
				t.Errorf("%s has %+v", c.intent, got)
			}
		}
		if file != filepath.Join(filepath.Dir(path), "bank.examples.jsonl") {
			t.Errorf("the examples are in %s", file)
		}
	}
	if diff := cmp.Diff(agent+"\nexamples_from: [\"bank.examples.jsonl\"]\n", read(t, path)); diff != "" {
		t.Errorf("the agent (-want +got)\n%s", diff)
	}
	want := `{"text":"freeze C-77 now","intent":"freeze","slots":[{"name":"card","value":"C-77","start":7,"end":11}]}
{"text":"say \"yes\" <now>","intent":"freeze"}
{"text":"what is the rate","intent":"not_served.rates"}
{"text":"your rates","intent":"not_served.rates"}
{"text":"12","intent":"not_served.rates"}
{"text":"show me the ropes","intent":"help"}
`
	if diff := cmp.Diff(want, read(t, filepath.Join(filepath.Dir(path), "bank.examples.jsonl"))); diff != "" {
		t.Errorf("the examples (-want +got)\n%s", diff)
	}
}

// What is refused leaves the files as they were.
func TestAddRefuses(t *testing.T) {
	stray := config.Example{Text: "freeze C-7", Spans: []config.Span{{Param: "stray", Start: 7, End: 10}}}
	cases := []struct {
		name, agent, intent string
		example             config.Example
		want                string
	}{
		{"an unknown intent", agent, "freze", say("x y"), `no intent "freze": did you mean "freeze"`},
		{"a param that the intent lacks", agent, "freeze", stray, "nothing is written"},
		{"brackets in the text", agent, "freeze", say("see [this](link)"), "brackets"},
		{"a broken file", strings.Replace(agent, "version: 1", "version: [", 1), "freeze", say("x y"), "bank.yaml:"},
		{"an agent in braces", "{intents: [{id: a, examples: [b c, d e, f g], plan: [{respond: r}]}], responses: {r: R}}", "a", say("x y"), `examples_from: ["bank.examples.jsonl"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.agent)
			if _, _, err := Add(path, c.intent, []config.Example{c.example}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
			if read(t, path) != c.agent {
				t.Errorf("the file is now\n%s", read(t, path))
			}
			if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
				t.Errorf("there are %d files", len(files))
			}
		})
	}
}

// A file that the agent names already gets the examples.
func TestAddToANamedFile(t *testing.T) {
	path := write(t, "examples_from: [more.jsonl]\n"+agent)
	more := filepath.Join(filepath.Dir(path), "more.jsonl")
	if err := os.WriteFile(more, []byte(`{"text": "stop my card", "intent": "freeze"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file, now, err := Add(path, "freeze", []config.Example{say("hold my card")})
	if err != nil || file != more {
		t.Fatalf("%s, %v", file, err)
	}
	if n := len(now.Intent("freeze").Examples); n != 5 {
		t.Errorf("%d examples", n)
	}
}
