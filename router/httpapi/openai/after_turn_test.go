package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
)

// In a session that is named the history is not read: after_turn says which reply a yes
// answers, and nobody's client sends it again by itself.
func TestALateYesInANamedSession(t *testing.T) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses"} {
		w := newFixture(t)
		say := func(text, more string) *http.Response {
			body := fmt.Sprintf(`{"messages": [{"role": "user", "content": %q}]%s}`, text, more)
			if path == "/v1/responses" {
				body = fmt.Sprintf(`{"input": %q%s}`, text, more)
			}
			return w.send("POST", path, body, "X-Conversation-Id", "c1")
		}
		say("buy I-7", "")
		say("no", `, "after_turn": 1`)
		say("buy I-8", `, "after_turn": 2`)
		res := say("yes", `, "after_turn": 1, "stream": true`)
		if res.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s: a client would send it again", path)
		}
		got := read[map[string]*apiError](t, res, http.StatusConflict)["error"]
		if *got.Code != "moved_on" || !strings.Contains(got.Message, "turn 3") || len(w.purchases()) != 0 {
			t.Errorf("%s: %+v, bought %v", path, got, w.purchases())
		}
		say("yes", `, "after_turn": 3`)
		if diff := cmp.Diff([]string{"I-8"}, w.purchases()); diff != "" {
			t.Errorf("%s: bought (-want +got)\n%s", path, diff)
		}
		for _, bad := range []string{`"1"`, "-1", "1.5"} {
			if got := *read[map[string]*apiError](t, say("yes", `, "after_turn": `+bad), http.StatusBadRequest)["error"]; *got.Param != "after_turn" {
				t.Errorf("%s: after_turn %s: %+v", path, bad, got)
			}
		}
	}
}

// A history says by itself what its last message answers to.
func TestAfterTurnGoesWithANamedSession(t *testing.T) {
	w := newFixture(t)
	res := w.send("POST", "/v1/chat/completions", `{"messages": [{"role": "user", "content": "buy"}], "after_turn": 0}`)
	if got := read[map[string]*apiError](t, res, http.StatusBadRequest)["error"]; *got.Param != "after_turn" {
		t.Errorf("%+v", got)
	}
}

// sharedLock is the lock of everything in these tests, for all processes.
type sharedLock struct {
	free    chan struct{} // has one entry while nobody is in
	waiting chan struct{} // one entry for each who found it taken
}

func (l *sharedLock) Enter(ctx context.Context, _ memory.Key) (func(), error) {
	leave := func() { l.free <- struct{}{} }
	select {
	case <-l.free:
		return leave, nil
	default:
		l.waiting <- struct{}{}
	}
	select {
	case <-l.free:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Two answers to one old question reach two replicas at once: one of them is taken.
func TestOneQuestionIsAnsweredOnceByAllReplicas(t *testing.T) {
	store := inmem.New(nil)
	lock := &sharedLock{free: make(chan struct{}, 1), waiting: make(chan struct{}, 1)}
	lock.free <- struct{}{}
	var replicas [2]*fixture
	for i := range replicas {
		replicas[i] = newFixtureOver(t, store, router.Options{})
		replicas[i].adapter.opts.Locks = lock
	}
	c := &client{w: replicas[0]}
	c.say("buy I-7")
	c.say("no")
	answered := make(chan *http.Response, 1)
	// The first has found that nothing was called since, and has not said so to anybody yet.
	replicas[0].store.OnPutViews(func() error {
		go func() {
			answered <- replicas[1].send("POST", "/v1/chat/completions", history("buy I-7", "Order I-7?", "sure"))
		}()
		select {
		case <-lock.waiting:
		case res := <-answered:
			t.Error("the second did not wait")
			answered <- res
		}
		return nil
	})
	if got := replicas[0].complete("buy I-7", "Order I-7?", "yes"); got.text() != "You have bought I-7." {
		t.Errorf("the first: %+v", got)
	}
	if got := read[map[string]*apiError](t, <-answered, http.StatusConflict)["error"]; *got.Code != "already_carried_out" {
		t.Errorf("the second: %+v", got)
	}
	if n := len(replicas[0].purchases()) + len(replicas[1].purchases()); n != 1 {
		t.Errorf("%d purchases", n)
	}
}
