package runtimetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/tools"
)

// ToolFunc is a tool that cannot fail.
type ToolFunc func(tools.Call) any

// Call implements tools.Tool.
func (f ToolFunc) Call(_ context.Context, call tools.Call) (any, error) { return f(call), nil }

// Shop is the embedded agent with tools that note which orders are cancelled. It is served over
// HTTP too.
type Shop struct {
	*Runtime

	URL string

	mu        sync.Mutex // guards cancelled
	cancelled []string
}

// OpenShop opens the shop with settings. The test fails if an answer differs from /openapi.json.
func OpenShop(t *testing.T, set ...string) *Shop {
	t.Helper()
	return OpenShopOn(t, "", set...)
}

// OpenShopOn is OpenShop with a data folder.
func OpenShopOn(t *testing.T, data string, set ...string) *Shop {
	t.Helper()
	s := &Shop{}
	order := ToolFunc(func(call tools.Call) any {
		return map[string]any{"id": call.Args["order_id"], "item": "wool blanket", "status": "pending", "eta": "Friday", "total": 1.0}
	})
	cancel := ToolFunc(func(call tools.Call) any {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancelled = append(s.cancelled, fmt.Sprint(call.Args["order_id"]))
		return 1.0
	})
	s.Runtime = Open(t, Config{Data: data, Set: append([]string{"telemetry.log=none", "server.limits.rate=0"}, set...), Options: slotway.Options{
		Tools: map[string]tools.Tool{"get_order": order, "order_exists": order, "cancel_order": cancel},
	}})
	server := httptest.NewServer(Checked(t, Serve(s.Runtime)))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.URL = server.URL
	return s
}

// Cancelled returns the orders that were cancelled since the last call.
func (s *Shop) Cancelled() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	orders := s.cancelled
	s.cancelled = nil
	return orders
}

// WantCancelled fails the test unless these orders were cancelled, since the shop opened.
func (s *Shop) WantCancelled(orders ...string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(orders, s.cancelled); diff != "" {
		s.t.Errorf("cancelled (-want +got)\n%s", diff)
	}
}

// Chat posts to /chat. The names and values of further fields follow the message.
func (s *Shop) Chat(conversation, message string, fields ...any) (status int, body map[string]any) {
	s.t.Helper()
	in := map[string]any{"message": message, "conversation_id": conversation}
	for i := 0; i+1 < len(fields); i += 2 {
		in[fields[i].(string)] = fields[i+1]
	}
	text, err := json.Marshal(in)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.URL+"/chat", bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, body
}

// OtherTab says no to the open question in another tab, and asks for another order to be
// cancelled. seen is the turn after which the other tab stands.
func (s *Shop) OtherTab(conversation string, seen any) {
	s.t.Helper()
	for _, text := range []string{"no", "cancel order O-20112"} {
		status, body := s.Chat(conversation, text, "after_turn", seen)
		if status != http.StatusOK {
			s.t.Fatalf("%q: %d %v", text, status, body)
		}
		seen = body["turn"]
		if text != "no" && !strings.HasPrefix(body["reply"].(string), "Cancel order O-20112") {
			s.t.Fatalf("the other tab is asked %q", body["reply"])
		}
	}
}

// Cancellations counts the orders that the sessions of a user have cancelled, by their journals.
func (r *Runtime) Cancellations(user string) int {
	r.t.Helper()
	list, err := r.Store().Sessions(r.t.Context(), memory.Query{UserID: user})
	if err != nil {
		r.t.Fatal(err)
	}
	n := 0
	for _, info := range list {
		steps, err := r.Store().Steps(r.t.Context(), info.Key)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, step := range steps {
			if step.Tool == "cancel_order" && step.Status == memory.StepDone {
				n++
			}
		}
	}
	return n
}
