package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestFlood sends far more than the limits admit, over real connections. A refused request gets a
// time to retry and leaves no trace. An admitted one is answered correctly and stored once.
func TestFlood(t *testing.T) {
	for _, limits := range [][]string{{"server.limits.in_flight=2"}, {"server.limits.rate=20/s"}} {
		t.Run(limits[0], func(t *testing.T) {
			s := runtimetest.ServeWithKeys(t, limits, "web=alice chat, read")
			server := httptest.NewServer(s)
			defer server.Close()
			f := &flood{url: server.URL + "/chat", key: s.Keys["web"], client: &http.Client{Transport: &http.Transport{MaxConnsPerHost: 64}}}
			var wg sync.WaitGroup
			for client := range 64 {
				wg.Go(func() {
					for n := range 8 {
						f.say(t, fmt.Sprintf("s%d", client%16), fmt.Sprintf("m%d-%d", client, n))
					}
				})
			}
			wg.Wait()
			f.client.CloseIdleConnections()
			if f.admitted() == 0 || len(f.refused) == 0 {
				t.Fatalf("%d were admitted and %d refused: this shows nothing", f.admitted(), len(f.refused))
			}
			for session, turns := range f.answered {
				snap, err := s.Runtime.Store().Load(t.Context(), memory.Key{UserID: "alice", AgentID: "shop", SessionID: session}, memory.LoadOptions{})
				if err != nil || snap.Turns != int64(turns) {
					t.Errorf("%s: %d turns were answered and %d are stored, %v", session, turns, snap.Turns, err)
				}
			}
			slices.Sort(f.refused)
			slices.Sort(f.took)
			t.Logf("%d admitted, p50 %s; %d refused, p50 %s", len(f.took), f.took[len(f.took)/2], len(f.refused), f.refused[len(f.refused)/2])
		})
	}
}

// flood is many clients of one service.
type flood struct {
	url, key string
	client   *http.Client

	mu       sync.Mutex // guards what follows
	answered map[string]int
	took     []time.Duration
	refused  []time.Duration // how long the refusals took
}

func (f *flood) admitted() int { return len(f.took) }

func (f *flood) say(t *testing.T, session, id string) {
	body := fmt.Sprintf(`{"message": "where is O-12345?", "conversation_id": %q, "message_id": %q}`, session, id)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.url, bytes.NewBufferString(body))
	if err != nil {
		t.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+f.key)
	begun := time.Now()
	res, err := f.client.Do(req)
	if err != nil {
		t.Error(err)
		return
	}
	defer res.Body.Close()
	var out struct {
		Reply, Code string
		Turn        int
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		t.Error(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case res.StatusCode == http.StatusOK:
		if want := "Order O-12345, wool blanket, is pending. Expected arrival: Friday."; out.Reply != want {
			t.Errorf("reply %q, want %q", out.Reply, want)
		}
		if f.answered == nil {
			f.answered = map[string]int{}
		}
		f.answered[session]++
		f.took = append(f.took, time.Since(begun))
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable:
		if res.Header.Get("Retry-After") == "" || out.Code == "" {
			t.Errorf("status %d, code %q without a word on when to come back", res.StatusCode, out.Code)
		}
		f.refused = append(f.refused, time.Since(begun))
	default:
		t.Errorf("status %d, code %q", res.StatusCode, out.Code)
	}
}
