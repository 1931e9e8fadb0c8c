package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

func TestChatAnswersWithTheWholeTurn(t *testing.T) {
	r, _, _ := newRouter(t)
	api := New(r, &Options{Agent: called("notes")})
	res := post(api, `{"message": "good day to you", "conversation_id": "c1", "agent": "notes", "stream": false, "message_id": null}`)
	if res.StatusCode != http.StatusOK || res.Header.Get("X-Conversation-Id") != "c1" {
		t.Fatalf("status %d, conversation %q", res.StatusCode, res.Header.Get("X-Conversation-Id"))
	}
	var got map[string]any
	if err := json.Unmarshal(readAll(t, res), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"reply": "Good day.", "conversation_id": "c1", "session_id": "c1", "turn": 1.0, "model": "notes", "provider": "slotway",
		"intent": "hello", "confidence": 0.99, "asked": nil, "waiting_for_param": nil, "confirming": nil,
		"params": map[string]any{}, "tool_calls": []any{}, "handoff": false, "error": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("POST /chat (-want +got)\n%s", diff)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestConversationIDs(t *testing.T) {
	api := New(handlerFunc(echo), nil)
	id := func(body string, headers ...string) string {
		t.Helper()
		res := post(api, body, headers...)
		if res.StatusCode != http.StatusOK {
			t.Fatalf("status %d for %s", res.StatusCode, body)
		}
		return decode[chatReply](t, res).ConversationID
	}
	first, second := id(`{"message":"hi"}`), id(`{"message":"hi"}`)
	if first == second {
		t.Error("two conversations that were not named are one")
	}
	if u, err := uuid.Parse(first); err != nil || u.Version() != 4 {
		t.Errorf("conversation id %q is not a random UUID: %v", first, err)
	}
	keyed := id(`{"message":"hi","message_id":"m1"}`)
	if again := id(`{"message":"hi"}`, "Idempotency-Key", "m1"); again != keyed {
		t.Errorf("the first message sent again began another conversation: %q, then %q", keyed, again)
	}
	if other := id(`{"message":"hi","message_id":"m2"}`); other == keyed {
		t.Error("another first message shares its conversation")
	}
}

func TestMessageIDTwiceHasOneEffect(t *testing.T) {
	r, store, keep := newRouter(t)
	api := New(r, nil)
	post(api, `{"message":"keep a note","conversation_id":"c1"}`)
	first := decode[chatReply](t, post(api, `{"message":"yes","conversation_id":"c1","message_id":"m2"}`))
	again := decode[chatReply](t, post(api, `{"message":"yes","conversation_id":"c1"}`, "Idempotency-Key", "m2"))
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the answer differs the second time (-first +again)\n%s", diff)
	}
	if first.Reply.Reply != "It is kept." || keep.n.Load() != 1 {
		t.Errorf("reply %q, the tool was called %d times", first.Reply.Reply, keep.n.Load())
	}
	snap, err := store.Load(t.Context(), memory.Key{UserID: "local", AgentID: "notes", SessionID: "c1"}, memory.LoadOptions{})
	if err != nil || snap.Turns != 2 {
		t.Errorf("%d turns are stored, want 2 (%v)", snap.Turns, err)
	}
}

func TestUserOwnsTheConversation(t *testing.T) {
	r, store, _ := newRouter(t)
	api := New(r, &Options{Access: byHeader{}})
	for _, user := range []string{"ann", "bob"} {
		got := decode[chatReply](t, post(api, `{"message":"good day to you","conversation_id":"c1"}`, "X-Test-User", user))
		if got.Turn != 1 {
			t.Errorf("%s is at turn %d of a conversation that is somebody else's", user, got.Turn)
		}
		if _, err := store.Messages(t.Context(), memory.Key{UserID: user, AgentID: "notes", SessionID: "c1"}, memory.Page{}); err != nil {
			t.Errorf("messages of %s: %v", user, err)
		}
	}
}

func TestStream(t *testing.T) {
	said := "one\r\ntwo\rthree\nfour"
	api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
		reply, err := echo(ctx, in)
		reply.Reply = said
		return reply, err
	}), nil)
	res := post(api, `{"message":"hi","conversation_id":"c1","stream":true}`)
	if kind := res.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("Content-Type %q", kind)
	}
	body := string(readAll(t, res))
	reply, done, ok := strings.Cut(body, "\n\n")
	if !ok || reply != "event: reply\ndata: one\ndata: two\ndata: three\ndata: four" {
		t.Errorf("first event:\n%s", reply)
	}
	data, ok := strings.CutPrefix(done, "event: done\ndata: ")
	var out chatReply
	if err := json.Unmarshal([]byte(data), &out); !ok || err != nil || out.Reply.Reply != said || out.ConversationID != "c1" {
		t.Errorf("second event: %v\n%s", err, done)
	}
}

