package convert_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
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
