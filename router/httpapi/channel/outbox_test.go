package channel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
)

// wall is a fake platform. It keeps the messages, and fails when the test says so.
type wall struct {
	sent  []string
	tried []bool
	fail  func(n int) error // of the nth attempt, from 1; nil: none fails
	n     int

	traits *Traits // nil: the usual ones
}

func (w *wall) Traits() Traits {
	if w.traits != nil {
		return *w.traits
	}
	return Traits{Name: "wall", MaxText: 20, PerSecond: 1000}
}

func (w *wall) Verify(*http.Request, []byte, time.Time) error       { return nil }
func (w *wall) Parse(*http.Request, []byte) (d Delivery, err error) { return d, nil }
func (w *wall) Acknowledge(http.ResponseWriter, *Delivery)          {}

func (w *wall) Send(_ context.Context, to Address, m *Message) error {
	w.n++
	w.tried = append(w.tried, !m.Tried.IsZero())
	if w.fail != nil {
		if err := w.fail(w.n); err != nil {
			return err
		}
	}
	w.sent = append(w.sent, to.Conversation+": "+m.Text)
	return nil
}

var (
	talk = memory.Key{UserID: "wall/ann", AgentID: "shop", SessionID: "wall/c1"}
	noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
)

// outboxOf returns a hub over a store, with its one worker.
func outboxOf(w *wall, store memory.Backend) (*Hub, memory.Worker) {
	h := New(&Options{Channels: []Channel{w}, Store: store, AgentID: "shop", Now: func() time.Time { return noon }})
	return h, h.Workers()[0]
}

// say commits a turn in which the agent says a text.
func say(t *testing.T, store memory.Backend, text string, at time.Time, change func(*memory.Session)) {
	t.Helper()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), talk)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(s)
	}
	s.Append(memory.Message{Role: memory.User, Text: "hm", Timestamp: at})
	s.Append(memory.Message{Role: memory.Agent, Text: text, Timestamp: at})
	response, err := json.Marshal(router.Reply{Reply: text})
	if err != nil {
		t.Fatal(err)
	}
	s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(s.Turn()), Number: s.Turn(), Response: response, At: at})
	if err := s.Commit(t.Context(), at); err != nil {
		t.Fatal(err)
	}
}

func work(t *testing.T, o memory.Worker, want error) {
	t.Helper()
	if err := o.Work(t.Context(), memory.Job{Key: talk, Kind: o.Kind()}); !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
}

func (w *wall) has(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, w.sent); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestOutboxSendsWhatIsNew(t *testing.T) {
	w, store := &wall{}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "one", noon, nil)
	say(t, store, "two", noon, nil)
	work(t, o, nil)
	work(t, o, nil)
	say(t, store, "a text of two parts. here is the other", noon, nil)
	work(t, o, nil)
	w.has(t, "c1: one", "c1: two", "c1: a text of two parts.", "c1: here is the other")
}

// Only the part whose response got lost is sent again, and no part before it.
func TestOutboxGoesOnWhereItFailed(t *testing.T) {
	lost := &SendError{Reason: "no_answer", Unknown: true}
	w, store := &wall{fail: func(n int) error {
		if n == 2 {
			return lost
		}
		return nil
	}}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "a text of two parts. here is the other", noon, nil)
	work(t, o, lost)
	work(t, o, nil)
	w.has(t, "c1: a text of two parts.", "c1: here is the other")
	if diff := cmp.Diff([]bool{false, false, true}, w.tried); diff != "" {
		t.Errorf("in doubt: -want +got\n%s", diff)
	}
}

// After a certain refusal no message is in doubt, unless an earlier attempt left it in doubt.
func TestOutboxKnowsWhatIsCertain(t *testing.T) {
	later, lost := &SendError{Reason: "rate_limited", After: time.Second}, &SendError{Reason: "no_answer", Unknown: true}
	answers := []error{later, lost, later, nil}
	w, store := &wall{fail: func(n int) error { return answers[n-1] }}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "one", noon, nil)
	for _, want := range answers {
		work(t, o, want)
	}
	if diff := cmp.Diff([]bool{false, false, true, true}, w.tried); diff != "" {
		t.Errorf("in doubt: -want +got\n%s", diff)
	}
	w.has(t, "c1: one")
}

func TestOutboxPassesWhatIsNeverTaken(t *testing.T) {
	w, store := &wall{fail: func(n int) error {
		if n == 1 {
			return &SendError{Reason: "blocked", Never: true}
		}
		return nil
	}}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "one", noon, nil)
	say(t, store, "two", noon, nil)
	work(t, o, nil)
	w.has(t, "c1: two")
}

// Old messages of a session without a mark, such as an import, are not sent.
func TestOutboxLeavesTheHistory(t *testing.T) {
	w, store := &wall{}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "yesterday", noon.Add(-24*time.Hour), nil)
	say(t, store, "now", noon, nil)
	work(t, o, nil)
	w.has(t, "c1: now")
}

// After a session begins afresh, its messages are still sent, and none twice.
func TestOutboxOfAClearedSession(t *testing.T) {
	w, store := &wall{}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "one", noon, nil)
	work(t, o, nil)
	say(t, store, "two", noon, func(s *memory.Session) {
		if _, err := s.Clear(); err != nil {
			t.Fatal(err)
		}
	})
	work(t, o, nil)
	say(t, store, "three", noon, nil)
	work(t, o, nil)
	w.has(t, "c1: one", "c1: two", "c1: three")
}

// The mark covers a message that is sent while the service stops.
func TestOutboxStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w, store := &wall{fail: func(int) error { stop(); return nil }}, inmem.New(nil)
	_, o := outboxOf(w, store)
	say(t, store, "one", noon, nil)
	say(t, store, "two", noon, nil)
	if err := o.Work(ctx, memory.Job{Key: talk}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.fail = nil
	work(t, o, nil)
	w.has(t, "c1: one", "c1: two")
	if w.tried[1] {
		t.Error("the second message was in doubt")
	}
}

func TestOutboxOfAnErasedSession(t *testing.T) {
	w, store := &wall{}, inmem.New(nil)
	_, o := outboxOf(w, store)
	work(t, o, nil)
	w.has(t)
}

func TestWants(t *testing.T) {
	_, o := outboxOf(&wall{}, inmem.New(nil))
	for _, c := range []struct {
		user, session string
		role          memory.Role
		text          string
		want          bool
	}{
		{"wall/ann", "wall/c1", memory.Agent, "hi", true},
		{"wall/ann", "wall/c1", memory.Agent, "", false},
		{"wall/ann", "wall/c1", memory.User, "hi", false},
		{"ann", "wall/c1", memory.Agent, "hi", false},
		{"wall/ann", "c1", memory.Agent, "hi", false},
		{"slack/ann", "slack/c1", memory.Agent, "hi", false},
	} {
		p := memory.Progress{Key: memory.Key{UserID: c.user, AgentID: "shop", SessionID: c.session}, Messages: []memory.Message{{Role: c.role, Text: c.text}}}
		if got := o.Wants(p); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
