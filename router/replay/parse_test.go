package replay

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/tools"
)

const whole = `
conversation: everything at once
agent: ../agent.yaml
store: sqlite
session: s1
user: ana
start: 2026-03-01T10:00:00+01:00
telemetry: golden/a.jsonl
tools:
  get_order:
    - result: {status: shipped}
    - error: timeout
turns:
  - user: hello
  - user: 12345
    id: again
    after: 1h30m
    restart: true
    given: {intent: cancel_order, params: {order_id: O-1}, waiting_for_param: reason, confirming: cancel_order}
    expect: {asked: null, turn: 2}
---
conversation: short
turns: [{user: ""}]
`

func TestParse(t *testing.T) {
	got, err := Parse("dir/f.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := []Conversation{
		{
			Name: "everything at once", File: "dir/f.yaml", Line: 2, Agent: "../agent.yaml", Store: StoreSQLite,
			Session: "s1", User: "ana", Telemetry: "golden/a.jsonl",
			Start: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
			Tools: map[string][]tools.Outcome{"get_order": {{Result: map[string]any{"status": "shipped"}}, {Err: tools.Timeout}}},
			Turns: []Turn{
				{Line: 14, User: "hello", ID: "t1"},
				{
					Line: 15, User: "12345", ID: "again", After: 90 * time.Minute, Restart: true,
					Preset: &planner.Preset{
						Intent: "cancel_order", Params: map[string]any{"order_id": "O-1"}, Waiting: "reason",
						Confirming: true, ConfirmTool: "cancel_order",
					},
					Expect: []Expectation{{Key: "asked"}, {Key: "turn"}},
				},
			},
		},
		{
			Name: "short", File: "dir/f.yaml", Line: 22, Store: StoreInMemory, Session: "replay", User: "replay",
			Start: defaultStart, Turns: []Turn{{Line: 23, ID: "t1"}},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Expectation{})); diff != "" {
		t.Errorf("conversations (-want +got):\n%s", diff)
	}
	if p := got[0].AgentPath() + " " + got[0].TelemetryPath(); p != "agent.yaml dir/golden/a.jsonl" {
		t.Errorf("paths = %s", p)
	}
}

func TestParseProblems(t *testing.T) {
	const head = "conversation: x\n"
	for name, c := range map[string]struct{ source, want string }{
		"unknown key":    {head + "turn: []\nturns: [{user: a}]\n", `f:2:1: turn: unknown key "turn", did you mean "turns"?`},
		"unknown expect": {head + "turns:\n  - user: a\n    expect: {repply: b}\n", `f:4:14: turns[0].expect.repply: unknown key "repply", did you mean "reply"?`},
		"unknown given":  {head + "turns:\n  - user: a\n    given: {param: {}}\n", `did you mean "params"?`},
		"unknown turn":   {head + "turns:\n  - usr: a\n", `f:3:5: turns[0].usr: unknown key "usr", did you mean "user"?`},
		"kind":           {head + "turns: [{user: a, expect: {calls: find_orders}}]\n", "write calls: [find_orders]"},
		"options kind":   {head + "turns:\n  - user: a\n    expect: {options: Yes}\n", `f:4:23: turns[0].expect.options: is text; write options: [Yes, No], or [] for none`},
		"options list":   {head + "turns: [{user: a, expect: {options: [{title: a}]}}]\n", "write one text for each element"},
		"unheard key":    {head + "turns:\n  - user: a\n    expect: {unheard: [{text: b, tolled: true}]}\n", `f:4:34: turns[0].expect.unheard[0].tolled: unknown key "tolled", did you mean "told"?`},
		"unheard half":   {head + "turns: [{user: a, expect: {unheard: [{text: b}]}}]\n", "write {text: what was left over, told: true}"},
		"rule":           {head + "turns: [{user: a, expect: {rule: [a]}}]\n", "write the name of a rule"},
		"expression":     {head + "turns: [{user: a, expect: {reply_matches: 'a('}}]\n", "is no regular expression"},
		"code":           {head + "tools: {t: [{error: time_out}]}\nturns: [{user: a}]\n", `"time_out" is not known; write not_found, `},
		"both":           {head + "tools: {t: [{error: timeout, result: 1}]}\nturns: [{user: a}]\n", "a result or an error"},
		"store":          {head + "store: mysql\nturns: [{user: a}]\n", `f:2:8: store: "mysql" is not known; write inmem or sqlite`},
		"restart":        {head + "turns: [{user: a, restart: true}]\n", "write store: sqlite"},
		"agent":          {head + "turns: [{user: a, agent: b.yaml}]\n", "write restart: true too"},
		"after":          {head + "turns: [{user: a, after: -1s}]\n", "write it as 90s"},
		"start":          {head + "start: today\nturns: [{user: a}]\n", "write it as 2026-01-05T09:00:00Z"},
		"session":        {head + "session: \"a\\nb\"\nturns: [{user: a}]\n", "is no id"},
		"no turns":       {head, "turns must be a list of at least one"},
		"no name":        {"turns: [{user: a}]\n", "conversation is missing"},
		"empty":          {"", "there is no conversation"},
		"list":           {"- a\n", "is a list, not a map"},
		"syntax":         {head + "turns: [\n", "not valid YAML"},
		"given null":     {head + "turns: [{user: a, given: {params: {b: ~}}}]\n", "needs a value"},
		"exact alone":    {head + "turns: [{user: a, expect: {params_exact: true}}]\n", "no params to compare"},
		"second":         {head + "turns: [{user: a}]\n---\nconversation: y\nturnz: []\n", "f:5:1: turnz:"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("f", []byte(c.source))
			var problems source.Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("conversation: a\nturns: [{user: b, expect: {calls: [c], reply_matches: [d]}}]"))
	f.Add([]byte("turns: {}\n---\n- 1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Parse("f", data)
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%d conversations beside error %v", len(all), err)
		}
		for _, c := range all {
			if c.Name == "" || len(c.Turns) == 0 {
				t.Errorf("accepted %+v", c)
			}
		}
	})
}
