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
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

func TestTheSameInteractionRunsOnce(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	first := w.say(t, "2", "yes")
	again := w.say(t, "2", "yes")
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("second reply to the same id (-first +second):\n%s", diff)
	}
	if w.buys != 1 {
		t.Errorf("%d purchases, want 1", w.buys)
	}
	if next := w.say(t, "3", "find I-8"); next.Turn != 3 {
		t.Errorf("next turn is %d, want 3: a repeated message is no turn", next.Turn)
	}
}

// Another process commits while the tool runs: the turn is run again from what is there
// now, and the purchase is not made a second time.
func TestAConflictReRunsTheTurnAndNotTheWrite(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		t.Run(fmt.Sprintf("idempotent %v", idempotent), func(t *testing.T) {
			w := newFixture(t, idempotent)
			w.say(t, "1", "buy I-7")
			w.Store.OnCommit(func(*memory.Delta) error { return memory.ErrConflict })
			if reply := w.say(t, "2", "yes"); reply.Reply != "Bought I-7." {
				t.Errorf("reply %q, want %q", reply.Reply, "Bought I-7.")
			}
			if w.buys != 1 {
				t.Errorf("%d purchases, want 1", w.buys)
			}
		})
	}
}

var errPowerCut = errors.New("power cut")

// The process dies after the call and before the commit: the outcome is lost, the journal
// row is not.
func TestACrashAfterAWriteIsSettled(t *testing.T) {
	crash := func(t *testing.T, idempotent bool) *fixture {
		w := newFixture(t, idempotent)
		w.say(t, "1", "buy I-7")
		w.Store.OnCommit(func(*memory.Delta) error { return errPowerCut })
		in := router.Interaction{ID: "2", Text: "yes", Context: router.Context{SessionID: "s"}}
		if _, err := w.Handle(t.Context(), in); !errors.Is(err, errPowerCut) {
			t.Fatalf("Handle = %v, want the power cut", err)
		}
		return w
	}
	t.Run("an idempotent tool is asked again with the same key", func(t *testing.T) {
		w := crash(t, true)
		if reply := w.say(t, "2", "yes"); reply.Reply != "Bought I-7." {
			t.Errorf("reply %q", reply.Reply)
		}
		if w.buys != 1 {
			t.Errorf("%d purchases, want 1", w.buys)
		}
	})
	t.Run("any other call is told to be unknown and never repeated", func(t *testing.T) {
		w := crash(t, false)
		reply := w.say(t, "2", "yes")
		if !strings.Contains(reply.Reply, "couldn't confirm") || reply.ToolCalls[0].Status != "unknown" {
			t.Errorf("reply %q, calls %+v", reply.Reply, reply.ToolCalls)
		}
		w.say(t, "3", "yes")
		w.say(t, "4", "try again")
		if w.buys != 1 {
			t.Errorf("%d purchases, want the one before the crash", w.buys)
		}
	})
	t.Run("nor is one of a store that was put back since", func(t *testing.T) {
		w := crash(t, true)
		now := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
		back := routertest.NewOver(t, w.Store, fmt.Sprintf(agentYAML, true), understood, routertest.Tools{"find": find, "buy": w.buy}, &router.Options{
			Now: func() time.Time { return now }, Digests: memory.NewDigests([]byte("key")), Restored: now,
		})
		w.keys = map[string]bool{} // the tool has forgotten them
		reply, err := back.Handle(t.Context(), router.Interaction{ID: "2", Text: "yes", Context: router.Context{SessionID: "s"}})
		if err != nil || !strings.Contains(reply.Reply, "couldn't confirm") || w.buys != 1 {
			t.Errorf("%d purchases, reply %q, %v", w.buys, reply.Reply, err)
		}
	})
	t.Run("whatever is said next", func(t *testing.T) {
		w := crash(t, false)
		if reply := w.say(t, "3", "find I-8"); !strings.Contains(reply.Reply, "couldn't confirm") || !strings.Contains(reply.Reply, "Found: I-8.") {
			t.Errorf("reply %q, want the unknown outcome and the answer", reply.Reply)
		}
	})
}

