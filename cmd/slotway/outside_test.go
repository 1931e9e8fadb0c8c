package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/router/replay"
)

// shopService is the other side of testdata/outside: an order service and an action server.
type shopService struct {
	mu     sync.Mutex // guards writes and keys
	writes []string   // requests that changed something, with their bodies
	keys   map[string]bool
}

func (s *shopService) orders(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-API-Key") != "shop-secret" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.PathValue("id") != "O-12345" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.Method == http.MethodDelete {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.writes = append(s.writes, r.RequestURI+" "+string(body))
		s.keys[r.Header.Get("Idempotency-Key")] = true
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"status":"shipped"}`)
}

func (s *shopService) webhook(w http.ResponseWriter, r *http.Request) {
	var call struct {
		NextAction string `json:"next_action"`
		SenderID   string `json:"sender_id"`
		Tracker    struct{ Slots map[string]any }
	}
	json.NewDecoder(r.Body).Decode(&call)
	w.Header().Set("Content-Type", "application/json")
	if call.NextAction != "action_points" || call.SenderID == "" || call.Tracker.Slots["order_id"] != "O-12345" {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error":"no","action_name":"action_points"}`)
		return
	}
	io.WriteString(w, `{"events":[{"event":"slot","name":"points","value":7}],"responses":[{"text":"You got 7 for it."}]}`)
}

// TestOutside plays conversations with tools that are really called.
func TestOutside(t *testing.T) {
	side := &shopService{keys: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/orders/{id}", side.orders)
	mux.HandleFunc("POST /webhook", side.webhook)
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	t.Setenv("SHOP_URL", web.URL+"/api")
	t.Setenv("SHOP_KEY", "shop-secret")
	t.Setenv("ACTIONS_URL", web.URL)
	notLive(t, side)
	results := newReplayer(&flags{}).file(t.Context(), "testdata/outside/conversation.yaml", &replay.Options{Live: true})
	if len(results) != 4 {
		t.Errorf("%d conversations", len(results))
	}
	for _, result := range results {
		for _, f := range result.Failures {
			t.Errorf("%s: turn %d: %s", result.Name, f.Turn, f.Diff)
		}
	}
	if diff := cmp.Diff([]string{`/api/orders/O-12345 {"reason":"changed my mind"}`}, side.writes); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
	if len(side.keys) != 1 || side.keys[""] {
		t.Errorf("idempotency keys %v", side.keys)
	}
}

// notLive plays the conversations without leave to write: the one with a write fails and shows the
// lines to add, and nothing is written.
func notLive(t *testing.T, side *shopService) {
	t.Helper()
	passed := map[string]bool{}
	var failures []string
	for _, result := range newReplayer(&flags{}).file(t.Context(), "testdata/outside/conversation.yaml", nil) {
		passed[result.Name] = result.Passed
		for _, f := range result.Failures {
			failures = append(failures, fmt.Sprintf("line %d, turn %d: %s", f.Line, f.Turn, f.Diff))
		}
	}
	want := map[string]bool{
		"an order of the service, and one that it does not have": true, "a write goes out once, after it was confirmed": false,
		"an action of a Rasa server, and one that it rejects": true, "an address inside the network is not called": true,
	}
	if diff := cmp.Diff(want, passed); diff != "" {
		t.Errorf("passed (-want +got):\n%s", diff)
	}
	const why = "line 16, turn 2: the tool cancelOrder (http) sends a request, so it was not called; add its answer to the conversation, " +
		"once for each call, or pass --live to call it for real:\n\ntools:\n  cancelOrder:\n    - result: {}\n"
	if diff := cmp.Diff([]string{why}, failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if len(side.writes) > 0 {
		t.Errorf("written: %v", side.writes)
	}
}
