package convert_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// exports are the formats of exports, each with its reader.
var exports = []struct {
	file  string
	write func(io.Writer, *config.Agent) error
	read  func(file string, data []byte) (*convert.Bot, error)
	asked bool // answers to questions are carried
}{
	{
		"again.jsonl", convert.LabelledLines,
		func(file string, data []byte) (*convert.Bot, error) {
			return labelled.Read(file, data, labelled.Options{})
		}, true,
	},
	{
		"nlu.yml", func(out io.Writer, agent *config.Agent) error { _, err := convert.RasaNLU(out, agent); return err },
		func(file string, _ []byte) (*convert.Bot, error) { return rasa.Read(file) }, false,
	},
}

// comesBack holds that an agent which is exported and imported again has the same examples with the same marks, and in
// Rasa's form the same tables of values.
func comesBack(t rapid.TB, agent *config.Agent, dir string) {
	t.Helper()
	for _, format := range exports {
		var data, second bytes.Buffer
		if err := format.write(&data, agent); err != nil {
			t.Fatal(err)
		}
		file, out := filepath.Join(dir, format.file), filepath.Join(dir, format.file+".agent")
		if err := os.WriteFile(file, data.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		bot, err := format.read(file, data.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if lost := bot.Report.Of(convert.Lost); len(lost) > 0 {
			t.Errorf("%s: lost: %v", format.file, lost)
		}
		if err := bot.Write(out); err != nil {
			t.Fatal(err)
		}
		again, err := config.Load(filepath.Join(out, convert.AgentFile))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(examplesOf(t, agent, format.asked), examplesOf(t, again, format.asked)); diff != "" {
			t.Errorf("%s: examples (-want +got):\n%s", format.file, diff)
		}
		if err := format.write(&second, again); err != nil {
			t.Fatal(err)
		}
		has := tablesOf(second.String())
		for _, line := range tablesOf(data.String()) { // what an example marks is another spelling, too
			if !slices.Contains(has, line) {
				t.Errorf("%s: no %q in the tables", format.file, line)
			}
		}
	}
}

// tablesOf returns the lines of the synonyms, lookup tables and patterns of Rasa's training data, each with its table.
func tablesOf(text string) (all []string) {
	for _, part := range strings.Split(text, "\n  - ")[1:] {
		name, list, _ := strings.Cut(part, "\n")
		for line := range strings.Lines(list) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(name, "intent: ") {
				all = append(all, name+" "+line)
			}
		}
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	agent, err := config.Load("../intents.yaml")
	if err != nil {
		t.Fatal(err)
	}
	comesBack(t, agent, t.TempDir())
}

// Any agent comes back, whatever its sentences have in them.
func TestAnyRoundTrip(t *testing.T) {
	dir, count := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		at := filepath.Join(dir, fmt.Sprint(count))
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		text := anyAgent(t)
		agent, err := config.Parse("agent.yaml", []byte(text), "")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		comesBack(t, agent, at)
	})
}

// anyAgent generates the text of an agent: what people say with marks, values with other spellings, patterns, groups
// that are not served and sentences of built-in intents.
func anyAgent(t *rapid.T) string {
	count := 0
	words := func() string {
		count++
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"tea", "Über", "天气", "#1", "[note]", "- no:", `say "go"`, "it's", "{x}", "a/b", "50%", "🙂", "* star", "\\d"}), 1, 3).Draw(t, "words")
		return fmt.Sprintf("%d %s", count, strings.Join(list, " "))
	}
	examples := func() string {
		list := []string{fmt.Sprintf("%q", words())}
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			list = append(list, fmt.Sprintf("%q", words()+rapid.SampledFrom([]string{" ", " of [large](size:big) ", " [big](size) and [small](size) ", " code [AB12](code), ", " for [Ann Ö](guest)"}).Draw(t, "mark")+words()))
		}
		return strings.Join(list, ", ")
	}
	var b strings.Builder
	b.WriteString(`version: 1
agent: {id: a}
types:
  size: {values: [{value: big, synonyms: [large, "über groß"]}, small]}
  code: {patterns: ["[A-Z]{2}[0-9]{2}"]}
params: {size: {type: size}, code: {type: code}, guest: {type: text}}
responses: {said: Said.}
intents:
`)
	for _, id := range []string{"order", "faq/opening_hours", "faq/fees", "look_up"}[:1+rapid.IntRange(0, 3).Draw(t, "intents")] {
		all := examples()
		if id == "order" { // each param has a mark: what no sentence names is no training data
			all += `, "a [small](size) one", "take [CD34](code)", "it is for [Bo](guest)"`
		}
		fmt.Fprintf(&b, "  - {id: %s, examples: [%s], params: {optional: [size, code, guest]}, plan: [{respond: said}]}\n", id, all)
	}
	fmt.Fprintf(&b, "not_served: [{name: music, examples: [%q, %q]}]\nsystem: {greet: {examples: [%q]}}\n", words(), words(), words())
	return b.String()
}

// examplesOf returns the lines of an agent's examples, sorted.
func examplesOf(t rapid.TB, agent *config.Agent, asked bool) (lines []string) {
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
