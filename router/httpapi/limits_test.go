package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

// tally counts what Options.Limited is told.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

func (t *tally) add(reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[string]int{}
	}
	t.of[reason]++
}

// from is a request to say something from an address.
func from(remote string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader(`{"message":"hi"}`))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.RemoteAddr = remote
	return r
}

func TestRateOfAnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count := &tally{}
		api := New(handlerFunc(echo), &Options{Rate: 0.5, Limited: count.add}) // one in two seconds, a burst of one
		status := func(remote string) int { return do(api, from(remote)).StatusCode }
		steps := []struct {
			remote string
			want   int
		}{
			{"192.0.2.1:1000", 200},
			{"192.0.2.1:2000", 429},       // another port is the same client
			{"[::ffff:192.0.2.1]:1", 429}, // and another way to write the address
			{"192.0.2.2:1000", 200},
			{"[2001:db8:0:1::1]:1", 200},
			{"[2001:db8:0:1:ffff::2]:1", 429}, // the same subscriber
			{"[2001:db8:0:2::1]:1", 200},
			{"[fe80::1%eth0]:1", 200},
			{"[fe80::1%eth1]:1", 429},
			{"@", 200},
			{"", 429}, // what has no address is one client
		}
		for _, s := range steps {
			if got := status(s.remote); got != s.want {
				t.Errorf("from %s: %d, want %d", s.remote, got, s.want)
			}
		}
		time.Sleep(500 * time.Millisecond)
		res := do(api, from("192.0.2.1:1000", "X-Forwarded-For", "198.51.100.7"))
		if got := res.Header.Get("Retry-After"); got != "2" { // 1.5 seconds, rounded up
			t.Errorf("Retry-After is %q, want 2", got)
		}
		wantProblem(t, res, 429, "rate_limited")
		if got := do(api, httptest.NewRequest("GET", "/healthz", nil)).StatusCode; got != 200 {
			t.Errorf("GET /healthz: %d", got)
		}
		time.Sleep(2 * time.Second)
		if got := status("192.0.2.1:1000"); got != 200 {
			t.Errorf("after waiting as told: %d", got)
		}
		if diff := cmp.Diff(map[string]int{"rate": 6}, count.of); diff != "" {
			t.Errorf("refused (-want +got)\n%s", diff)
		}
	})
}

// guests knows some keys by their text.
type guests map[string]access.Identity

func (g guests) Identify(r *http.Request) (access.Identity, error) {
	id, ok := g[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !ok {
		return access.Identity{}, access.ErrNoCredentials
	}
	return id, nil
}

func TestRateOfAnIdentity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := New(handlerFunc(echo), &Options{Rate: 1, Access: guests{
			"a": {Name: "bot", UserID: "ann", Scopes: access.Scopes}, "b": {Name: "bot", UserID: "bob", Scopes: access.Scopes},
			"r": {Name: "reader", UserID: "ann", Scopes: []access.Scope{access.Read}},
		}})
		for i, s := range []struct {
			key    string
			remote string
			want   int
		}{
			{"a", "192.0.2.1:1", 200},
			{"a", "192.0.2.2:1", 200},
			{"a", "192.0.2.3:1", 429}, // wherever it comes from
			{"b", "192.0.2.1:1", 200}, // another user of the same service
			{"r", "192.0.2.1:1", 403},
			{"r", "192.0.2.1:1", 403},
			{"r", "192.0.2.1:1", 429}, // what it may not do counts too
		} {
			if got := do(api, from(s.remote, "Authorization", "Bearer "+s.key)).StatusCode; got != s.want {
				t.Errorf("step %d: %d, want %d", i, got, s.want)
			}
		}
	})
}

// Wrong keys are held to a rate by address; a right one from the same address is not.
func TestRateOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count := &tally{}
		api := New(handlerFunc(echo), &Options{Rate: 1, Limited: count.add, Access: guests{"a": {Name: "a", UserID: "ann", Scopes: access.Scopes}}})
		try := func(remote, key string) *http.Response {
			return do(api, from(remote, "Authorization", "Bearer "+key))
		}
		for i, want := range []int{401, 401, 429, 429} {
			res := try("192.0.2.1:1", "wrong")
			if res.StatusCode != want || (res.Header.Get("WWW-Authenticate") != "") != (want == 401) || (res.Header.Get("Retry-After") != "") != (want == 429) {
				t.Errorf("try %d: %d with %v, want %d", i, res.StatusCode, res.Header, want)
			}
		}
		if got := try("192.0.2.1:1", "a").StatusCode; got != 200 {
			t.Errorf("the right key from there: %d", got)
		}
		if got := try("192.0.2.2:1", "wrong").StatusCode; got != 401 {
			t.Errorf("a wrong key from elsewhere: %d", got)
		}
		if diff := cmp.Diff(map[string]int{"auth": 2}, count.of); diff != "" {
			t.Errorf("refused (-want +got)\n%s", diff)
		}
	})
}

