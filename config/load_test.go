package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/source"
)

func TestDefaultAgentIsClean(t *testing.T) {
	problems := problemsOf("intents.yaml", DefaultSource(), "")
	if len(problems) > 0 {
		t.Fatalf("the default agent has problems:\n%v", problems)
	}
	a, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range a.Intents {
		if len(in.Examples) < 10 && in.ID != a.Classifier.Fallback {
			t.Errorf("%s has %d examples", in.ID, len(in.Examples))
		}
	}
	if _, err := a.ReadFile(a.Databases["shop"].Seed); err != nil {
		t.Error(err)
	}
	if a.Warnings != nil || a.Dir != "" {
		t.Errorf("warnings %v, dir %q", a.Warnings, a.Dir)
	}
}

func TestSystemFile(t *testing.T) {
	a, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, in := range a.System {
		ids = append(ids, in.ID)
		if n := len(in.Examples); n < 8 || n > 50 || in.Description == "" {
			t.Errorf("%s has %d examples, description %q", in.ID, n, in.Description)
		}
	}
	if diff := cmp.Diff(SystemIntents, ids); diff != "" {
		t.Errorf("system intents (-want +got):\n%s", diff)
	}
	for id, form := range systemResponses {
		names := form
		r := a.SystemResponse(id)
		if r == nil {
			t.Errorf("no response %s", id)
			continue
		}
		var used []string
		for _, v := range r.Variants {
			used = append(used, v.Names()...)
		}
		slices.Sort(used)
		used = slices.DeleteFunc(used, func(name string) bool { return slices.Contains(factNames, name) && !slices.Contains(names, name) })
		if used = slices.Compact(used); !slices.Equal(names, used) && id != "expired" {
			t.Errorf("%s uses %v, %v is filled", id, used, names)
		}
	}
	for id := range a.BuiltIn {
		if _, ok := systemResponses[id]; !ok {
			t.Errorf("response %s is not listed", id)
		}
	}
}

const deskAgent = `
agent: {id: desk, timezone: Europe/Berlin}
session: {idle_ttl: 0, waiting_ttl: 1d}
policy: {max_retries: 1, digression: ask}
types:
  ticket: {patterns: ['\bT-\d+\b'], bare: '\d+', normalize: ["prefix:T-"]}
  email: {patterns: ['\S+@desk\.example']}
params:
  ticket: {type: ticket, scope: session, prompt: "Which ticket?", policy: {max_retries: 3}}
  mail: {type: email, prompt: "Which address?", param_mapping: [{from: pattern}]}
intents:
  - id: close
    policy: {max_retries: 2, on_exhausted: cancel}
    max_depth: 1
    examples: ["close [T-1](ticket)", "shut [that one](ticket:T-2)", 'drop [it]{"entity": "ticket", "value": "T-3"} [now]', done]
    params:
      one_of: [[ticket], [mail, {name: code, type: integer, prompt: "The code?", digression: block}]]
      required: [{name: ticket, help: "It is in the mail."}]
    plan:
      - call: find
        with: {ticket: $ticket, flags: [a, $code]}
        save: found
        on_error:
          not_found: {respond: gone, forget: [ticket]}
          "*": {respond: gone}
      - when: found.open
        then:
          - confirm: "Close {ticket}?"
            denied: kept
          - {call: close, with: {ticket: $ticket}}
          - {id: log, call: close, with: {ticket: $found.parent}}
        else:
          - {respond: gone, end: true}
      - set: {last: $ticket}
      - confirm: Tell everybody?
      - {call: close, with: {ticket: $last}, when: last != nil}
      - respond: closed
      - respond: closed
system:
  human: {examples: [desk officer please], plan: [{handoff: desk}]}
databases: {desk: {driver: sqlite, dsn: desk.db}}
tools:
  find: {kind: static, result: {open: true, id: 00123}}
  close: {kind: sql, database: desk, query: "UPDATE t SET open = 0 WHERE id = :ticket", effect: write}
responses:
  closed: ["Closed {found.title}.", Done.]
  kept: Kept.
  gone: "There is no {ticket}."
  system.greet: Moin!
`

