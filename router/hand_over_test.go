package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

func acts(id string, a router.Action, by, text string) router.Interaction {
	return router.Interaction{ID: id, Text: text, HandOver: &router.HandOver{Action: a, By: by}, Context: router.Context{SessionID: "s"}}
}

func (w *fixture) do(t *testing.T, in router.Interaction) router.Reply {
	t.Helper()
	reply, err := w.Handle(t.Context(), in)
	if err != nil {
		t.Fatalf("%s: %v", in.ID, err)
	}
	return reply
}

func (w *fixture) state(t *testing.T) (memory.State, *planner.State) {
	t.Helper()
	snap, err := w.Store.Load(t.Context(), oneSession, memory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planner.Load(snap.State.PlanExecution, snap.State.Params)
	if err != nil {
		t.Fatal(err)
	}
	return snap.State, plan
}

// What is said to a person changes nothing that the agent knows, and a yes to the person is no yes to
// the agent's question.
func TestAPersonHasTheConversation(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	_, before := w.state(t)
	take := w.do(t, acts("take", router.ActionTake, "Ann", ""))
	if take.Reply != "" || !take.Handoff || take.Action != router.ActionTake || take.Person.By != "Ann" {
		t.Errorf("take: %+v", take)
	}
	for i, said := range []string{"yes", "buy I-9", "yes, please"} {
		reply := w.say(t, fmt.Sprint("u", i), said)
		if reply.Reply != "" || !reply.Handoff || reply.Person.By != "Ann" || reply.Intent != "" || reply.Asked != nil || reply.Options != nil ||
			reply.Confirming == nil || *reply.Confirming != "buy" || len(reply.ToolCalls) > 0 {
			t.Errorf("%q to the person: %+v", said, reply)
		}
	}
	answer := w.do(t, acts("a", router.ActionAnswer, "Ann", "I'll look into it."))
	if answer.Reply != "I'll look into it." || answer.Person.By != "Ann" {
		t.Errorf("answer: %+v", answer)
	}
	_, during := w.state(t)
	if held := during.Held(); held == nil || held.By != "Ann" || held.Turn != 2 {
		t.Errorf("held by %+v", during.Held())
	}
	if diff := cmp.Diff(before.View(), during.View()); diff != "" {
		t.Errorf("the plan has changed (-before +during):\n%s", diff)
	}
	back := w.do(t, acts("back", router.ActionGiveBack, "Ann", ""))
	if !strings.HasSuffix(back.Reply, "Order I-7?") || back.Handoff || back.Person != nil {
		t.Errorf("give back: %+v", back)
	}
	if reply := w.say(t, "2", "yes"); !strings.HasSuffix(reply.Reply, "Order I-7?") || w.buys != 0 {
		t.Errorf("a yes that may have been meant for the person: %q, %d purchases", reply.Reply, w.buys)
	}
	if reply := w.say(t, "3", "yes"); reply.Reply != "Bought I-7." || w.buys != 1 {
		t.Errorf("a yes to the agent: %q, %d purchases", reply.Reply, w.buys)
	}
}

// Who says to have seen the question that was put again means that one.
func TestAYesToTheQuestionThatWasPutAgain(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	w.do(t, acts("take", router.ActionTake, "", ""))
	back := w.do(t, acts("back", router.ActionGiveBack, "", ""))
	yes := said("2", "yes")
	yes.AfterTurn = &back.Turn
	if reply := w.do(t, yes); reply.Reply != "Bought I-7." {
		t.Errorf("%q", reply.Reply)
	}
	late := said("3", "yes")
	late.AfterTurn = new(int64)
	if _, err := w.Handle(t.Context(), late); !errors.Is(err, router.ErrStaleTurn) {
		t.Errorf("a late yes: %v", err)
	}
	w.do(t, acts("again", router.ActionTake, "", ""))
	if reply := w.do(t, late); reply.Reply != "" || !reply.Handoff {
		t.Errorf("a late message to a person: %+v", reply)
	}
}

// The history says who said what, and each action happens once.
func TestTheHistoryNamesThePerson(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	for range 2 {
		w.do(t, acts("take", router.ActionTake, "Ann", ""))
		w.say(t, "2", "hello?")
		w.do(t, acts("a", router.ActionAnswer, "", "Hello, Ann here."))
		w.do(t, acts("back", router.ActionGiveBack, "", ""))
	}
	var told []string
	list, err := w.Store.Messages(t.Context(), oneSession, memory.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		m := &list[i]
		by, person := m.Person()
		told = append(told, fmt.Sprintf("%d %s %v%s: %s", m.Turn, m.Role, person, by, m.Text))
	}
	want := []string{
		"1 user false: buy I-7", "1 agent false: Order I-7?", "3 user false: hello?", "4 agent trueAnn: Hello, Ann here.",
		"5 agent false: Back to where we were: order. Order I-7?",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, e := range w.log.Events() {
		if line := fmt.Sprintf("%+v", e.Payload); strings.Contains(line, "Ann") {
			t.Errorf("telemetry names the person: %s", line)
		}
	}
}

func TestWhatAPersonMayNotDo(t *testing.T) {
	w := newFixture(t, true)
	long := strings.Repeat("x", router.MaxPersonName+1)
	for name, c := range map[string]struct {
		in   router.Interaction
		want error
	}{
		"take an unknown conversation":  {acts("1", router.ActionTake, "Ann", ""), memory.ErrNotFound},
		"give an unknown one back":      {acts("1", router.ActionGiveBack, "Ann", ""), memory.ErrNotFound},
		"do something else":             {acts("1", "leave", "Ann", ""), router.ErrBadInteraction},
		"answer with nothing":           {acts("1", router.ActionAnswer, "Ann", " \n"), router.ErrBadInteraction},
		"take with words":               {acts("1", router.ActionTake, "Ann", "hello"), router.ErrBadInteraction},
		"have a long name":              {acts("1", router.ActionTake, long, ""), router.ErrBadInteraction},
		"have a name over two lines":    {acts("1", router.ActionTake, "Ann\nuser", ""), router.ErrBadInteraction},
		"answer in too many characters": {acts("1", router.ActionAnswer, "", strings.Repeat("x", planner.MaxText+1)), router.ErrBadInteraction},
	} {
		if _, err := w.Handle(t.Context(), c.in); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	w.say(t, "1", "find I-1")
	refused := func(in router.Interaction, want error) {
		t.Helper()
		if _, err := w.Handle(t.Context(), in); !errors.Is(err, want) {
			t.Errorf("%s by %q: %v, want %v", in.HandOver.Action, in.HandOver.By, err, want)
		}
	}
	refused(acts("2", router.ActionAnswer, "Ann", "hello"), router.ErrNotTaken)
	refused(acts("2", router.ActionGiveBack, "Ann", ""), router.ErrNotTaken)
	refused(acts("1", router.ActionTake, "Ann", ""), router.ErrBadInteraction) // the id of a message of the user
	w.do(t, acts("2", router.ActionTake, "Ann", ""))
	w.do(t, acts("3", router.ActionTake, "Ann", "")) // again
	refused(acts("4", router.ActionTake, "Bob", ""), router.ErrTaken)
	refused(acts("4", router.ActionTake, "", ""), router.ErrTaken)
	refused(acts("4", router.ActionAnswer, "Bob", "hello"), router.ErrTaken)
	refused(acts("2", router.ActionAnswer, "Ann", "hello"), router.ErrBadInteraction) // the id of the take
	var taken *router.TakenError
	if _, err := w.Handle(t.Context(), acts("4", router.ActionTake, "Bob", "")); !errors.As(err, &taken) || taken.By != "Ann" || strings.Contains(err.Error(), "Ann") {
		t.Errorf("refused with %v of %+v", err, taken)
	}
	w.do(t, acts("5", router.ActionGiveBack, "Bob", "")) // Ann has gone home
	w.do(t, acts("6", router.ActionTake, "Bob", ""))
}

// The time with a person is no silence of the user; what had expired before stays expired.
func TestThePersonsTimeDoesNotCount(t *testing.T) {
	yaml := strings.Replace(fmt.Sprintf(agentYAML, true), "redaction:", "session: {idle_ttl: 1h, waiting_ttl: 30m}\nredaction:", 1)
	for name, c := range map[string]struct {
		silent time.Duration // before the person takes over
		want   string        // of the reply to the give back
	}{
		"soon":                 {time.Minute, "Back to where we were: order. Order I-7?"},
		"question expired":     {40 * time.Minute, "It's been a while, so my last question no longer stands. Order I-7?"},
		"conversation expired": {2 * time.Hour, "It's been a while, so my last question no longer stands."},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
			w := &fixture{log: &telemetry.Recorder{}, keys: map[string]bool{}}
			w.Fixture = routertest.New(t, yaml, understood, routertest.Tools{"find": find, "buy": w.buy}, &router.Options{Now: func() time.Time { return now }})
			w.say(t, "1", "buy I-7")
			now = now.Add(c.silent)
			w.do(t, acts("take", router.ActionTake, "Ann", ""))
			for i := range 3 {
				now = now.Add(5 * time.Hour)
				w.say(t, fmt.Sprint("u", i), "are you there?")
			}
			now = now.Add(5 * time.Hour)
			if back := w.do(t, acts("back", router.ActionGiveBack, "Ann", "")); back.Reply != c.want {
				t.Errorf("%q, want %q", back.Reply, c.want)
			}
		})
	}
}

// A call that a crash interrupted is not made while a person has the conversation, but before the agent
// goes on.
func TestAnInterruptedCallWaitsForTheGiveBack(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	w.Store.OnCommit(func(*memory.Delta) error { return memory.ErrUnavailable })
	if _, err := w.Handle(t.Context(), said("2", "yes")); err == nil || w.buys != 1 {
		t.Fatalf("%v, %d purchases", err, w.buys)
	}
	calls := len(w.keys)
	w.do(t, acts("take", router.ActionTake, "Ann", ""))
	w.say(t, "3", "did it work?")
	steps, err := w.Store.Steps(t.Context(), oneSession)
	if err != nil || len(steps) != 1 || steps[0].Status != memory.StepStarted || len(w.keys) != calls {
		t.Fatalf("%+v, %v", steps, err)
	}
	if back := w.do(t, acts("back", router.ActionGiveBack, "Ann", "")); !strings.HasSuffix(back.Reply, "Bought I-7.") || w.buys != 1 {
		t.Errorf("%q, %d purchases", back.Reply, w.buys)
	}
}

// Whatever was asked is asked again.
func TestEveryKindOfQuestionIsPutAgain(t *testing.T) {
	for name, c := range map[string]struct{ said, want string }{
		"a param":  {"buy", "Which item?"},
		"a repeat": {"find I-3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, true)
			w.say(t, "1", c.said)
			w.do(t, acts("take", router.ActionTake, "Ann", ""))
			back := w.do(t, acts("back", router.ActionGiveBack, "Ann", ""))
			if !strings.HasSuffix(back.Reply, c.want) || (c.want == "") != (back.Reply == "") {
				t.Errorf("%q, want %q", back.Reply, c.want)
			}
		})
	}
}

