package router_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

// A user who clears, undoes or copies a conversation has no say in who has it.
func TestOnlyAPersonGivesBack(t *testing.T) {
	copied := oneSession
	copied.SessionID = "copy"
	for name, c := range map[string]struct {
		do   func(context.Context, memory.Backend) error
		at   string // session that is spoken in
		held bool
	}{
		"clear": {func(ctx context.Context, s memory.Backend) error {
			_, err := sessions.Clear(ctx, s, oneSession, time.Now())
			return err
		}, "s", true},
		"undo the take": {func(ctx context.Context, s memory.Backend) error {
			_, err := sessions.Undo(ctx, s, oneSession, time.Now())
			return err
		}, "s", true},
		"fork": {func(ctx context.Context, s memory.Backend) error {
			return sessions.Fork(ctx, s, oneSession, copied, 0)
		}, "copy", false},
		"fork before": {func(ctx context.Context, s memory.Backend) error {
			return sessions.Fork(ctx, s, oneSession, copied, 1)
		}, "copy", false},
		"export and import": {func(ctx context.Context, s memory.Backend) error {
			var export bytes.Buffer
			if err := s.Export(ctx, oneSession, &export); err != nil {
				return err
			}
			if err := s.Delete(ctx, oneSession); err != nil {
				return err
			}
			_, err := sessions.Restore(ctx, s, &export)
			return err
		}, "s", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, true)
			w.say(t, "1", "buy I-7")
			w.do(t, acts("take", router.ActionTake, "Ann", ""))
			if err := c.do(t.Context(), w.Store); err != nil {
				t.Fatal(err)
			}
			reply := w.do(t, router.Interaction{ID: "2", Text: "find I-2", Context: router.Context{SessionID: c.at}})
			if held := reply.Person != nil; held != c.held || held != (reply.Reply == "") {
				t.Errorf("%+v", reply)
			}
		})
	}
}

// An undo after the give back does not bring the person back, and the question is put before a yes.
func TestAnUndoneGiveBack(t *testing.T) {
	w := newFixture(t, true)
	w.say(t, "1", "buy I-7")
	w.do(t, acts("take", router.ActionTake, "Ann", ""))
	w.do(t, acts("back", router.ActionGiveBack, "Ann", ""))
	if _, err := sessions.Undo(t.Context(), w.Store, oneSession, time.Now()); err != nil {
		t.Fatal(err)
	}
	if reply := w.say(t, "2", "yes"); !strings.HasSuffix(reply.Reply, "Order I-7?") || w.buys != 0 {
		t.Errorf("%q, %d purchases", reply.Reply, w.buys)
	}
}

// Nothing was said since the turn that the user has seen last, so that a message can still answer it.
func TestAHandOverWithoutAWord(t *testing.T) {
	w := newFixture(t, true)
	seen := w.say(t, "1", "find I-1").Turn
	w.do(t, acts("take", router.ActionTake, "Ann", ""))
	w.do(t, acts("back", router.ActionGiveBack, "Ann", ""))
	next := said("2", "find I-2")
	next.AfterTurn = &seen
	if reply := w.do(t, next); reply.Reply != "Found: I-2." {
		t.Errorf("%+v", reply)
	}
	next.ID = "3"
	if _, err := w.Handle(t.Context(), next); !errors.Is(err, router.ErrStaleTurn) {
		t.Errorf("once there was a reply: %v", err)
	}
	seen = 4
	w.do(t, acts("take2", router.ActionTake, "Ann", ""))
	w.do(t, acts("answer", router.ActionAnswer, "Ann", "Hello."))
	w.do(t, acts("back2", router.ActionGiveBack, "Ann", ""))
	if _, err := w.Handle(t.Context(), next); !errors.Is(err, router.ErrStaleTurn) {
		t.Errorf("once a person has answered: %v", err)
	}
}

// A person takes over in another process while a turn is under way. A turn that has made a write call tells
// of it all the same; any other becomes a message to the person.
func TestATakeDuringATurn(t *testing.T) {
	for name, c := range map[string]struct {
		said, want string
		buys       int
	}{
		"after a write":    {"yes", "Bought I-7.", 1},
		"without one":      {"find I-9", "", 0},
		"a new task, too":  {"buy I-9", "", 0},
		"a no to the call": {"no", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, true)
			w.say(t, "1", "buy I-7")
			other := routertest.NewOver(t, w.Store.Backend, fmt.Sprintf(agentYAML, true), understood, routertest.Tools{"find": find, "buy": w.buy}, nil)
			w.Store.OnCommit(func(*memory.Delta) error {
				_, err := other.Handle(t.Context(), acts("take", router.ActionTake, "Ann", ""))
				return err
			})
			reply := w.say(t, "2", c.said)
			if reply.Reply != c.want || (reply.Person == nil) != (c.want != "") || w.buys != c.buys {
				t.Errorf("%+v, %d purchases", reply, w.buys)
			}
			if _, plan := w.state(t); plan.Held() == nil || plan.Held().By != "Ann" {
				t.Errorf("held by %+v", plan.Held())
			}
			if steps, err := w.Store.Steps(t.Context(), oneSession); err != nil || len(steps) != c.buys || c.buys > 0 && steps[0].Status != memory.StepDone {
				t.Errorf("%+v, %v", steps, err)
			}
		})
	}
}
