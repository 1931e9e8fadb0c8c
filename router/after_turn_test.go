package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

var oneSession = memory.Key{UserID: "local", AgentID: "test", SessionID: "s"}

// answering is a message of somebody who has seen the reply of a turn.
func answering(turn int64, id, text string) router.Interaction {
	in := said(id, text)
	in.AfterTurn = &turn
	return in
}

// movedTo is the turn that an error names as the session's newest.
func movedTo(t interface {
	Helper()
	Fatalf(string, ...any)
}, err error,
) int64 {
	t.Helper()
	var moved *router.StaleTurnError
	if !errors.As(err, &moved) || !errors.Is(err, router.ErrStaleTurn) {
		t.Fatalf("error %v, want a *router.MovedOnError", err)
	}
	return moved.Newest
}

// A yes to the question of an old screen is not one to the question that is asked now.
func TestALateYes(t *testing.T) {
	w := newFixture(t, false)
	w.say(t, "1", "buy I-7")
	if reply := w.say(t, "2", "buy I-8"); !strings.HasSuffix(reply.Reply, "Order I-8?") {
		t.Fatalf("the second question: %q", reply.Reply)
	}
	_, err := w.Handle(t.Context(), answering(1, "3", "yes"))
	if at := movedTo(t, err); at != 2 || w.buys != 0 {
		t.Errorf("the late yes: stands after turn %d, %d purchases", at, w.buys)
	}
	last := w.log.Events()[len(w.log.Events())-1]
	if f, ok := last.Payload.(telemetry.Failure); !ok || f.Code != "moved_on" || last.Level != telemetry.LevelWarn {
		t.Errorf("telemetry tells of it by %+v", last)
	}
	bought, err := w.Handle(t.Context(), answering(2, "3", "yes"))
	if err != nil || bought.Reply != "Bought I-8." || bought.Turn != 3 || w.buys != 1 {
		t.Errorf("the same message, once the question was seen: %+v, %v", bought, err)
	}
	again, err := w.Handle(t.Context(), answering(2, "3", "yes"))
	if diff := cmp.Diff(bought, again); diff != "" || err != nil || w.buys != 1 {
		t.Errorf("sent again, it gets its reply whatever came since: %v, %d purchases\n%s", err, w.buys, diff)
	}
}

// What a message may answer to, by what was done to the session since "buy I-7" (turn 1) and
// "buy I-8" (turn 2).
func TestWhereASessionStands(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(context.Context, memory.Backend) error
		stands int64
		says   string // the reply to a yes from there; "": whatever
	}{
		{"as it was", func(context.Context, memory.Backend) error { return nil }, 2, "Bought I-8."},
		{"a turn taken back", func(ctx context.Context, s memory.Backend) error {
			_, err := sessions.Undo(ctx, s, oneSession, time.Now())
			return err
		}, 1, "Order I-7?"}, // asked again
		{"cleared", func(ctx context.Context, s memory.Backend) error {
			_, err := sessions.Clear(ctx, s, oneSession, time.Now())
			return err
		}, 0, ""},
		{"erased", func(ctx context.Context, s memory.Backend) error { return s.Delete(ctx, oneSession) }, 0, ""},
		{"of a release that did not note its turn", func(ctx context.Context, s memory.Backend) error {
			return rewrite(ctx, s, func(plan map[string]any) { delete(plan, "turn") })
		}, 2, "Bought I-8."},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newFixture(t, false)
			w.say(t, "1", "buy I-7")
			w.say(t, "2", "buy I-8")
			if err := c.do(t.Context(), w.Store); err != nil {
				t.Fatal(err)
			}
			for turn := range int64(5) {
				if turn == c.stands {
					continue
				}
				_, err := w.Handle(t.Context(), answering(turn, "late", "yes"))
				if at := movedTo(t, err); at != c.stands || w.buys != 0 {
					t.Errorf("after turn %d: stands after %d, want %d; %d purchases", turn, at, c.stands, w.buys)
				}
			}
			reply, err := w.Handle(t.Context(), answering(c.stands, "right", "yes"))
			if err != nil || c.says != "" && reply.Reply != c.says || c.says == "" && w.buys != 0 {
				t.Errorf("after turn %d: %+v, %v; %d purchases", c.stands, reply, err, w.buys)
			}
		})
	}
}

// rewrite changes the stored plan of the session.
func rewrite(ctx context.Context, s memory.Backend, change func(map[string]any)) error {
	session, err := memory.NewConversations(s, 0).ForSession(ctx, oneSession)
	if err != nil {
		return err
	}
	state, plan := session.State(), map[string]any{}
	if err := json.Unmarshal(state.PlanExecution, &plan); err != nil {
		return err
	}
	change(plan)
	if state.PlanExecution, err = json.Marshal(plan); err != nil {
		return err
	}
	session.SetState(state)
	return session.Commit(ctx, session.UpdatedAt())
}

