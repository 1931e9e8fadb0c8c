package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/httpapi/channel/webhook"
)

var (
	talk = memory.Key{UserID: "ann", AgentID: "shop", SessionID: "s1"}
	noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
)

// board is a fake server of a desk.
type board struct {
	got    []string // type, turn
	ids    []string
	status []int // of the next answers; then 200
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var e struct {
		Type string
		Data event
	}
	if json.Unmarshal(body, &e) != nil || e.Data.SessionID != "s1" || e.Data.UserID != "ann" || e.Data.AgentID != "shop" {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	b.got, b.ids = append(b.got, fmt.Sprint(e.Type, " ", e.Data.Turn)), append(b.ids, r.Header.Get("Webhook-Id"))
	if len(b.status) > 0 {
		w.WriteHeader(b.status[0])
		b.status = b.status[1:]
	}
}

func open(t *testing.T, b *board) (*Desk, *inmem.Store, *[]memory.Key) {
	t.Helper()
	secret, err := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(b)
	t.Cleanup(s.Close)
	store, refused := inmem.New(nil), &[]memory.Key{}
	return New(Options{
		Target: webhook.NewTarget(webhook.Options{URL: s.URL, Secret: secret}), Store: store, Now: func() time.Time { return noon },
		Refused: func(key memory.Key, _ error) { *refused = append(*refused, key) },
	}), store, refused
}

func commit(t *testing.T, store memory.Backend, at time.Time, reply router.Reply) {
	t.Helper()
	s, err := memory.NewConversations(store, 10).ForSession(t.Context(), talk)
	if err != nil {
		t.Fatal(err)
	}
	response, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(s.Turn()), Number: s.Turn(), Response: response, At: at})
	if err := s.Commit(t.Context(), at); err != nil {
		t.Fatal(err)
	}
}

// The desk gets the events for it, in order, and none twice.
func TestDeskHears(t *testing.T) {
	b := &board{}
	d, store, _ := open(t, b)
	person := &router.Person{By: "Kim"}
	for _, r := range []router.Reply{
		{Reply: "hello"},
		{Reply: "one moment", Handoff: true},
		{Handoff: true, Action: router.ActionTake, Person: person},
		{Handoff: true, Person: person},
		{Handoff: true, Action: router.ActionAnswer, Person: person, Reply: "hi"},
	} {
		commit(t, store, noon, r)
	}
	for range 2 {
		if err := d.Work(t.Context(), memory.Job{Key: talk}); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, store, noon, router.Reply{Action: router.ActionGiveBack, Reply: "back"})
	if err := d.Work(t.Context(), memory.Job{Key: talk}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"handoff.wanted 2", "handoff.taken 3", "handoff.message 4", "handoff.given_back 6"}, b.got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// An event that the desk does not take is posted again with its id, and no event before it. The worker
// skips an event that the desk refuses for good.
func TestDeskFails(t *testing.T) {
	b := &board{status: []int{200, 500, 200, 400}}
	d, store, refused := open(t, b)
	for range 4 {
		commit(t, store, noon, router.Reply{Handoff: true})
	}
	var failed *channel.SendError
	if err := d.Work(t.Context(), memory.Job{Key: talk}); !errors.As(err, &failed) || failed.Code() != "server_error" {
		t.Fatalf("the second event: %v", err)
	}
	if err := d.Work(t.Context(), memory.Job{Key: talk}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"handoff.wanted 1", "handoff.wanted 2", "handoff.wanted 2", "handoff.wanted 3", "handoff.wanted 4"}, b.got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if b.ids[1] != b.ids[2] || len(slices.Compact(slices.Clone(b.ids))) != 4 {
		t.Errorf("ids %q", b.ids)
	}
	if len(*refused) != 1 {
		t.Errorf("%d events were refused", len(*refused))
	}
}

// The history of an imported session is not posted.
func TestDeskLeavesTheHistory(t *testing.T) {
	b := &board{}
	d, store, _ := open(t, b)
	commit(t, store, noon.Add(-24*time.Hour), router.Reply{Handoff: true})
	commit(t, store, noon, router.Reply{Handoff: true})
	if err := d.Work(t.Context(), memory.Job{Key: talk}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"handoff.wanted 2"}, b.got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
