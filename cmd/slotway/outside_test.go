package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	results := newReplayer(&flags{}).file(t.Context(), "testdata/outside/conversation.yaml", nil)
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
