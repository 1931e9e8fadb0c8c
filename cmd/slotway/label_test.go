package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const bank = `# a bank, for one test
version: 1
agent: {id: bank}
types:
  card: {patterns: ["\\bC-\\d{4}\\b"], example: C-1000}
params:
  card: {type: card, prompt: "Which card?"}   # redacted
intents:
  - id: freeze_card
    examples:
      - freeze my card
      - block the card [C-1000](card)
      - i want to freeze a card
      - my card was stolen   # urgent
    params: {required: [card]}
    plan: [{respond: frozen}]
  - id: raise_limit
    examples: [raise my limit, i need a higher limit, can i spend more]
    plan: [{respond: raised}]
responses: {frozen: "Card {card} is frozen.", raised: Raised.}
redaction: {params: [card]}
`

// program runs commands on one agent and one folder.
type program struct {
	t    *testing.T
	dir  string
	file string
}

func newBank(t *testing.T) *program {
	t.Helper()
	p := &program{t: t, dir: t.TempDir()}
	p.file = filepath.Join(p.dir, "bank.yaml")
	if err := os.WriteFile(p.file, []byte(bank), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs a command and returns its output; the test fails unless it ends with the code want.
func (p *program) run(want int, input string, args ...string) string {
	p.t.Helper()
	var out, logs bytes.Buffer
	args = append(args, "--data", p.dir, "--agent", p.file, "--set", "classifier.encoder=off", "--set", "telemetry.log=none")
	if code := run(p.t.Context(), args, strings.NewReader(input), &out, &logs); code != want {
		p.t.Fatalf("%q: exit %d, want %d\n%s%s", args, code, want, out.String(), logs.String())
	}
	return out.String() + logs.String()
}

func (p *program) groups(args ...string) []groupLine {
	p.t.Helper()
	var out []groupLine
	decode := json.NewDecoder(strings.NewReader(p.run(0, "", append([]string{"label", "--json"}, args...)...)))
	for decode.More() {
		var g groupLine
		if err := decode.Decode(&g); err != nil {
			p.t.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}

// What was not understood becomes examples, with a sample in place of a redacted value, and is not
// offered again.
func TestLabel(t *testing.T) {
	p := newBank(t)
	for session, said := range map[string]string{"a": "zap the plastic thingy C-4321\n", "b": "please zap the plastic thingy C-8765 quickly\nfreeze my card\n", "c": "raise my limit\n"} {
		p.run(0, said, "chat", "--session", session)
	}
	listed := p.run(0, "", "label", "--json")
	if strings.Contains(listed, "4321") || strings.Contains(listed, "8765") {
		t.Errorf("a redacted value is listed:\n%s", listed)
	}
	groups := p.groups()
	if len(groups) != 1 || groups[0].Size != 2 || groups[0].Sessions != 2 || len(groups[0].Texts) != 2 {
		t.Fatalf("groups %+v", groups)
	}
	g := groups[0]
	if g.Candidates[0].Intent != "freeze_card" || g.Candidates[0].WentOn != 1 {
		t.Errorf("candidates %+v", g.Candidates)
	}
	decision, _ := json.Marshal(map[string]any{"group": g.Group, "intent": "freeze_card"})
	p.run(0, string(decision), "label", "--apply", "-")
	after, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bank+"\nexamples_from: [\"bank.examples.jsonl\"]\n", string(after)); diff != "" {
		t.Errorf("the agent (-want +got)\n%s", diff)
	}
	written, err := os.ReadFile(filepath.Join(p.dir, "bank.examples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`{"text":"please zap the plastic thingy C-1000 quickly","intent":"freeze_card","slots":[{"name":"card","start":30,"end":36}]}`,
		`{"text":"zap the plastic thingy C-1000","intent":"freeze_card","slots":[{"name":"card","start":23,"end":29}]}`,
	} {
		if !strings.Contains(string(written), line+"\n") {
			t.Errorf("%s is missing in\n%s", line, written)
		}
	}
	if again := p.groups(); len(again) != 0 {
		t.Errorf("offered again: %+v", again)
	}
	p.run(0, "", "check", p.file)
}

// A wrong decision changes nothing, and says what to do.
func TestLabelRefuses(t *testing.T) {
	p := newBank(t)
	p.run(0, "zap the plastic thingy\n", "chat", "--session", "a")
	id := p.groups()[0].Group
	for decision, want := range map[string]string{
		`{"group": "none", "intent": "freeze_card"}`:                                 "slotway label --json lists them",
		`{"group": "` + id + `", "intent": "freze_card"}`:                            `did you mean "freeze_card"?`,
		`{"group": "` + id + `"}`:                                                    "has no intent",
		`{"group": "` + id + `", "intent": "raise_limit", "texts": ["no such one"]}`: "has no text",
		`{"group": 7}`:             "decision 1",
		`{"groups": "` + id + `"}`: "unknown field",
	} {
		if got := p.run(1, decision, "label", "--apply", "-"); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", decision, got, want)
		}
	}
	if after, err := os.ReadFile(p.file); err != nil || string(after) != bank {
		t.Errorf("the file is now\n%s", after)
	}
	if got := p.run(0, `{"group": "`+id+`", "intent": "not_served.zapping"}`, "label", "--apply", "-"); !strings.Contains(got, "not_served.zapping: zap the plastic thingy") {
		t.Errorf("a new group: %q", got)
	}
}

// scripted is a screen on which answers are typed.
type scripted struct {
	bytes.Buffer
	answers []string
}

func (s *scripted) ReadLine() (string, error) {
	if len(s.answers) == 0 {
		return "q", nil
	}
	line := s.answers[0]
	s.answers = s.answers[1:]
	return line, nil
}

// On a terminal a person names the intent by its number or its name, or leaves the group out.
func TestLabelAsks(t *testing.T) {
	for _, c := range []struct {
		answers []string
		shown   []string
		added   bool
	}{
		{[]string{"freeze_crd", "fr"}, []string{`did you mean "freeze_card"?`, "freeze_card: zap the plastic thingy", "1 examples added"}, true},
		{[]string{"9", "?", "s"}, []string{"There is no intent of number 9", "leave these texts out", "0 examples added"}, false},
		{[]string{"x z", "x a", "q"}, []string{"There is no text z here", "No text would be left"}, false},
		{[]string{"n", "n zapping"}, []string{"Name the group", "not_served.zapping: zap"}, true},
	} {
		p := newBank(t)
		p.run(0, "zap the plastic thingy\n", "chat", "--session", "a")
		l := &labelFlags{flags: &flags{agent: p.file, data: p.dir, set: []string{"classifier.encoder=off"}}, recent: 10}
		cmd := newLabel(l.flags)
		cmd.SetContext(t.Context())
		cmd.SetErr(&bytes.Buffer{})
		s, err := l.settings()
		if err != nil {
			t.Fatal(err)
		}
		agent, err := l.loadAgent()
		if err != nil {
			t.Fatal(err)
		}
		reader, groups, err := l.groups(cmd, s, agent)
		if err != nil {
			t.Fatal(err)
		}
		screen := &scripted{answers: c.answers}
		if err := (&labeller{agentFile: p.file, agent: agent, reader: reader, screen: screen}).all(groups); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.shown {
			if !strings.Contains(screen.String(), want) {
				t.Errorf("%q: no %q in\n%s", c.answers, want, screen.String())
			}
		}
		if after, err := os.ReadFile(p.file); err != nil || (string(after) != bank) != c.added {
			t.Errorf("%q: the file is now\n%s", c.answers, after)
		}
	}
}

func TestCompleted(t *testing.T) {
	words := []string{"freeze_card", "freeze_account", "raise_limit"}
	for line, want := range map[string]string{"": "", "r": "raise_limit", "fr": "freeze_", "freeze_c": "freeze_card", "x": "x", "n ra": "n raise_limit"} {
		if got := completed(line, words); got != want {
			t.Errorf("completed(%q) = %q, want %q", line, got, want)
		}
	}
}
