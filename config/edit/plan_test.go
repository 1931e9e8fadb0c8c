package edit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

// agent is a file written in every way that the format has. The marks #1 to #9 stand where a test
// expects its examples.
const agent = `# the agent of a bank
version: 1   # the format
agent: {id: bank}
types:
  card: {patterns: ["\\bC-\\d+\\b"], example: C-1}
params:
  card: {type: card, prompt: "Which card?"}
intents:
  - id: freeze   # in a hurry
    examples:
      - freeze my card
      - "block: my card"
      - >-
        lock the card
        please
      # more to come

    params: {optional: [card]}
    plan: [{respond: done}]
  - id: order
    examples: [order a card, "a new card, please", 'it''s broken'] # three
    plan: [{respond: done}]
  - id: limit
    examples: [
      raise my limit,   # up
      lower my limit,   # down
      change the limit
    ]
    plan: [{respond: done}]
  - id: file
    description: what
      is in the file
    examples_from: [more.jsonl]
    plan: [{respond: done}]
  - {id: short, examples: [be brief, short please, quick now], plan: [{respond: done}]}
responses: {done: Done.}
`

const more = `{"text": "send me the file", "slots": []}
{"text": "the file please", "slots": []}
{"text": "give me my file", "slots": []}
`

// write makes the agent's files in a folder.
func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range map[string]string{"bank.yaml": text, "more.jsonl": more} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "bank.yaml")
}

// added returns the lines of after that stand between those at its two ends that before has, too.
func added(before, after string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	return strings.Join(now, "\n")
}

var card = config.Example{Text: "freeze C-77 now", Spans: []config.Span{{Param: "card", Start: 7, End: 11, Value: "C-77"}}}

func say(text string) config.Example { return config.Example{Text: text} }

// What is added stands in its place, and nothing else changes.
func TestPlanAdds(t *testing.T) {
	cases := []struct {
		name, intent string
		examples     []config.Example
		want         string
	}{
		{"a list of lines", "freeze", []config.Example{card, say("stop: it")}, "      - \"freeze [C-77](card) now\"\n      - \"stop: it\""},
		{"a list in brackets with a comment", "limit", []config.Example{say("no limit")}, "      change the limit,\n      no limit"},
		{"a group that is new", "not_served.rates", []config.Example{say("what is the rate")}, "not_served:\n  - name: rates\n    examples:\n      - what is the rate\n"},
		{"quotes", "freeze", []config.Example{say(`say "yes", or not?`), say("on"), say("12")}, "      - \"say \\\"yes\\\", or not?\"\n      - \"on\"\n      - \"12\""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, agent)
			change, err := Plan(path, c.intent, c.examples)
			if err != nil {
				t.Fatal(err)
			}
			got := added(agent, string(change.After))
			if got != c.want {
				t.Errorf("added\n%s\nwant\n%s", got, c.want)
			}
			if text, err := os.ReadFile(path); err != nil || string(text) != agent {
				t.Errorf("a plan changed the file, or %v", err)
			}
			now, err := change.Write()
			if err != nil {
				t.Fatal(err)
			}
			has := texts(now.Intent(c.intent).Examples)
			if diff := cmp.Diff(texts(c.examples), has[len(has)-len(c.examples):]); diff != "" {
				t.Errorf("examples (-want +got)\n%s", diff)
			}
		})
	}
}

// A list in brackets on one line stays on it.
func TestPlanInBrackets(t *testing.T) {
	for intent, want := range map[string]string{
		"order": "    examples: [order a card, \"a new card, please\", 'it''s broken', one more] # three",
		"short": "  - {id: short, examples: [be brief, short please, quick now, one more], plan: [{respond: done}]}",
	} {
		change, err := Plan(write(t, agent), intent, []config.Example{say("one more")})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(change.After), want+"\n") || strings.Count(string(change.After), "\n") != strings.Count(agent, "\n") {
			t.Errorf("%s: %s", intent, added(agent, string(change.After)))
		}
	}
}