// Background work is asked for as after any turn, with the messages that there are.
func TestBackgroundWorkFollowsAPerson(t *testing.T) {
	tier := &watching{}
	nudges := 0
	w := &fixture{keys: map[string]bool{}}
	w.Fixture = routertest.New(t, fmt.Sprintf(agentYAML, true), understood, routertest.Tools{"find": find, "buy": w.buy}, &router.Options{
		Tiers: []memory.Tier{tier}, Nudge: func() { nudges++ },
	})
	w.say(t, "1", "buy I-7")
	w.do(t, acts("take", router.ActionTake, "Ann", ""))
	w.say(t, "2", "hello?")
	w.do(t, acts("a", router.ActionAnswer, "Ann", "Hello."))
	w.do(t, acts("back", router.ActionGiveBack, "Ann", ""))
	want := []string{"buy I-7|Order I-7?", "", "hello?", "Hello.", "Back to where we were: order. Order I-7?"}
	if diff := cmp.Diff(want, tier.seen); diff != "" || nudges != len(want) {
		t.Errorf("%d nudges (-want +got):\n%s", nudges, diff)
	}
	jobs, err := w.Store.Jobs(t.Context(), memory.JobQuery{})
	if err != nil || len(jobs) != 1 || jobs[0].Kind != "deliver" {
		t.Errorf("%+v, %v", jobs, err)
	}
}

// watching is a tier that wants a job after each turn.
type watching struct{ seen []string }

func (*watching) Name() string { return "watching" }

func (*watching) Contribute(context.Context, memory.Request, *memory.Context) error { return nil }

func (*watching) Kind() string { return "deliver" }

func (*watching) Work(context.Context, memory.Job) error { return nil }

func (w *watching) Wants(p memory.Progress) bool {
	var texts []string
	for _, m := range p.Messages {
		texts = append(texts, m.Text)
	}
	w.seen = append(w.seen, strings.Join(texts, "|"))
	return true
}
