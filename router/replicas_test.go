package router_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// oneLock is the lock of the one session of these tests, for several routers.
type oneLock struct {
	free    chan struct{} // has one entry while nobody is in
	waiting chan struct{} // one entry for each who found it taken
	fail    error
}

func (l *oneLock) Enter(ctx context.Context, _ memory.Key) (func(), error) {
	leave := func() { l.free <- struct{}{} }
	select {
	case <-l.free:
		return leave, l.fail
	default:
		l.waiting <- struct{}{}
	}
	select {
	case <-l.free:
		return leave, l.fail
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// replica is a router over a store that others have, too.
func replica(t *testing.T, store memory.Backend, l router.SessionLocker, idempotent bool, buy routertest.Tool) *router.Router {
	t.Helper()
	return routertest.NewOver(t, store, fmt.Sprintf(agentYAML, idempotent), understood, routertest.Tools{"buy": buy, "find": find}, &router.Options{Locker: l}).Router
}

func said(id, text string) router.Interaction {
	return router.Interaction{ID: id, Text: text, Context: router.Context{SessionID: "s"}}
}

// A write is under way in one process when the next message of the session reaches another:
// that one waits, instead of taking the open call for one that a crash left behind.
func TestAnotherProcessWaitsForTheCallUnderWay(t *testing.T) {
	store, lock := inmem.New(nil), &oneLock{free: make(chan struct{}, 1), waiting: make(chan struct{}, 1)}
	lock.free <- struct{}{}
	buys, called := 0, make(chan struct{})
	first := replica(t, store, lock, false, func(ctx context.Context, _ tools.Call) (any, error) {
		buys++
		close(called)
		select {
		case <-lock.waiting:
			return "ok", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	second := replica(t, store, lock, false, func(context.Context, tools.Call) (any, error) {
		return nil, errors.New("called by the wrong one")
	})
	if _, err := first.Handle(t.Context(), said("1", "buy I-7")); err != nil {
		t.Fatal(err)
	}
	bought := make(chan router.Reply)
	go func() {
		defer close(bought)
		if reply, err := first.Handle(t.Context(), said("2", "yes")); err != nil {
			t.Error(err)
		} else {
			bought <- reply
		}
	}()
	<-called
	next := make(chan router.Reply)
	go func() {
		defer close(next)
		if reply, err := second.Handle(t.Context(), said("3", "find I-8")); err != nil {
			t.Error(err)
		} else {
			next <- reply
		}
	}()
	if reply := <-bought; reply.Turn != 2 || reply.Reply != "Bought I-7." {
		t.Errorf("the write: %+v", reply)
	}
	if reply := <-next; reply.Turn != 3 || len(reply.ToolCalls) != 1 || reply.ToolCalls[0].Tool != "find" {
		t.Errorf("the message that waited: %+v", reply)
	}
	if buys != 1 {
		t.Errorf("%d purchases, want 1", buys)
	}
}

// A lock that cannot be entered is an error before anything was read or done.
func TestALockThatFails(t *testing.T) {
	store, lock := inmem.New(nil), &oneLock{free: make(chan struct{}, 1), waiting: make(chan struct{}, 1), fail: memory.ErrUnavailable}
	lock.free <- struct{}{}
	r := replica(t, store, lock, false, nil)
	if _, err := r.Handle(t.Context(), said("1", "find I-7")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("error %v, want %v", err, memory.ErrUnavailable)
	}
	if running, waiting := r.Turns(); running != 0 || waiting != 0 {
		t.Errorf("%d turns run, %d wait", running, waiting)
	}
}

// lostLock lets the first two in at once, as if the first one's lease had run out; who comes
// third waits until the second has left.
type lostLock struct {
	entered     atomic.Int32
	third, left chan struct{} // closed: it waits, he has
}

func (l *lostLock) Enter(ctx context.Context, _ memory.Key) (func(), error) {
	switch l.entered.Add(1) {
	case 1:
		return func() {}, nil
	case 2:
		return func() { close(l.left) }, nil
	}
	close(l.third)
	select {
	case <-l.left:
		return func() {}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A process is paused in the midst of a call for longer than its lock is its own, and wakes up
// with a refusal while another one makes the same call again, which succeeds: what is told
// and kept is that, and the first one does not act before the second is done.
func TestAPausedProcessIsOvertaken(t *testing.T) {
	store, lock := inmem.New(nil), &lostLock{third: make(chan struct{}), left: make(chan struct{})}
	called, taken := make(chan struct{}), make(chan struct{})
	paused := make(chan struct{}) // closed when its turn has ended
	var keys [2]string
	first := replica(t, store, lock, true, func(ctx context.Context, c tools.Call) (any, error) {
		keys[0] = c.IdempotencyKey
		close(called)
		select {
		case <-taken:
			return nil, &tools.Error{Code: tools.RateLimited}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	second := replica(t, store, lock, true, func(ctx context.Context, c tools.Call) (any, error) {
		keys[1] = c.IdempotencyKey
		close(taken)
		select {
		case <-lock.third: // it has met a newer version
			return "ok", nil
		case <-paused: // it has committed
			return "ok", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	if _, err := replica(t, store, nil, true, nil).Handle(t.Context(), said("1", "buy I-7")); err != nil {
		t.Fatal(err)
	}
	var late router.Reply
	go func() {
		defer close(paused)
		var err error
		if late, err = first.Handle(t.Context(), said("2", "yes")); err != nil {
			t.Error(err)
		}
	}()
	<-called
	reply, err := second.Handle(t.Context(), said("3", "find I-8"))
	if err != nil {
		t.Fatal(err)
	}
	<-paused
	if len(reply.ToolCalls) != 2 || reply.ToolCalls[0].Tool != "buy" || reply.ToolCalls[0].Status != "ok" || reply.Turn != 2 {
		t.Errorf("the one that overtook: %+v", reply)
	}
	if late.Turn != 3 || len(late.ToolCalls) != 0 {
		t.Errorf("the one that was paused: %+v", late)
	}
	if keys[0] != keys[1] || keys[0] == "" {
		t.Errorf("called with the keys %q", keys)
	}
}

// A process was refused, and finds that another has made the call again since, of which
// nothing is known: it asks once more instead of telling that nothing was done.
func TestARefusalAfterAConflictIsDoubted(t *testing.T) {
	store, lock := inmem.New(nil), &lostLock{third: make(chan struct{}), left: make(chan struct{})}
	called, taken := make(chan struct{}), make(chan struct{})
	calls := 0
	first := replica(t, store, lock, true, func(ctx context.Context, _ tools.Call) (any, error) {
		if calls++; calls == 2 {
			return "ok", nil // the other one, which died, may have done it as well
		}
		close(called)
		select {
		case <-taken:
			return nil, &tools.Error{Code: tools.RateLimited}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	died := errors.New("died")
	second := replica(t, dying{Backend: store, err: died}, lock, true, func(ctx context.Context, _ tools.Call) (any, error) {
		close(taken)
		select {
		case <-lock.third:
			return "ok", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	if _, err := replica(t, store, nil, true, nil).Handle(t.Context(), said("1", "buy I-7")); err != nil {
		t.Fatal(err)
	}
	ended := make(chan router.Reply)
	go func() {
		defer close(ended)
		reply, err := first.Handle(t.Context(), said("2", "yes"))
		if err != nil {
			t.Error(err)
		}
		ended <- reply
	}()
	<-called
	if _, err := second.Handle(t.Context(), said("3", "find I-8")); !errors.Is(err, died) {
		t.Errorf("error %v, want %v", err, died)
	}
	if reply := <-ended; reply.Turn != 2 || len(reply.ToolCalls) == 0 || reply.ToolCalls[0].Status != "ok" || calls != 2 {
		t.Errorf("%d calls, %+v", calls, reply)
	}
}

// dying is a store that no turn can be committed to.
type dying struct {
	memory.Backend
	err error
}

func (d dying) Commit(ctx context.Context, delta *memory.Delta) error {
	if delta.Turn != nil {
		return d.err
	}
	return d.Backend.Commit(ctx, delta)
}
