package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/slotway/slotway/memory"
)

// Two hundred clients talk to twenty sessions at once, ten to a session. Every turn is
// answered, no turn number is given out twice, and the stored history has every question
// with its answer right behind it.
func TestManyClientsFewSessions(t *testing.T) {
	const clients, sessions, each = 200, 20, 3
	r, store, _ := newRouter(t)
	server := httptest.NewServer(watched(New(r, nil)))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()

	var mu sync.Mutex
	turns := map[string]map[int64]bool{}
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			session := fmt.Sprintf("s%d", c%sessions)
			for k := range each {
				body := fmt.Sprintf(`{"message":"good day to you","conversation_id":%q,"message_id":"m%d-%d"}`, session, c, k)
				res, err := client.Post(server.URL+"/chat", "application/json", bytes.NewReader([]byte(body)))
				if err != nil {
					t.Error(err)
					return
				}
				var got chatReply
				err = json.NewDecoder(res.Body).Decode(&got)
				res.Body.Close()
				if err != nil || res.StatusCode != http.StatusOK || got.Reply.Reply != "Good day." {
					t.Errorf("status %d, reply %q, %v", res.StatusCode, got.Reply.Reply, err)
					return
				}
				mu.Lock()
				if turns[session] == nil {
					turns[session] = map[int64]bool{}
				}
				if turns[session][got.Turn] {
					t.Errorf("turn %d of %s was answered twice", got.Turn, session)
				}
				turns[session][got.Turn] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for s := range sessions {
		checkHistory(t, store, fmt.Sprintf("s%d", s), clients/sessions*each)
	}
}

func checkHistory(t *testing.T, store memory.Backend, session string, turns int) {
	t.Helper()
	messages, err := store.Messages(t.Context(), memory.Key{UserID: "local", AgentID: "notes", SessionID: session}, memory.Page{})
	if err != nil {
		t.Error(err)
		return
	}
	if len(messages) != 2*turns {
		t.Errorf("%s has %d messages, want %d", session, len(messages), 2*turns)
	}
	for i, m := range messages {
		role := []memory.Role{memory.User, memory.Agent}[i%2]
		if m.Seq != int64(i)+1 || m.Turn != int64(i/2)+1 || m.Role != role {
			t.Errorf("%s: message %d is seq %d, turn %d, by %s", session, i, m.Seq, m.Turn, m.Role)
			return
		}
	}
}
