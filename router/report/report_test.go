package report

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/routertest"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/tools"
)

// stall is a stall that sells items. Those are not redacted: the report hides them all the same.
const stall = `
version: 1
agent: {id: stall}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, prompt: "Which item?"}
  name: {type: text, prompt: "Your name?"}
intents:
  - id: price
    answer_only: true
    examples: [how much is it, tell me the price]
    plan: [{respond: ten}]
  - id: buy
    examples: [buy it, order it, get me one]
    params: {required: [item]}
    plan:
      - confirm: "Buy {item}?"
        denied: kept
      - {call: sell, with: {item: $item}}
      - respond: bought
  - id: find
    examples: [find it, search for it]
    params: {required: [item, name]}
    plan: [{call: look, with: {item: $item}}, {respond: found}]
  - id: out_of_scope
    examples: [blah blah, nonsense, what]
    answer_only: true
    plan: [{respond: pardon}]
session: {idle_ttl: 1h}
classifier: {fallback: out_of_scope}
tools: {sell: {kind: go, effect: write}, look: {kind: go, effect: read}}
responses: {ten: Ten., bought: "Bought {item}.", kept: Kept., found: Found., pardon: Pardon.}
redaction: {params: [name]}
`

var understands = routertest.Phrases{
	Words:     map[string]string{"buy": "buy", "price": "price", "find": "find", "yes": "affirm", "no": "deny", "stop": "cancel", "human": "human"},
	Otherwise: "out_of_scope", Confidence: 0.9, ItemSure: 1,
}

// said tells a classifier of fixed phrases what stops and what asks for a person.
type said struct{ routertest.Phrases }

func (s said) Classify(ctx context.Context, in classifier.Input) (classifier.Result, error) {
	res, err := s.Phrases.Classify(ctx, in)
	if res.Intent == "cancel" || res.Intent == "human" {
		res.Confidence, res.Exact = 1, true
	}
	return res, err
}

// play is a store with conversations on a clock of its own.
type play struct {
	t     *testing.T
	f     *routertest.Fixture
	store *inmem.Store
	now   time.Time
	fails string // code with which tools fail; "": they do not
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newPlay(t *testing.T) *play {
	t.Helper()
	p := &play{t: t, store: inmem.New(nil), now: noon}
	tool := func(context.Context, tools.Call) (any, error) {
		if p.fails != "" {
			return nil, &tools.Error{Code: tools.Code(p.fails)}
		}
		return map[string]any{"ok": true}, nil
	}
	p.f = routertest.NewOver(t, p.store, stall, said{understands}, routertest.Tools{"sell": tool, "look": tool}, &router.Options{Now: func() time.Time { return p.now }})
	return p
}

// say runs turns a minute apart. "+2h" lets time pass.
func (p *play) say(user, session string, texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.HasPrefix(text, "+") {
			d, err := time.ParseDuration(text[1:])
			if err != nil {
				p.t.Fatal(err)
			}
			p.now = p.now.Add(d)
			continue
		}
		p.now = p.now.Add(time.Minute)
		in := router.Interaction{ID: fmt.Sprint(user, session, p.now), Text: text, Context: router.Context{UserID: user, SessionID: session}}
		if _, err := p.f.Router.Handle(p.t.Context(), in); err != nil {
			p.t.Fatalf("%q: %v", text, err)
		}
	}
}

func (p *play) report(q Query) *Report {
	p.t.Helper()
	if q.Now.IsZero() {
		q.Now = p.now.Add(time.Second)
	}
	if q.Since.IsZero() {
		q.Since = noon
	}
	r, err := Collect(p.t.Context(), p.f.Store, p.f.Agent, Reading{Classifier: said{understands}}, q, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if sum := t.Done + t.Declined + t.Stopped + t.HandedOff + t.Failed + t.Abandoned + t.Open; sum != t.Begun {
			p.t.Errorf("the fates of %s add up to %d of %d", t.Intent, sum, t.Begun)
		}
	}
	return r
}

