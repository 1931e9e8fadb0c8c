package router_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// mutexLock is the lock of the one session of a test, for several routers.
type mutexLock struct{ sync.Mutex }

func (l *mutexLock) Enter(context.Context, memory.Key) (func(), error) {
	l.Lock()
	return l.Unlock, nil
}

// crossing is a conversation that users and people change at once, through two routers over one store.
type crossing struct {
	store   memory.Backend
	routers []*router.Router
	mu      sync.Mutex              // guards the fields below
	replies map[string]router.Reply // by id, of what was not refused
	wrong   []string
}

func newCrossing(t *testing.T) *crossing {
	d := &crossing{store: inmem.New(nil), replies: map[string]router.Reply{}}
	lock := &mutexLock{}
	for range 2 {
		d.routers = append(d.routers, routertest.NewOver(t, d.store, fmt.Sprintf(agentYAML, true), understood, routertest.Tools{"find": d.tool, "buy": d.tool}, &router.Options{Locker: lock}).Router)
	}
	return d
}

func (d *crossing) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wrong = append(d.wrong, fmt.Sprintf(format, args...))
}

// held returns who has the conversation now.
func (d *crossing) held(ctx context.Context) (*planner.HandOver, error) {
	snap, err := d.store.Load(ctx, oneSession, memory.LoadOptions{})
	if err != nil {
		return nil, err
	}
	plan, err := planner.Load(snap.State.PlanExecution, snap.State.Params)
	if err != nil {
		return nil, err
	}
	return plan.Held(), nil
}

// tool notes a call while a person has the conversation. It runs within a turn, so that nobody else
// changes that meanwhile.
func (d *crossing) tool(ctx context.Context, c tools.Call) (any, error) {
	if held, err := d.held(ctx); err != nil || held != nil {
		d.note("%s is called while %+v has the conversation (%v)", c.Tool, held, err)
	}
	return "ok", nil
}

// send sends an interaction, and checks that the same id always gets the same reply.
func (d *crossing) send(ctx context.Context, on int, in router.Interaction) {
	reply, err := d.routers[on].Handle(ctx, in)
	switch {
	case errors.Is(err, router.ErrTaken), errors.Is(err, router.ErrNotTaken), errors.Is(err, memory.ErrNotFound):
		return
	case err != nil:
		d.note("%s: %v", in.ID, err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if earlier, known := d.replies[in.ID]; known && !cmp.Equal(earlier, reply) {
		d.wrong = append(d.wrong, in.ID+" has two replies:\n"+cmp.Diff(earlier, reply))
	}
	d.replies[in.ID] = reply
}

// drawInteraction makes anything that a user or a person may do.
func drawInteraction(t *rapid.T, id string) router.Interaction {
	words := rapid.SampledFrom([]string{"yes", "buy I-7", "find I-8", "buy", "I-9", "count", "talk"})
	switch a := rapid.SampledFrom([]router.Action{"", "", "", router.ActionTake, router.ActionAnswer, router.ActionGiveBack}).Draw(t, "action"); a {
	case "":
		return said(id, words.Draw(t, "said"))
	case router.ActionAnswer:
		return acts(id, a, rapid.SampledFrom([]string{"Ann", "Bob", ""}).Draw(t, "by"), "answer "+id)
	default:
		return acts(id, a, rapid.SampledFrom([]string{"Ann", "Bob"}).Draw(t, "by"), "")
	}
}

// However users and people get in each other's way: no tool is called while a person has the
// conversation, every message is kept once, and nothing is answered twice.
func TestUsersAndPeopleAtOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newCrossing(t)
		sent := map[string]router.Interaction{}
		var all sync.WaitGroup
		for who := range 3 {
			var mine []router.Interaction
			for n := range rapid.IntRange(1, 6).Draw(rt, "length") {
				in := drawInteraction(rt, fmt.Sprintf("%d-%d", who, n))
				mine = append(mine, in)
				sent[in.ID] = in
			}
			twice := rapid.Bool().Draw(rt, "twice")
			for on := range d.routers {
				if on > 0 && !twice {
					break
				}
				all.Go(func() {
					for _, in := range mine {
						d.send(t.Context(), (on+who)%2, in)
					}
				})
			}
		}
		all.Wait()
		d.check(rt, sent)
	})
}

// check looks at what is stored.
func (d *crossing) check(t *rapid.T, sent map[string]router.Interaction) {
	for _, w := range d.wrong {
		t.Error(w)
	}
	turns, err := d.store.Turns(t.Context(), oneSession, memory.Page{Limit: 200})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		t.Fatal(err)
	}
	messages, err := d.store.Messages(t.Context(), oneSession, memory.Page{Limit: 500})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		t.Fatal(err)
	}
	told := map[int64][]string{} // by turn
	for i := range messages {
		m := &messages[i]
		if m.Role == memory.Tool {
			continue
		}
		_, person := m.Person()
		told[m.Turn] = append(told[m.Turn], fmt.Sprintf("%s %v %s", m.Role, person, m.Text))
	}
	want, got, held := map[string]int64{}, map[string]int64{}, false
	for i := range turns {
		turn := &turns[i]
		got[turn.RequestID] = turn.Number
		in, reply := sent[turn.RequestID], d.replies[turn.RequestID]
		want[turn.RequestID] = reply.Turn
		var lines []string
		switch {
		case in.HandOver == nil:
			lines = []string{"user false " + in.Text}
			if !held {
				lines = append(lines, "agent false "+reply.Reply)
			} else if reply.Reply != "" {
				t.Errorf("%s is answered while a person has the conversation: %q", in.ID, reply.Reply)
			}
		case in.HandOver.Action == router.ActionTake:
			held = true
		case in.HandOver.Action == router.ActionAnswer:
			lines = []string{"agent true " + in.Text}
		default:
			held = false
			if reply.Reply != "" {
				lines = []string{"agent false " + reply.Reply}
			}
		}
		if diff := cmp.Diff(lines, told[turn.Number]); diff != "" {
			t.Errorf("turn %d, %s (-want +stored):\n%s", turn.Number, in.ID, diff)
		}
	}
	if !maps.Equal(want, got) || len(got) != len(d.replies) {
		t.Errorf("%d turns of %d replies: %v, want %v", len(got), len(d.replies), got, want)
	}
}
