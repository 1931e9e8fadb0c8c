package convert_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/labelled"
	"github.com/slotway/slotway/config/convert/rasa"
)

func TestExport(t *testing.T) {
	dir := t.TempDir()
	if err := cafe().Write(dir); err != nil {
		t.Fatal(err)
	}
	agent, err := config.Load(filepath.Join(dir, convert.AgentFile))
	if err != nil {
		t.Fatal(err)
	}
	var nlu, lines strings.Builder
	left, err := convert.RasaNLU(&nlu, agent)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"answers to questions of order: Rasa has them below an intent of their own",
		"type integer is built in: Rasa needs an extractor for it, such as Duckling",
		"type person is built in: Rasa needs an extractor for it, such as Duckling",
	}, left); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	want := `# Exported from Slotway.
version: "3.1"
nlu:
  - intent: order
    examples: |
      - an [espresso]{"entity": "drink", "value": "coffee"}, please
      - no: I'd like something
  - intent: hours
    examples: |
      - when do you open
  - intent: affirm
`
	end := `  - synonym: coffee
    examples: |
      - espresso
      - yes: black
  - lookup: drink
    examples: |
      - tea
      - coffee
  - lookup: size
    examples: |
      - small
      - big
`
	if got := nlu.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "- ahoy") || !strings.HasSuffix(got, end) {
		t.Errorf("nlu.yml:\n%s", got)
	}
	if err := convert.LabelledLines(&lines, agent); err != nil {
		t.Fatal(err)
	}
	wantLines := `{"text":"an espresso, please","intent":"order","slots":[{"name":"drink","value":"coffee","start":3,"end":11}]}
{"text":"no: I'd like something","intent":"order"}
{"text":"for Ann","intent":"order","asked":"guest","slots":[{"name":"guest","value":"Ann","start":4,"end":7}]}
{"text":"when do you open","intent":"hours"}
`
	if got := lines.String(); !strings.HasPrefix(got, wantLines) || !strings.Contains(got, `{"text":"ahoy","intent":"greet"}`) {
		t.Errorf("JSON lines:\n%s", got)
	}
}

// What is exported and imported again has the same examples with the same marks.
func TestRoundTrip(t *testing.T) {
	agent, err := config.Load("../intents.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		write func(io.Writer) error
		read  func(file string, data []byte) (*convert.Bot, error)
		asked bool // answers to questions are carried
	}{
		"again.jsonl": {
			func(out io.Writer) error { return convert.LabelledLines(out, agent) },
			func(file string, data []byte) (*convert.Bot, error) {
				return labelled.Read(file, data, labelled.Options{})
			}, true,
		},
		"nlu.yml": {
			func(out io.Writer) error { _, err := convert.RasaNLU(out, agent); return err },
			func(file string, _ []byte) (*convert.Bot, error) { return rasa.Read(file) }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var data bytes.Buffer
			if err := c.write(&data); err != nil {
				t.Fatal(err)
			}
			file, out := filepath.Join(dir, name), filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name)))
			if err := os.WriteFile(file, data.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			bot, err := c.read(file, data.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if lost := bot.Report.Of(convert.Lost); len(lost) > 0 {
				t.Errorf("lost: %v", lost)
			}
			if err := bot.Write(out); err != nil {
				t.Fatal(err)
			}
			again, err := config.Load(filepath.Join(out, convert.AgentFile))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(examplesOf(t, agent, c.asked), examplesOf(t, again, c.asked)); diff != "" {
				t.Errorf("examples (-want +got):\n%s", diff)
			}
		})
	}
}

// examplesOf returns the lines of an agent's examples, sorted.
func examplesOf(t *testing.T, agent *config.Agent, asked bool) (lines []string) {
	t.Helper()
	var out strings.Builder
	if err := convert.LabelledLines(&out, agent); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if asked || !strings.Contains(line, `"asked":`) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