// fates describes the tasks of a report that are not zero.
func fates(r *Report) []string {
	out := []string{}
	for _, t := range r.Tasks {
		line := fmt.Sprintf("%s %d:", t.Intent, t.Begun)
		for _, f := range []struct {
			name string
			n    int
		}{
			{"done", t.Done},
			{"declined", t.Declined},
			{"stopped", t.Stopped},
			{"handed off", t.HandedOff},
			{"failed", t.Failed},
			{"abandoned", t.Abandoned},
			{"open", t.Open},
		} {
			if f.n > 0 {
				line += fmt.Sprintf(" %s %d", f.name, f.n)
			}
		}
		out = append(out, line)
	}
	return out
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

var update = flag.Bool("update", false, "write the expected report anew")

// Whole conversations, and the report of all of them.
func TestReport(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "done", "buy", "I-7", "I-8", "yes")
	p.say("ann", "left", "find", "I-7", "+2h")
	p.say("ben", "again", "buy", "blah", "blah", "I-4", "no")
	p.say("ben", "passing", "buy I-5", "price", "yes", "grok the I-77 thing", "grok that I-78 thing")
	p.say("cid", "stops", "buy", "stop")
	p.say("cid", "person", "buy I-6", "human")
	p.say("cid", "secret", "find I-6", "Zoe")
	p.fails = "unavailable"
	p.say("cid", "fails", "buy I-6", "yes")
	got, err := json.MarshalIndent(p.report(Query{}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "report.json")
	if *update {
		if err := os.WriteFile(file, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	same(t, strings.TrimSpace(string(want)), string(got))
	for _, value := range []string{"I-7", "I-8", "I-4", "I-5", "I-6", "77", "78", "Zoe"} {
		if strings.Contains(string(got), value) {
			t.Errorf("the report has the value %s", value)
		}
	}
}

// Each way in which a task can end is a fate of its own.
func TestFates(t *testing.T) {
	for _, c := range []struct {
		name string
		say  []string
		want []string
	}{
		{"done in one turn", []string{"price"}, []string{"price 1: done 1"}},
		{"done after a yes", []string{"buy I-1", "yes"}, []string{"buy 1: done 1"}},
		{"an answer in passing", []string{"buy", "price", "I-1", "yes"}, []string{"buy 1: done 1", "price 1: done 1"}},
		{"two of a kind", []string{"price", "price"}, []string{"price 2: done 2"}},
		{"declined", []string{"buy I-1", "no"}, []string{"buy 1: declined 1"}},
		{"declined, and taken up again", []string{"buy I-1", "no", "yes"}, []string{"buy 1: open 1"}},
		{"stopped", []string{"buy", "stop"}, []string{"buy 1: stopped 1"}},
		{"handed off", []string{"buy", "human"}, []string{"buy 1: handed off 1"}},
		{"open", []string{"buy", "+59m"}, []string{"buy 1: open 1"}},
		{"abandoned at the end", []string{"buy", "+61m"}, []string{"buy 1: abandoned 1"}},
		{"abandoned, and another day", []string{"buy", "+61m", "price"}, []string{"buy 1: abandoned 1", "price 1: done 1"}},
		{"done, and then silence", []string{"price", "+61m"}, []string{"price 1: done 1"}},
		{"not understood", []string{"blah"}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay(t)
			p.say("ann", "s", c.say...)
			same(t, c.want, fates(p.report(Query{})))
		})
	}
}

// A call that fails for good ends the task; its code is counted for the task and in all.
func TestFailures(t *testing.T) {
	p := newPlay(t)
	p.fails = "unavailable"
	p.say("ann", "s", "buy I-1", "yes")
	r := p.report(Query{})
	if len(r.Failures) == 0 || r.Failures[0].Tool != "sell" || r.Failures[0].Code != "unavailable" {
		t.Errorf("%+v", r.Failures)
	}
	same(t, r.Failures, r.Tasks[0].Failures)
}

// The range decides which tasks are counted; what became of them is seen from its end.
func TestRange(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "s", "buy I-1") // 12:01
	p.say("ann", "s", "price")   // 12:02
	p.say("ann", "s", "yes")     // 12:03
	minute := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }
	same(t, []string{"buy 1: done 1", "price 1: done 1"}, fates(p.report(Query{})))
	same(t, []string{"price 1: done 1"}, fates(p.report(Query{Since: minute(2)})))
	same(t, []string{"buy 1: open 1", "price 1: done 1"}, fates(p.report(Query{Until: minute(3)})))
	same(t, []string{}, fates(p.report(Query{Since: minute(3)})))
	r := p.report(Query{Since: minute(2), Until: minute(3)})
	if r.Turns != 1 || r.Sessions != 1 {
		t.Errorf("%+v", r)
	}
	if r = p.report(Query{Since: minute(5), Now: minute(9)}); r.Sessions != 0 || r.Turns != 0 {
		t.Errorf("%+v", r)
	}
}

// Undone turns never happened.
func TestUndone(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "s", "buy I-1", "no")
	if _, err := sessions.Undo(t.Context(), p.store, memory.Key{UserID: "ann", AgentID: "stall", SessionID: "s"}, p.now); err != nil {
		t.Fatal(err)
	}
	r := p.report(Query{})
	same(t, []string{"buy 1: open 1"}, fates(r))
	if r.Turns != 1 || r.Tasks[0].Confirmations.No != 0 {
		t.Errorf("%+v", r)
	}
	p.say("ann", "s", "yes", "yes") // the confirmation is asked again
	same(t, []string{"buy 1: done 1"}, fates(p.report(Query{})))
}

