package channel

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/telemetry"
)

// line is a platform whose deliveries are "ID ORDER TEXT".
type line struct{ wall }

func (*line) Parse(_ *http.Request, body []byte) (Delivery, error) {
	id, rest, _ := strings.Cut(string(body), " ")
	order, text, ok := strings.Cut(rest, " ")
	if !ok {
		return Delivery{}, errors.New("no delivery")
	}
	return Delivery{Events: []Event{{ID: id, From: Address{User: "ann", Conversation: "c1"}, Text: text, Order: int64(order[0] - '0')}}}, nil
}

func (*line) Acknowledge(w http.ResponseWriter, _ *Delivery) { w.WriteHeader(http.StatusAccepted) }

// turns stands for the router. It keeps what was said.
type turns struct {
	mu   sync.Mutex // guards said
	said []string
	do   func(in router.Interaction) error // nil: nothing
}

func (t *turns) handle(_ context.Context, in router.Interaction) (router.Reply, error) {
	t.mu.Lock()
	t.said = append(t.said, in.Text)
	t.mu.Unlock()
	if t.do != nil {
		return router.Reply{}, t.do(in)
	}
	return router.Reply{}, nil
}

// reported keeps the codes of events.
type reported struct{ codes []string }

func (r *reported) Record(e telemetry.Event) {
	r.codes = append(r.codes, e.Payload.(telemetry.Failure).Code)
}

type post func(body string) (status int)

// lineOf returns a hub that runs until the test ends, and the way to deliver to it.
func lineOf(t *testing.T, store memory.Backend, turns *turns, sink telemetry.Sink) (deliver post, stop func()) {
	t.Helper()
	h := New(&Options{Channels: []Channel{&line{}}, Store: store, AgentID: "shop", Handle: turns.handle, Sink: sink, Settle: time.Second})
	if err := h.Open(); err != nil {
		t.Fatal(err)
	}
	api := httpapi.New(nil, &httpapi.Options{Adapters: []httpapi.Adapter{h}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Run(ctx)
	}()
	synctest.Wait() // it has begun
	return func(body string) int {
			w := httptest.NewRecorder()
			api.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/channels/wall", strings.NewReader(body)))
			return w.Code
		}, func() {
			cancel()
			<-ended
		}
}

func (t *turns) has(test *testing.T, want ...string) {
	test.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	if diff := cmp.Diff(want, t.said); diff != "" {
		test.Errorf("-want +got\n%s", diff)
	}
}

// A platform does not wait for a turn, however long that takes.
func TestAcknowledgedBeforeTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &turns{do: func(router.Interaction) error { time.Sleep(time.Minute); return nil }}
		deliver, stop := lineOf(t, inmem.New(nil), turns, nil)
		began := time.Now()
		if status := deliver("1 1 hi"); status != http.StatusAccepted || time.Since(began) > 0 {
			t.Errorf("%d after %s", status, time.Since(began))
		}
		time.Sleep(2 * time.Second)
		turns.has(t, "hi")
		time.Sleep(time.Minute)
		stop()
	})
}

// Messages wait for those that were overtaken on the way, and no longer.
func TestSettle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &turns{}
		deliver, stop := lineOf(t, inmem.New(nil), turns, nil)
		defer stop()
		deliver("2 2 second")
		time.Sleep(900 * time.Millisecond)
		turns.has(t)
		deliver("1 1 first")
		deliver("3 3 third")
		time.Sleep(5 * time.Second)
		turns.has(t, "first", "second", "third")
	})
}

// What a process leaves in the inbox is handled by the next one, and by another one that runs.
func TestTheNextProcessGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, first, second, third := inmem.New(nil), &turns{}, &turns{}, &turns{}
		deliver, stop := lineOf(t, store, first, nil)
		deliver("1 1 hi")
		stop() // within the wait
		_, stop = lineOf(t, store, second, nil)
		time.Sleep(2 * time.Second)
		stop()
		_, stop = lineOf(t, store, third, nil)
		time.Sleep(time.Minute)
		stop()
		first.has(t)
		second.has(t, "hi")
		third.has(t)
	})
}

// A message that fails is tried again before those behind it; one that can never be handled is dropped, and
// one that fails too often for a reason of its own.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		times int // that it fails
		tries int // that are made
		codes []string
	}{
		{"passing", memory.ErrUnavailable, 20, 21, nil},
		{"wrong", router.ErrBadInteraction, 20, 1, []string{"message_dropped"}},
		{"a fault", router.ErrPanic, 20, maxTries, []string{"message_dropped"}},
		{"a fault that passes", router.ErrPanic, 2, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failed := 0
				turns := &turns{do: func(in router.Interaction) error {
					if in.Text == "bad" && failed < c.times {
						failed++
						return c.err
					}
					return nil
				}}
				sink := &reported{}
				deliver, stop := lineOf(t, inmem.New(nil), turns, sink)
				deliver("1 1 bad")
				deliver("2 2 good")
				time.Sleep(time.Hour)
				stop()
				var want []string
				for range c.tries {
					want = append(want, "bad")
				}
				turns.has(t, append(want, "good")...)
				if diff := cmp.Diff(c.codes, sink.codes); diff != "" {
					t.Errorf("reported: -want +got\n%s", diff)
				}
			})
		})
	}
}

// A delivery that cannot be read, or whose ids cannot name a session, is refused.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := &turns{}
		deliver, stop := lineOf(t, inmem.New(nil), turns, nil)
		defer stop()
		for _, body := range []string{"", "1", "\u202e 1 hi", strings.Repeat("x", 201) + " 1 hi"} {
			if status := deliver(body); status != http.StatusBadRequest {
				t.Errorf("%.20q: %d", body, status)
			}
		}
		if status := deliver(strings.Repeat("x", 70_000)); status != http.StatusRequestEntityTooLarge {
			t.Errorf("a long one: %d", status)
		}
		time.Sleep(time.Minute)
		turns.has(t)
	})
}