// Examples that come from a file are added to it.
func TestPlanExternal(t *testing.T) {
	path := write(t, agent)
	change, err := Plan(path, "file", []config.Example{say("fetch the file")})
	if err != nil {
		t.Fatal(err)
	}
	now, err := change.Write()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(change.File)
	if want := more + `{"text":"fetch the file","slots":[]}` + "\n"; err != nil || string(text) != want {
		t.Errorf("%v, the file is\n%s", err, text)
	}
	if n := len(now.Intent("file").Examples); n != 4 {
		t.Errorf("%d examples", n)
	}
}

// An external file that the agent cannot read is put back.
func TestWriteTakesBack(t *testing.T) {
	path := write(t, agent)
	bad := config.Example{Text: "file C-7", Spans: []config.Span{{Param: "card", Start: 5, End: 8}}} // the intent has no such param
	change, err := Plan(path, "file", []config.Example{bad})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := change.Write(); err == nil || !strings.Contains(err.Error(), "unknown param") {
		t.Errorf("the error is %v", err)
	}
	if text, _ := os.ReadFile(change.File); string(text) != more {
		t.Errorf("the file is now\n%s", text)
	}
}

func TestPlanRefuses(t *testing.T) {
	cases := []struct {
		name, old, changed, intent string
		example                    config.Example
		want                       string
	}{
		{"an unknown intent", "", "", "freze", say("x y"), `no intent "freze": did you mean "freeze"`},
		{"a param that the intent lacks", "", "", "order", card, "nothing is written"},
		{"brackets in the text", "", "", "order", say("see [this](link)"), "brackets"},
		{"an alias", "    examples: [order a card, \"a new card, please\", 'it''s broken'] # three", "    examples: &all [order a card, \"a new card, please\", 'it''s broken']", "order", say("x y"), "alias"},
		{"a broken file", "version: 1", "version: [", "order", say("x y"), "bank.yaml:"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, strings.Replace(agent, c.old, c.changed, 1))
			if _, err := Plan(path, c.intent, []config.Example{c.example}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

// Nobody's change is lost.
func TestWriteSeesAnotherChange(t *testing.T) {
	path := write(t, agent)
	change, err := Plan(path, "order", []config.Example{say("one more")})
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(agent, "in a hurry", "at leisure", 1)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := change.Write(); !errors.Is(err, ErrChanged) {
		t.Errorf("the error is %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != other {
		t.Errorf("the file is now\n%s", text)
	}
}

// The line ends of the file are kept, and a file without a last one gets it.
func TestLineEnds(t *testing.T) {
	windows := strings.ReplaceAll(agent, "\n", "\r\n")
	change, err := Plan(write(t, windows), "freeze", []config.Example{card})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(change.After); strings.Count(text, "\n") != strings.Count(text, "\r\n") || !strings.Contains(text, "(card) now\"\r\n") {
		t.Errorf("%q", added(windows, text))
	}
	change, err = Plan(write(t, strings.TrimSuffix(agent, "\n")), "not_served.rates", []config.Example{say("the rate")})
	if err != nil || !strings.Contains(string(change.After), "responses: {done: Done.}\n\nnot_served:\n") {
		t.Errorf("%v", err)
	}
}

// Rasa's files are extended in their own form.
func TestPlanRasa(t *testing.T) {
	path := write(t, strings.Replace(agent, "more.jsonl", "more.yml", 1))
	rasa := "version: \"3.1\"\nnlu:\n- intent: file\n  examples: |\n    - send me the file\n    - my file\n    - file now\n- intent: other\n  examples: |\n    - else\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "more.yml"), []byte(rasa), 0o600); err != nil {
		t.Fatal(err)
	}
	change, err := Plan(path, "file", []config.Example{say("fetch it")})
	if err != nil {
		t.Fatal(err)
	}
	if got := added(rasa, string(change.After)); got != "    - fetch it" {
		t.Errorf("added %q", got)
	}
	if now, err := change.Write(); err != nil || len(now.Intent("file").Examples) != 4 {
		t.Errorf("%v", err)
	}
}