func mustParse(t *testing.T, source string) *Agent {
	t.Helper()
	a, err := Parse("desk.yaml", []byte(source), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAgentPolicies(t *testing.T) {
	a := mustParse(t, deskAgent)
	if a.ID != "desk" || a.Location.String() != "Europe/Berlin" || a.Session.IdleTTL != 0 || a.Session.WaitingTTL != 24*time.Hour || !a.Session.CarryParams {
		t.Errorf("header: %s %s %+v", a.ID, a.Location, a.Session)
	}
	in := a.Intent("close")
	got := fmt.Sprintln(a.Policy.MaxRetries, in.Policy.MaxRetries, in.Param("ticket").Policy.MaxRetries, in.Param("mail").Policy.MaxRetries,
		in.Policy.OnExhausted, in.Policy.MaxDepth, in.Policy.Digression, in.Param("code").Policy.Digression, in.Policy.Correction)
	if want := "1 2 3 2 cancel 1 ask block announce\n"; got != want {
		t.Errorf("policies %s, want %s", got, want)
	}
}

func TestClassifierPolicy(t *testing.T) {
	for source, want := range map[string]ClassifierPolicy{
		"":                             {Threshold: 0.55, Reject: 0.3, Ambiguity: 0.1, LLM: true},
		"classifier: {llm: true}\n":    {Threshold: 0.55, Reject: 0.3, Ambiguity: 0.1, LLM: true},
		"classifier: {llm: false}\n":   {Threshold: 0.55, Reject: 0.3, Ambiguity: 0.1},
		"classifier: {threshold: 1}\n": {Threshold: 1, Reject: 0.3, Ambiguity: 0.1, LLM: true},
	} {
		source += "version: 1\nintents: [{id: hi, examples: [hi there], plan: [{respond: hi}]}]\nresponses: {hi: Hi.}\n"
		if got := mustParse(t, source).Classifier; got != want {
			t.Errorf("%s: %+v, want %+v", source, got, want)
		}
	}
	for _, wrong := range []string{"1", "on", "never", "{}"} {
		if _, err := Parse("a.yaml", []byte("classifier: {llm: "+wrong+"}\nversion: 1\nintents: [{id: hi, examples: [hi there], plan: [{respond: hi}]}]\nresponses: {hi: Hi.}\n"), ""); err == nil {
			t.Errorf("classifier.llm: %s is accepted", wrong)
		}
	}
}

func TestAgentParams(t *testing.T) {
	a := mustParse(t, deskAgent)
	in := a.Intent("close")
	var names []string
	for _, p := range in.AllParams() {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"ticket", "mail", "code"}, names); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	p := in.Param("ticket")
	if p != in.OneOf[0][0] || p.Help.Render(nil) != "It is in the mail." || p.Prompt.Render(nil) != "Which ticket?" || p.Scope != ScopeSession {
		t.Errorf("merged ticket: %+v", p)
	}
	if a.Params["ticket"].Help != nil || a.Params["code"] == nil || a.Param("other", "ticket") != a.Params["ticket"] || a.Param("close", "ticket") != p {
		t.Error("Agent.Params and Param do not find the right declarations")
	}
	if mail := a.Types["email"]; mail.Builtin != "email" || len(mail.Patterns) != 1 || a.Types["text"] != nil || a.Types["integer"] == nil {
		t.Errorf("types: %v", a.Types)
	}
	if !a.Types["ticket"].Bare.MatchString("12") || a.Types["ticket"].Bare.MatchString("12 apples") {
		t.Error("bare is not anchored")
	}
}

func TestAgentExamples(t *testing.T) {
	in := mustParse(t, deskAgent).Intent("close")
	want := []Example{
		{Text: "close T-1", Spans: []Span{{"ticket", 6, 9, "T-1"}}},
		{Text: "shut that one", Spans: []Span{{"ticket", 5, 13, "T-2"}}},
		{Text: "drop it [now]", Spans: []Span{{"ticket", 5, 7, "T-3"}}},
		{Text: "done"},
	}
	for i := range in.Examples {
		in.Examples[i].Pos = source.Position{}
	}
	if diff := cmp.Diff(want, in.Examples); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

func TestAgentPlan(t *testing.T) {
	a := mustParse(t, deskAgent)
	in := a.Intent("close")
	byLine := map[string]*Step{}
	ids := map[string]bool{}
	Walk(in.Plan, func(s *Step) {
		byLine[string(s.Kind)+" "+s.Tool+s.Response+" "+strings.Join(s.Reads, ",")+" > "+strings.Join(s.Writes, ",")] = s
		ids[s.ID] = true
	})
	for _, want := range []string{
		"call find code,ticket > found", "when  found,ticket > ", "confirm  ticket > ", "call close found > ",
		"respond gone ticket > ", "set  ticket > last", "call close last > ", "respond closed found > ",
	} {
		if byLine[want] == nil {
			t.Errorf("no step %q in %v", want, byLine)
		}
	}
	first, second := in.Plan[1].Then[0], in.Plan[3]
	if diff := cmp.Diff([]string{in.Plan[1].Then[1].ID, "log"}, first.Covers); diff != "" {
		t.Errorf("first confirm covers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{in.Plan[4].ID}, second.Covers); diff != "" {
		t.Errorf("second confirm covers (-want +got):\n%s", diff)
	}
	if len(ids) != 11 || in.Plan[6].ID != in.Plan[5].ID+".2" {
		t.Errorf("ids %v", ids)
	}
	notFound, other := in.Plan[0].OnError["not_found"], in.Plan[0].OnError["*"]
	if notFound.End || !other.End || notFound.Forget[0] != "ticket" {
		t.Errorf("on_error %+v %+v", notFound, other)
	}
}

// TestStepIDsDoNotMove inserts a step in front: the ids behind it stay.
func TestStepIDsDoNotMove(t *testing.T) {
	before := mustParse(t, deskAgent).Intent("close").Plan
	changed := strings.Replace(deskAgent, "    plan:\n", "    plan:\n      - respond: kept\n", 1)
	after := mustParse(t, changed).Intent("close").Plan
	for i, s := range before {
		if after[i+1].ID != s.ID {
			t.Errorf("step %d: %s became %s", i, s.ID, after[i+1].ID)
		}
	}
}

func TestAgentSystem(t *testing.T) {
	a := mustParse(t, deskAgent)
	human := a.Intent("human")
	if human.Plan[0].Queue != "desk" || len(human.Examples) < 9 || human.Examples[len(human.Examples)-1].Text != "desk officer please" {
		t.Errorf("human: %d examples, plan %v", len(human.Examples), human.Plan)
	}
	german := strings.Replace(deskAgent, "{id: desk,", "{id: desk, language: sv,", 1)
	if got := mustParse(t, german).Intent("human").Examples; len(got) != 1 {
		t.Errorf("a Swedish agent keeps %d English examples", len(got))
	}
	if v, _ := expr.Lookup(a.Tools["find"].Value.(map[string]any), []string{"id"}); v != "00123" {
		t.Errorf("an id became %v", v)
	}
}

func TestHash(t *testing.T) {
	a := mustParse(t, deskAgent)
	if b := mustParse(t, "# a comment\n"+deskAgent); a.Hash != b.Hash || len(a.Hash) != 32 {
		t.Errorf("hash %q changes with a comment", a.Hash)
	}
	if b := mustParse(t, strings.Replace(deskAgent, "Kept.", "Kept!", 1)); a.Hash == b.Hash {
		t.Error("hash does not change with the content")
	}
}

func TestExamplesFrom(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"desk.yaml": "intents:\n  - id: close\n    examples_from: [a.jsonl, b.yml]\n    params: {optional: [{name: ticket, type: text}]}\n    plan: [{respond: ok}]\nresponses: {ok: OK}\n",
		"a.jsonl":   `{"text":"schließe T-1","slots":[{"name":"ticket","start":9,"end":12}]}` + "\n" + `{"text":"other","intent":"open"}` + "\n" + `{"text":"T-3","asked":"ticket"}` + "\n",
		"b.yml":     "nlu:\n- intent: close\n  examples: |\n    - close [T-2](ticket)\n    - shut it\n- intent: open\n  examples: |\n    - open it\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Load(filepath.Join(dir, "desk.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range a.Intent("close").Examples {
		got = append(got, fmt.Sprint(e.Text, e.Spans, e.Asked))
	}
	want := []string{"schließe T-1[{ticket 9 12 T-1}]", "T-3[]ticket", "close T-2[{ticket 6 9 T-2}]", "shut it[]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
	if a.ID != "desk" {
		t.Errorf("id %q is not the file's name", a.ID)
	}
}

// A file of the whole agent has examples of every kind of intent, and names each.
func TestExamplesOfAllIntents(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"desk.yaml": "intents:\n  - id: close\n    plan: [{respond: ok}]\nresponses: {ok: OK}\nexamples_from: [desk.jsonl]\n",
		"desk.jsonl": `{"text":"close it","intent":"close"}` + "\n" + `{"text":"shut it","intent":"close"}` + "\n" + `{"text":"that will do","intent":"thanks"}` + "\n" +
			`{"text":"sing a song","intent":"not_served.songs"}` + "\n" + `{"text":"sing it again","intent":"not_served.songs"}` + "\n",
	}
	load := func() (*Agent, error) {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return Load(filepath.Join(dir, "desk.yaml"))
	}
	a, err := load()
	if err != nil {
		t.Fatal(err)
	}
	thanks := a.Intent("thanks").Examples
	if close, songs := a.Intent("close"), a.Intent("not_served.songs"); len(close.Examples) != 2 || len(songs.Examples) != 2 || !songs.NotServed || thanks[len(thanks)-1].Text != "that will do" {
		t.Errorf("close %v, songs %v", close.Examples, songs.Examples)
	}
	files["desk.jsonl"] += `{"text":"open it","intent":"clsoe"}` + "\n"
	if _, err := load(); err == nil || !strings.Contains(err.Error(), `"clsoe"`) || !strings.Contains(err.Error(), "close") {
		t.Errorf("the error is %v", err)
	}
}

// TestAskedIsAParam refuses a reply to a question that the intent cannot ask.
func TestAskedIsAParam(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"desk.yaml": "intents:\n  - id: close\n    examples_from: [a.jsonl]\n    params: {optional: [{name: ticket, type: text}]}\n    plan: [{respond: ok}]\nresponses: {ok: OK}\n",
		"a.jsonl":   `{"text":"T-3","asked":"tickets"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Load(filepath.Join(dir, "desk.yaml"))
	if err == nil || !strings.Contains(err.Error(), `"tickets"`) || !strings.Contains(err.Error(), `did you mean "ticket"`) {
		t.Errorf("error %v, want one that names tickets and suggests ticket", err)
	}
}

func TestLoadRefusesLargeFiles(t *testing.T) {
	if _, err := Parse("x", make([]byte, maxAgentBytes+1), ""); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error %v", err)
	}
	if _, ps := Examine(filepath.Join(t.TempDir(), "none.yaml")); len(ps) != 1 || ps.Err() == nil {
		t.Errorf("problems %v", ps)
	}
}

// TestWideMap guards against work that grows with the square of a map's width.
func TestWideMap(t *testing.T) {
	var b strings.Builder
	b.WriteString("intents: [{id: a, plan: [{respond: r0}]}]\nresponses:\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "  r%d: x\n", i)
	}
	a := mustParse(t, b.String())
	if len(a.Responses) < 20000 {
		t.Errorf("%d responses", len(a.Responses))
	}
}