// A client that hangs up while the turn runs: the turn is committed all the same, and
// asking again with the same message id gives its reply.
func TestHangingUpLosesNothing(t *testing.T) {
	r, store, _ := newRouter(t)
	started, goOn := make(chan struct{}), make(chan struct{})
	finished := make(chan error, 1)
	api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
		started <- struct{}{}
		<-goOn
		reply, err := r.Handle(ctx, in)
		finished <- err
		return reply, err
	}), nil)
	server := httptest.NewServer(api)
	defer server.Close()
	ctx, hangUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/chat", strings.NewReader(`{"message":"good day to you","conversation_id":"c1","message_id":"m1"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
			t.Error("the client got an answer")
		}
	}()
	<-started
	hangUp()
	<-gone
	close(goOn)
	if err := <-finished; err != nil {
		t.Fatalf("the turn: %v", err)
	}
	messages, err := store.Messages(t.Context(), memory.Key{UserID: "local", AgentID: "notes", SessionID: "c1"}, memory.Page{})
	if err != nil || len(messages) != 2 {
		t.Errorf("%d messages are stored, want 2 (%v)", len(messages), err)
	}
}

// Not the request's context but a deadline of its own bounds a turn.
func TestTurnTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := New(handlerFunc(func(ctx context.Context, _ router.Interaction) (router.Reply, error) {
			<-ctx.Done()
			return router.Reply{}, ctx.Err()
		}), nil)
		begin := time.Now()
		r := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader(`{"message":"hi"}`))
		r.Header.Set("Content-Type", "application/json")
		ctx, cancel := context.WithCancel(r.Context())
		cancel()
		res := do(api, r.WithContext(ctx))
		if took := time.Since(begin); res.StatusCode != http.StatusGatewayTimeout || took != 30*time.Second {
			t.Errorf("status %d after %s, want 504 after 30s", res.StatusCode, took)
		}
	})
}

func TestDrainWaitsForTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
			<-goOn
			return echo(ctx, in)
		}), nil)
		answer := make(chan int, 1)
		go func() { answer <- post(api, `{"message":"hi"}`).StatusCode }()
		synctest.Wait()
		drained := make(chan error, 1)
		go func() { drained <- api.Drain(t.Context()) }()
		synctest.Wait()
		for path, want := range map[string]int{"/readyz": http.StatusServiceUnavailable, "/healthz": http.StatusOK} {
			if got := do(api, httptest.NewRequest(http.MethodGet, path, nil)).StatusCode; got != want {
				t.Errorf("GET %s while draining: %d, want %d", path, got, want)
			}
		}
		if got := post(api, `{"message":"hi"}`).StatusCode; got != http.StatusServiceUnavailable {
			t.Errorf("a new turn while draining: %d", got)
		}
		select {
		case err := <-drained:
			t.Fatalf("Drain returned %v before the turn was over", err)
		default:
		}
		close(goOn)
		if got, err := <-answer, <-drained; got != http.StatusOK || err != nil {
			t.Errorf("the turn under way was answered with %d, Drain gave %v", got, err)
		}
		if err := api.Drain(t.Context()); err != nil {
			t.Errorf("Drain once more: %v", err)
		}
	})
}

func TestDrainGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
			<-goOn
			return echo(ctx, in)
		}), nil)
		go post(api, `{"message":"hi"}`)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := api.Drain(ctx); err != context.DeadlineExceeded {
			t.Errorf("Drain: %v", err)
		}
		close(goOn)
	})
}
