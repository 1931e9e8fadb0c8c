package eval

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/source"
)

// TestEveryAgentReadsItsExamples holds each agent of the repository to what its examples
// mark.
func TestEveryAgentReadsItsExamples(t *testing.T) {
	if raceEnabled {
		t.Skip("trains all agents, one after the other; TestLintAnnotations trains one in the same way")
	}
	agents, spans := 0, 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		agent, _ := config.Examine(path)
		if agent == nil {
			return nil // another kind of file, or one that is wrong on purpose
		}
		agents++
		for _, in := range agent.Intents {
			for _, e := range in.Examples {
				spans += len(e.Spans)
			}
		}
		c, err := cascade.New(agent, nil)
		if err != nil {
			t.Fatal(path, err)
		}
		misses, err := annotations(t.Context(), agent, c)
		if err != nil {
			t.Fatal(path, err)
		}
		for _, m := range misses {
			t.Errorf("%s:%d: %s", path, m.Pos.Line, m.message())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if agents < 15 || spans < 100 {
		t.Errorf("saw %d agents and %d marked values: the walk is not looking at the tree", agents, spans)
	}
}

const unread = `version: 1
agent: {id: a}
types:
  town: {values: [Leeds, York]}
params:
  one: {type: town, prompt: "One?"}
  two: {type: town, prompt: "Two?"}
  what: {type: text, prompt: "What?"}
intents:
  - id: go
    description: go somewhere
    examples:
      - let us go
      - "go [York](one) way"
      - "we [love it](what) here"
      - "[my screen is black](what)"
      - "from [Leeds](one) to [York](two)"
    params: {required: [one, two, what]}
    plan:
      - respond: done
responses: {done: "Done."}
`

func TestLintAnnotations(t *testing.T) {
	agent, err := config.Parse("agent.yaml", []byte(unread), "")
	if err != nil {
		t.Fatal(err)
	}
	problems, err := LintAnnotations(t.Context(), agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		if p.Severity != source.SeverityWarning || p.Hint == "" {
			t.Errorf("no warning with a remedy: %+v", p)
		}
		p.Hint = ""
		got = append(got, p.String())
	}
	want := []string{
		`agent.yaml:14:9: warning: example "go York way": "York" would not be taken as "one", it fits "two" as well`,
		`agent.yaml:15:9: warning: example "we love it here": "love it" would not be taken as "what"`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
