package router_test

import (
	"context"
	"testing"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

type toolCall = tools.Call

// pair is two processes over one store whose lines do not know of each other.
type pair struct {
	one, other *router.Router
	store      *routertest.Store // of the one
	bought     []any             // items, in order
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{store: &routertest.Store{Backend: inmem.New(nil)}}
	buy := func(_ context.Context, c toolCall) (any, error) {
		p.bought = append(p.bought, c.Args["item"])
		return "ok", nil
	}
	p.one = replica(t, p.store, nil, false, buy)
	p.other = replica(t, p.store.Backend, nil, false, buy)
	return p
}

// inBetween lets the other process answer a message just before the one commits its next turn.
func (p *pair) inBetween(t *testing.T, id, text string) {
	p.store.OnCommit(func(*memory.Delta) error {
		_, err := p.other.Handle(t.Context(), said(id, text))
		return err // nil: the commit that follows meets a conflict
	})
}

func (p *pair) say(t *testing.T, in router.Interaction) router.Reply {
	t.Helper()
	reply, err := p.one.Handle(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func (p *pair) turns(t *testing.T) int64 {
	t.Helper()
	snap, err := p.store.Load(t.Context(), oneSession, memory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return snap.Turns
}

// The session stood as the message has it when the turn began, and no longer when it was to be
// committed: the re-run looks again.
func TestAReRunLooksAgain(t *testing.T) {
	p := newPair(t)
	p.say(t, said("1", "buy I-7"))
	p.inBetween(t, "2", "buy I-8")
	_, err := p.one.Handle(t.Context(), answering(1, "3", "find I-9"))
	if at := movedTo(t, err); at != 2 || p.turns(t) != 2 || len(p.bought) != 0 {
		t.Errorf("stands after turn %d of %d; bought %v", at, p.turns(t), p.bought)
	}
}

// The yes has led to a call by the time another process moves the session on, which tells of
// that call and asks something else: the re-run does not say yes to that.
func TestAReRunOfAYesIsNoYesToTheNextQuestion(t *testing.T) {
	p := newPair(t)
	p.say(t, said("1", "buy I-7"))
	p.inBetween(t, "2", "buy I-8")
	_, err := p.one.Handle(t.Context(), answering(1, "3", "yes"))
	if at := movedTo(t, err); at != 2 || p.turns(t) != 2 {
		t.Errorf("stands after turn %d of %d", at, p.turns(t))
	}
	if len(p.bought) != 1 || p.bought[0] != "I-7" {
		t.Errorf("bought %v, want what the yes was said to, once", p.bought)
	}
}

// The other process had read the session before the call was noted, so it cannot tell of it:
// the turn that made it comes to its end although the session moved on, and its yes is used up.
func TestACallThatNobodyElseCanTellOfIsTold(t *testing.T) {
	p := newPair(t)
	read, called, committed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	p.one = replica(t, p.store.Backend, nil, false, func(ctx context.Context, c toolCall) (any, error) {
		p.bought = append(p.bought, c.Args["item"])
		close(called)
		select {
		case <-committed:
			return "ok", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	p.say(t, said("1", "buy I-7"))
	slow := &routertest.Store{Backend: p.store.Backend}
	slow.OnCommit(func(*memory.Delta) error {
		close(read)
		<-called
		return nil
	})
	p.other = replica(t, slow, nil, false, nil)
	go func() {
		defer close(committed)
		if _, err := p.other.Handle(t.Context(), said("2", "talk")); err != nil {
			t.Error(err)
		}
	}()
	<-read
	reply := p.say(t, answering(1, "3", "yes"))
	if reply.Turn != 3 || reply.Reply != "Bought I-7." || reply.Confirming != nil || len(p.bought) != 1 {
		t.Errorf("%+v; bought %v", reply, p.bought)
	}
}