func TestNoRateIsNoLimit(t *testing.T) {
	api := New(handlerFunc(echo), nil)
	for range 200 {
		if got := do(api, from("192.0.2.1:1")).StatusCode; got != 200 {
			t.Fatalf("status %d", got)
		}
	}
	if n := api.requestRate.known.Len(); n != 0 {
		t.Errorf("%d clients are kept", n)
	}
}

func TestTableOfClientsIsBounded(t *testing.T) {
	c := newRateLimits(1)
	for i := range 2 * maxClients {
		c.reserve(fmt.Sprint(i))
		c.reserve("regular") // is never the one that was silent longest
	}
	if n := c.known.Len(); n != maxClients {
		t.Errorf("%d clients in the table", n)
	}
	if c.reserve("regular") == 0 {
		t.Error("the regular client was forgotten")
	}
}

func TestLimitsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count, goOn := &tally{}, make(chan struct{})
		var fail error
		api := New(handlerFunc(func(ctx context.Context, in router.Interaction) (router.Reply, error) {
			<-goOn
			if fail != nil {
				return router.Reply{}, fail
			}
			return echo(ctx, in)
		}), &Options{MaxInFlight: 1, MaxBody: 1024, Limited: count.add})
		go post(api, `{"message":"hi"}`)
		synctest.Wait()
		post(api, `{"message":"hi"}`)
		close(goOn)
		synctest.Wait()
		post(api, `{"message":"`+strings.Repeat("x", 2000)+`"}`)
		fail = fmt.Errorf("lane: %w", router.ErrBusy)
		post(api, `{"message":"hi"}`)
		fail = memory.ErrCorrupt // no limit
		post(api, `{"message":"hi"}`)
		if err := api.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		post(api, `{"message":"hi"}`)
		want := map[string]int{"in_flight": 1, "body": 1, "queue": 1, "draining": 1}
		if diff := cmp.Diff(want, count.of); diff != "" {
			t.Errorf("refused (-want +got)\n%s", diff)
		}
	})
}

// Five hundred requests at once against a rate and few places: each is answered, those
// that were let in are answered rightly, and nothing else was stored.
func TestFlood(t *testing.T) {
	const flood, sessions = 500, 10
	r, store, _ := newRouter(t)
	api := New(r, &Options{Rate: 100, MaxInFlight: 8})
	var mu sync.Mutex
	got, answered := map[int]int{}, map[string]int64{}
	var wg sync.WaitGroup
	for i := range flood {
		wg.Go(func() {
			session := fmt.Sprintf("s%d", i%sessions)
			res := post(api, fmt.Sprintf(`{"message":"good day to you","conversation_id":%q}`, session))
			mu.Lock()
			defer mu.Unlock()
			got[res.StatusCode]++
			switch {
			case res.StatusCode == http.StatusOK:
				answered[session]++
				if reply := decode[chatReply](t, res); reply.Reply.Reply != "Good day." || reply.ConversationID != session {
					t.Errorf("reply %+v", reply)
				}
			case res.Header.Get("Retry-After") == "":
				t.Errorf("status %d without Retry-After", res.StatusCode)
			}
		})
	}
	wg.Wait()
	if got[200] == 0 || got[429] == 0 || got[200]+got[429]+got[503] != flood {
		t.Errorf("answers by status: %v", got)
	}
	for session, n := range answered {
		snap, err := store.Load(t.Context(), memory.Key{UserID: "local", AgentID: "notes", SessionID: session}, memory.LoadOptions{})
		if err != nil || snap.Turns != n {
			t.Errorf("%s has %d turns, %d were answered (%v)", session, snap.Turns, n, err)
		}
	}
}

func TestServedIsToldTheRoute(t *testing.T) {
	var got []string
	api := New(handlerFunc(echo), &Options{
		Served: func(route, method string, status int, took time.Duration) {
			got = append(got, fmt.Sprintf("%s %s %d %t", method, route, status, took >= 0))
		},
		Adapters: []Adapter{faceFunc(func(*API) []Route {
			return []Route{
				{Method: "GET", Path: "/v1/things/{id}", Handler: func(http.ResponseWriter, *http.Request) {}},
				{Method: "GET", Path: "/v1/broken", Handler: func(http.ResponseWriter, *http.Request) { panic("x") }},
			}
		})},
	})
	for _, r := range []string{"POST /chat", "GET /healthz", "GET /v1/things/" + secret, "DELETE /v1/things/" + secret, "GET /v1/broken", "GET /" + secret, "BREW /chat"} {
		method, path, _ := strings.Cut(r, " ")
		do(api, httptest.NewRequest(method, path, nil))
	}
	want := []string{
		"POST /chat 415 true", "GET /healthz 200 true", "GET /v1/things/{id} 200 true", "DELETE /v1/things/{id} 405 true",
		"GET /v1/broken 500 true", "GET other 404 true", "other /chat 405 true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Served (-want +got)\n%s", diff)
	}
	paths := []string{}
	for _, r := range api.Routes() {
		paths = append(paths, r.Path)
	}
	if !slices.Contains(paths, "/v1/things/{id}") {
		t.Errorf("routes %v", paths)
	}
}

// faceFunc is a Adapter.
type faceFunc func(*API) []Route

func (f faceFunc) Routes(a *API) []Route { return f(a) }