// A failure that certainly had no effect leaves the plan as it is: "yes" tries again.
func TestAWriteThatFailedForCertainCanBeTriedAgain(t *testing.T) {
	w := newFixture(t, false)
	w.say(t, "1", "buy I-7")
	w.fail = &tools.Error{Code: tools.Conflict, Tool: "buy"}
	if reply := w.say(t, "2", "yes"); reply.Error == nil || *reply.Error != "conflict" {
		t.Errorf("reply %+v, want error conflict", reply)
	}
	if reply := w.say(t, "3", "yes"); reply.Reply != "Bought I-7." {
		t.Errorf("reply %q, want the purchase", reply.Reply)
	}
	if w.buys != 1 {
		t.Errorf("%d purchases, want 1", w.buys)
	}
}

// What leaves for a model server has names in the place of redacted values; its answer
// has the values again. When it fails, the step's else is said.
func TestAModelServerSeesNoRedactedValue(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "find I-4711")
	if got, want := w.say(t, "2", "talk").Reply, "You said: Talk about I-4711."; got != want {
		t.Errorf("reply %q, want %q", got, want)
	}
	if sent := w.model.seen.String(); strings.Contains(sent, "4711") || !strings.Contains(sent, "<item:1>") {
		t.Errorf("sent to the model: %q", sent)
	}
	w.model.fail = errors.New("the server is down")
	if got := w.say(t, "3", "talk").Reply; got != "I have nothing to say." {
		t.Errorf("reply without a model: %q", got)
	}
}

func TestAPanicIsAnErrorWithoutItsText(t *testing.T) {
	w := newFixture(t, true)
	_, err := w.Handle(t.Context(), router.Interaction{Text: "panic", Context: router.Context{SessionID: "s"}})
	if !errors.Is(err, router.ErrPanic) || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "fixture_test.go") {
		t.Errorf("Handle = %v, want ErrPanic with the place and without the text", err)
	}
	if reply := w.say(t, "2", "find I-1"); reply.Reply != "Found: I-1." || reply.Turn != 1 {
		t.Errorf("the turn after a panic: %+v", reply)
	}
}

func TestACancelledTurnLeavesTheSessionAsItWas(t *testing.T) {
	w := newFixture(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Handle(ctx, router.Interaction{ID: "1", Text: "find I-1", Context: router.Context{SessionID: "s"}}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Handle = %v, want context.Canceled", err)
	}
	if reply := w.say(t, "1", "find I-1"); reply.Turn != 1 || reply.Reply != "Found: I-1." {
		t.Errorf("the same message again: %+v", reply)
	}
}

func TestAPlanIsBounded(t *testing.T) {
	w := newFixture(t, true)
	reply := w.say(t, "1", "count")
	if reply.Error == nil || *reply.Error != "max_steps" || len(reply.ToolCalls) != 4 {
		t.Errorf("reply %+v, want error max_steps after 4 steps", reply)
	}
}

func TestAnInteractionThatNamesNoSession(t *testing.T) {
	w := newFixture(t, true)
	for name, in := range map[string]router.Interaction{
		"control character": {Text: "hi", Context: router.Context{SessionID: "a\x00b"}},
		"of the program":    {Text: "hi", Context: router.Context{SessionID: "s", UserID: "$knowledge"}},
		"too long":          {Text: "hi", Context: router.Context{SessionID: strings.Repeat("x", 500)}},
		"not UTF-8":         {Text: "\xff", Context: router.Context{SessionID: "s"}},
		"id too long":       {ID: strings.Repeat("x", 500), Text: "hi", Context: router.Context{SessionID: "s"}},
	} {
		if _, err := w.Handle(t.Context(), in); !errors.Is(err, router.ErrBadInteraction) {
			t.Errorf("%s: %v, want ErrBadInteraction", name, err)
		}
	}
	reply, err := w.Handle(t.Context(), router.Interaction{ID: "only-an-id", Text: "find I-1"})
	if err != nil || reply.SessionID != "only-an-id" {
		t.Errorf("without a session id: %+v, %v; want the interaction's id", reply, err)
	}
}

// Two users with the same session id have nothing in common.
func TestUsersAreApart(t *testing.T) {
	w := newFixture(t, true)
	say := func(user, text string) router.Reply {
		reply, err := w.Handle(t.Context(), router.Interaction{Text: text, Context: router.Context{SessionID: "s", UserID: user}})
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	say("ann", "find I-1")
	if reply := say("bob", "find"); reply.Reply != "Which item?" || len(reply.Params) != 0 {
		t.Errorf("bob sees %+v", reply)
	}
}
