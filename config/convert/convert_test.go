package convert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/convert"
)

func cafe() *convert.Bot {
	b := &convert.Bot{Name: "Café bot", Description: "Takes orders: coffee, tea"}
	at := convert.Place{File: "domain.yml", Line: 12}
	b.Types = []*convert.Type{
		{Name: "drink", Fuzzy: 1, Values: []convert.Value{{Value: "tea"}, {Value: "coffee", Synonyms: []string{"espresso", "yes: black"}}}},
		{Name: "code", Patterns: []string{`\b(C-\d{3})\b`}},
	}
	b.Params = []*convert.Param{
		{Name: "drink", Type: "drink", Prompts: []string{"What would you like?", "Tea or coffee?"}},
		{Name: "count", Type: "integer", Prompts: []string{"How many?"}, Default: 1, Open: []convert.Open{b.Report.Decide(at, "the number had no type")}},
	}
	b.Intents = []*convert.Intent{{
		ID: "order", Title: "order a drink", Required: []string{"drink"}, Optional: []string{"count"},
		Examples: []config.Example{{Text: "an espresso, please", Spans: []config.Span{{Param: "drink", Start: 3, End: 11, Value: "coffee"}}}, {Text: "no: I'd like something"}},
		Plan: []*convert.Step{
			{Confirm: "Order {count} {drink}?"},
			{Call: "place_order", With: []convert.Arg{{Name: "drink", Value: "$drink"}, {Name: "n", Value: 2}}, Save: "placed"},
			{When: `drink == "tea"`, Then: []*convert.Step{{Respond: "ordered"}}, Else: []*convert.Step{{Respond: "ordered", End: true}}},
		},
	}, {ID: "hours", AnswerOnly: true, Examples: []config.Example{{Text: "when do you open"}}, Plan: []*convert.Step{{Respond: "hours"}}}}
	b.System = []*convert.Builtin{{ID: "greet", Examples: []config.Example{{Text: "ahoy"}}}}
	b.Tools = []*convert.Tool{{Name: "place_order", Write: true, Result: map[string]any{"id": 7}}}
	b.Responses = []*convert.Response{{ID: "ordered", Texts: []string{"Done: {drink}.", "Here it comes."}}, {ID: "hours", Texts: []string{"From 8 to 5."}}}
	b.Tests = []*convert.Conversation{{
		Name:  "an order",
		Turns: []convert.Turn{{User: "an espresso, please", Intent: "order", Params: []convert.Arg{{Name: "drink", Value: "coffee"}}}, {User: "yes", Calls: []string{"place_order"}}},
	}}
	b.IdleTTL = "60m"
	b.NotServed = []*convert.Group{{Name: "vouchers", Examples: []string{"a gift card"}}}
	b.Types = append(b.Types, &convert.Type{Name: "size", Values: []convert.Value{{Value: "small"}, {Value: "big"}}})
	b.Params = append(b.Params,
		&convert.Param{Name: "size", Type: "size", Prompts: []string{"Which size?"}, Keep: true},
		&convert.Param{Name: "guest", Type: "person", Prompts: []string{"Who are you?"}})
	in := b.Intents[0]
	in.Optional = append(in.Optional, "size", "guest")
	in.Own = map[string][]string{"drink": {"What shall I bring?"}}
	in.Answers = []config.Example{{Text: "for Ann", Asked: "guest", Spans: []config.Span{{Param: "guest", Start: 4, End: 7}}}}
	return b
}

// What is written is a valid agent with everything in it.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := cafe().Write(dir); err != nil {
		t.Fatal(err)
	}
	agent, err := config.Load(filepath.Join(dir, convert.AgentFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := agent.Intents[0].Examples[0]; got.Text != "an espresso, please" || len(got.Spans) != 1 || got.Spans[0].Value != "coffee" {
		t.Errorf("the first example is %+v", got)
	}
	if last := agent.Intents[0].Examples[len(agent.Intents[0].Examples)-1]; last.Asked != "guest" || last.Text != "for Ann" {
		t.Errorf("the answer is %+v", last)
	}
	for name, golden := range map[string]string{convert.AgentFile: "testdata/agent.yaml", convert.TestsFile: "testdata/tests.yaml"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if err := cafe().Write(dir); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("written over an agent: %v", err)
	}
}

// A file of the source may have any name; its comment is one that YAML may have.
func TestHostileNames(t *testing.T) {
	b, dir := cafe(), filepath.Join(t.TempDir(), "new")
	b.Intents[0].Open = append(b.Intents[0].Open, b.Report.Decide(convert.Place{File: "a\x1b[31m\nid: x\x00.json"}, "say what it does"))
	if err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(filepath.Join(dir, convert.AgentFile)); err != nil {
		t.Error(err)
	}
}

// The report shows one line of a kind, what users notice first, and every line on request.
func TestReport(t *testing.T) {
	r := convert.Report{Counts: map[string]int{"intents": 3, "examples": 40, "tools": 1}}
	for line := range 3 {
		r.Add(convert.Place{File: "b.yml", Line: line + 1}, convert.Left, "the policy %d", line)
	}
	for range 2 { // said twice, noted once
		r.Add(convert.Place{File: "a.yml", Line: 9}, convert.Lost, "an answer\nof %s", "x\x1by")
	}
	r.Decide(convert.Place{File: "a.yml"}, "the tool may write")
	short := `carried over: 40 examples, 3 intents, 1 tool

lost: users notice it: 1
  a.yml:9: an answer of x y

to decide (also comments in the files): 1
  a.yml: the tool may write

left out: the agent has no use for it, or no place: 3
  b.yml:1: the policy 0
    and 2 more of this kind
`
	for every, want := range map[bool]string{false: short, true: strings.Replace(short, "    and 2 more of this kind\n", "  b.yml:2: the policy 1\n  b.yml:3: the policy 2\n", 1)} {
		var out strings.Builder
		if err := r.Print(&out, every); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("every line %v (-want +got):\n%s", every, diff)
		}
	}
}

// However much there is to say, the report is a screen.
func TestReportIsShort(t *testing.T) {
	var r convert.Report
	for i, outcome := range []convert.Outcome{convert.Unread, convert.Lost, convert.Decide, convert.Carried, convert.Left} {
		for kind := range 40 {
			r.Add(convert.Place{File: "a.yml", Line: i}, outcome, strings.Repeat("x", kind+1)+" %s", "y")
		}
	}
	var out strings.Builder
	if err := r.Print(&out, false); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines > 50 {
		t.Errorf("%d lines:\n%s", lines, out.String())
	}
}

func TestSpoken(t *testing.T) {
	for name, want := range map[string]string{"GetRide": "get ride", "ask_price": "ask price", "天气": "天气", "Größe-wählen": "größe wählen", "!": "!"} {
		if got := convert.Spoken(name); got != want {
			t.Errorf("Spoken(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"GetRide": "get_ride", "get-ride": "get_ride", "HTTPServer": "http_server", "Größe": "grosse", "Café au lait": "cafe_au_lait",
		"amount-of-money": "amount_of_money", "2fast": "x_2fast", "": "x", "日本": "x", "__a__b": "a_b", "ABC": "abc",
	} {
		if got := convert.Snake(name); got != want {
			t.Errorf("Snake(%q) = %q, want %q", name, got, want)
		}
	}
}
