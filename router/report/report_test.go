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

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

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
	const all = 1120
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

// kiosk has a task with a sub-task.
const kiosk = `
version: 1
agent: {id: stall}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, prompt: "Which item?"}
intents:
  - id: buy
    examples: [buy it, order it, get me one]
    params: {required: [item]}
    plan:
      - {run: pack, with: {item: $item}}
      - {call: sell, with: {item: $item}}
      - respond: bought
  - id: pack
    examples: [pack it, wrap it]
    params: {required: [item]}
    plan:
      - {confirm: "Pack {item}?", denied: kept}
      - {call: wrap, with: {item: $item}}
tools: {sell: {kind: go, effect: read}, wrap: {kind: go, effect: write}}
responses: {bought: "Bought {item}.", kept: Kept.}
`

// A sub-task is a part of the task that runs it: it is no task of its own, and its confirmation and its
// calls are those of its caller.
func TestSubtask(t *testing.T) {
	p := newPlayOf(t, kiosk)
	p.say("ann", "s", "buy", "I-1", "yes")
	r := p.report(Query{})
	same(t, []string{"buy 1: done 1"}, fates(r))
	same(t, Confirmations{Asked: 1, Yes: 1}, r.Tasks[0].Confirmations)
	if r.Tasks[0].Turns != 3 {
		t.Errorf("%d turns", r.Tasks[0].Turns)
	}
	p.say("ann", "t", "buy", "I-1", "+90m")
	same(t, []Place{{Waiting: "confirm", Step: waitsAt(p), Tool: "wrap", Count: 1}}, p.report(Query{}).Tasks[0].AbandonedAt)
}

// waitsAt returns the id of the step that the last session waits at.
func waitsAt(p *play) string {
	list, err := p.store.Turns(p.t.Context(), memory.Key{UserID: "ann", AgentID: "stall", SessionID: "t"}, memory.Page{Last: true, Limit: 1})
	if err != nil || len(list) == 0 {
		p.t.Fatal(err)
	}
	at, err := pointOf(&list[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return at.Question.Step
}

// A plan of a form that this program cannot read is a session that cannot be read.
func TestUnreadablePlan(t *testing.T) {
	p := newPlay(t)
	p.say("ann", "s", "buy")
	r, err := Collect(t.Context(), later{p.f.Store}, p.f.Agent, Reading{}, Query{Since: noon, Now: p.now.Add(time.Second)}, nil)
	if err != nil || r.DamagedAll != 1 || r.Sessions != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// later is a store that a later release has written.
type later struct{ Store }

func (l later) Turns(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Turn, error) {
	list, err := l.Store.Turns(ctx, key, page)
	for i := range list {
		list[i].Snapshot.State.PlanExecution = json.RawMessage(`{"v": 99}`)
	}
	return list, err
}