func TestAMessageThatAnswersToNoTurn(t *testing.T) {
	w := newFixture(t, false)
	if _, err := w.Handle(t.Context(), answering(-1, "1", "find I-1")); !errors.Is(err, router.ErrBadInteraction) || !strings.Contains(err.Error(), "after_turn") {
		t.Errorf("after turn -1: %v", err)
	}
	if _, err := w.Handle(t.Context(), answering(1, "1", "find I-1")); movedTo(t, err) != 0 {
		t.Errorf("after a turn of a session that does not exist: %v", err)
	}
	if list, err := w.Store.Sessions(t.Context(), memory.Query{}); len(list) != 0 || err != nil {
		t.Errorf("a refused message has made a session: %v, %v", list, err)
	}
	if reply, err := w.Handle(t.Context(), answering(0, "1", "find I-1")); err != nil || reply.Turn != 1 {
		t.Errorf("the first message: %+v, %v", reply, err)
	}
}

// The same message twice at once is one turn: the second finds the reply of the first, not a
// session that moved on.
func TestAMessageSentAgainWhileItRuns(t *testing.T) { synctest.Test(t, sentAgainWhileItRuns) }

func sentAgainWhileItRuns(t *testing.T) {
	store := inmem.New(nil)
	called, goOn := make(chan struct{}), make(chan struct{})
	r := replica(t, store, nil, false, func(ctx context.Context, _ toolCall) (any, error) {
		close(called)
		select {
		case <-goOn:
			return "ok", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	if _, err := r.Handle(t.Context(), said("1", "buy I-7")); err != nil {
		t.Fatal(err)
	}
	type end struct {
		reply router.Reply
		err   error
	}
	ends := make(chan end, 2)
	yes := func() {
		reply, err := r.Handle(t.Context(), answering(1, "2", "yes"))
		ends <- end{reply, err}
	}
	go yes()
	<-called
	go yes()
	synctest.Wait() // the second is in line
	close(goOn)
	one, two := <-ends, <-ends
	if diff := cmp.Diff(one.reply, two.reply); one.err != nil || two.err != nil || diff != "" || one.reply.Turn != 2 {
		t.Errorf("errors %v and %v\n%s", one.err, two.err, diff)
	}
}

// Whatever is said, taken back and cleared from whichever of three screens: a message is taken
// if and only if its screen shows how the session stands.
func TestOnlyWhoSeesHowItStandsIsHeard(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store := inmem.New(nil)
		w := replica(t, store, nil, true, func(context.Context, toolCall) (any, error) { return "ok", nil })
		var live []int64 // turns that were not taken back
		var stands, turns int64
		var seen [3]int64
		for n := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			screen := rapid.IntRange(0, 2).Draw(rt, "screen")
			switch rapid.SampledFrom([]string{"say", "say", "say", "look", "undo", "clear"}).Draw(rt, "do") {
			case "say":
				text := rapid.SampledFrom([]string{"buy I-1", "buy I-2", "yes", "find I-3", "find"}).Draw(rt, "text")
				reply, err := w.Handle(rt.Context(), answering(seen[screen], strconv.Itoa(n), text))
				if seen[screen] != stands {
					if at := movedTo(rt, err); at != stands {
						rt.Fatalf("stands after turn %d, want %d", at, stands)
					}
					continue
				}
				if turns++; err != nil || reply.Turn != turns {
					rt.Fatalf("turn %d, want %d: %v", reply.Turn, turns, err)
				}
				live = append(live, turns)
				stands, seen[screen] = turns, turns
			case "look":
				seen[screen] = stands
			case "undo":
				_, err := sessions.Undo(rt.Context(), store, oneSession, time.Now())
				if none := len(live) == 0; none != (err != nil) {
					rt.Fatalf("undo with %d turns: %v", len(live), err)
				}
				if stands = 0; len(live) > 1 {
					stands = live[len(live)-2]
				}
				live = live[:max(0, len(live)-1)]
			case "clear":
				if _, err := sessions.Clear(rt.Context(), store, oneSession, time.Now()); (err != nil) != (turns == 0) {
					rt.Fatalf("clear after %d turns: %v", turns, err)
				}
				stands = 0
			}
		}
		if !slices.IsSorted(live) {
			rt.Fatalf("turns %v", live)
		}
	})
}

// Without memory there is nothing that could have moved on.
func TestAfterTurnWithoutMemory(t *testing.T) {
	r := routertest.New(t, fmt.Sprintf(agentYAML, false), understood, routertest.Tools{"find": find}, &router.Options{Stateless: true})
	for i, turn := range []int64{0, 1, 7} {
		if reply, err := r.Handle(t.Context(), answering(turn, strconv.Itoa(i), "find I-1")); err != nil || reply.Turn != 1 {
			t.Errorf("after turn %d: %+v, %v", turn, reply, err)
		}
	}
}