// A long session is not read from its beginning, and its early tasks do not count.
func TestLongSession(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "s", "buy")
	for range 450 {
		p.say("ann", "s", "price")
	}
	since := p.now.Add(-9 * time.Minute)
	counting := &counting{Store: p.f.Store}
	r, err := Collect(t.Context(), counting, p.f.Agent, Reading{}, Query{Since: since, Now: p.now.Add(time.Second)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []string{"price 10: done 10"}, fates(r))
	if counting.turns > 40 {
		t.Errorf("%d turns were read", counting.turns)
	}
}

// counting counts the turns that are read, and fails for the session "bad".
type counting struct {
	Store
	turns int
}

func (c *counting) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	if key.SessionID == "bad" {
		return nil, fmt.Errorf("turn 1: %w", memory.ErrCorrupt)
	}
	list, err := c.Store.Turns(ctx, key, page)
	c.turns += len(list)
	return list, err
}

// A session that cannot be read is named and left out whole.
func TestDamaged(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "bad", "price")
	p.say("ann", "good", "price")
	r, err := Collect(t.Context(), &counting{Store: p.f.Store}, p.f.Agent, Reading{}, Query{Since: noon, Now: p.now.Add(time.Hour)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, []Damaged{{"ann", "bad"}}, r.Damaged)
	if r.Sessions != 1 || r.DamagedAll != 1 {
		t.Errorf("%+v", r)
	}
}

// More sessions than are listed together are read, each once, and no more than asked for.
func TestManySessions(t *testing.T) {
	p := newPlay(t)
	const all = page + 120
	for i := range all {
		p.say([]string{"ann", "ben"}[i%2], fmt.Sprint("s", i), "price")
	}
	if r := p.report(Query{}); r.Sessions != all || r.More || r.Tasks[0].Done != all {
		t.Errorf("%d sessions, more: %v", r.Sessions, r.More)
	}
	if r := p.report(Query{UserID: "ann"}); r.Sessions != all/2 {
		t.Errorf("%d sessions of one user", r.Sessions)
	}
	if r := p.report(Query{Most: 7}); r.Sessions != 7 || !r.More {
		t.Errorf("%d sessions of 7", r.Sessions)
	}
}

// A store that fails fails the report.
func TestStoreFails(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "s", "price")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Collect(ctx, failing{p.f.Store}, p.f.Agent, Reading{}, Query{Since: noon, Now: p.now.Add(time.Hour)}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

type failing struct{ Store }

func (failing) Turns(ctx context.Context, _ memory.Key, _ memory.Page) ([]memory.Turn, error) {
	return nil, ctx.Err()
}

// A refused answer to the question for a redacted param may be a mistyped secret.
func TestWithhold(t *testing.T) {
	agent := routertest.Agent(t, stall)
	agent.Redaction.Params = []string{"item", "name"}
	x := newTexts(nil, agent, Reading{Classifier: said{understands}})
	for _, c := range []struct{ param, text, want string }{
		{"item", "it is I 77 or zed@zed.org", "it is I {item} or {item}"},
		{"item", "the green one", "the green one"},
		{"name", "Zoe", "{name}"},
		{"gone", "Zoe", "{gone}"},
	} {
		if got := x.withhold(c.param, c.text); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.param, c.text, got, c.want)
		}
	}
}

// An element more is no correction of a list, and neither is a value that a tool gave.
func TestExtends(t *testing.T) {
	for _, c := range []struct {
		old, value any
		want       bool
	}{
		{"a", "a", true},
		{"a", "b", false},
		{[]any{"a"}, []any{"a", "b"}, true},
		{[]any{"a", "b"}, []any{"a"}, false},
		{"a", []any{"a"}, false},
	} {
		if got := extends(c.old, c.value); got != c.want {
			t.Errorf("extends(%v, %v) = %v", c.old, c.value, got)
		}
	}
}

func TestMoment(t *testing.T) {
	for text, want := range map[string]time.Time{
		"7d": noon.AddDate(0, 0, -7), "12h": noon.Add(-12 * time.Hour), "2026-02-01": time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), "2026-02-01T10:00:00Z": time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := Moment(text, noon); err != nil || !got.Equal(want) {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "yesterday", "-7d", "7"} {
		if _, err := Moment(text, noon); !errors.Is(err, ErrMoment) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
