package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/scripts/harness"
)

// fleetOf is a proxy in front of the given replicas, and what it has seen.
func fleetOf(t *testing.T, replicas ...http.HandlerFunc) (front *httptest.Server, rr *roundRobin, seen func() []answer) {
	t.Helper()
	var addrs []string
	for _, h := range replicas {
		if h == nil { // a dead one
			addr, err := harness.FreeAddress()
			if err != nil {
				t.Fatal(err)
			}
			addrs = append(addrs, addr)
			continue
		}
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		addrs = append(addrs, s.Listener.Addr().String())
	}
	var mu sync.Mutex
	var all []answer
	rr = newRoundRobin(addrs, func(a answer) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, a)
	})
	front = httptest.NewServer(rr)
	t.Cleanup(front.Close)
	return front, rr, func() []answer {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// ask posts a text, and returns the status, which replica answered and what.
func ask(ctx context.Context, url, text string) (status int, by, said string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat?x=1", strings.NewReader(text))
	if err != nil {
		return 0, "", "", err
	}
	req.Header.Set("Idempotency-Key", text) // for which net/http would send again
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header.Get(replicaHeader), string(body), err
}

// echo answers with what it was sent.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(http.StatusConflict)
	_, _ = w.Write([]byte(r.Method + " " + r.URL.String() + " " + string(body)))
}

func TestProxyGoesRound(t *testing.T) {
	front, _, seen := fleetOf(t, echo, echo, echo)
	count := map[string]int{}
	last := ""
	for range 6 {
		status, by, said, err := ask(t.Context(), front.URL, "hello")
		if err != nil || status != http.StatusConflict || said != "POST /chat?x=1 hello" {
			t.Fatalf("%d, %q, %v", status, said, err)
		}
		if by == last {
			t.Errorf("replica %s was asked twice in a row", by)
		}
		last = by
		count[by]++
	}
	if diff := cmp.Diff(map[string]int{"1": 2, "2": 2, "3": 2}, count); diff != "" {
		t.Error(diff)
	}
	for _, a := range seen() {
		if a.status != http.StatusConflict || a.after != "7" || a.method != http.MethodPost {
			t.Errorf("%+v", a)
		}
	}
}

func TestProxyPassesTheDeadBy(t *testing.T) {
	front, _, seen := fleetOf(t, nil, echo, nil)
	for range 4 {
		if _, by, said, err := ask(t.Context(), front.URL, "hello"); err != nil || by != "2" || !strings.HasSuffix(said, " hello") {
			t.Errorf("replica %q, %q, %v", by, said, err)
		}
	}
	if n := len(seen()); n != 4 {
		t.Errorf("%d answers", n)
	}
	front, _, seen = fleetOf(t, nil, nil)
	if status, by, _, err := ask(t.Context(), front.URL, "hello"); err != nil || status != http.StatusServiceUnavailable || by != "" || len(seen()) > 0 {
		t.Errorf("without replicas: %d by %q, %v, seen %v", status, by, err, seen())
	}
}

func TestProxyReadsProblems(t *testing.T) {
	texts := []string{`{"code":"draining"}`, `{"error":{"code":"busy"}}`, `no`}
	n := 0
	front, _, seen := fleetOf(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		http.Error(w, texts[n-1], http.StatusServiceUnavailable)
	})
	for _, want := range texts {
		if _, _, said, err := ask(t.Context(), front.URL, "hello"); err != nil || strings.TrimSpace(said) != want {
			t.Errorf("%q, %v", said, err)
		}
	}
	for i, want := range []string{"draining", "busy", ""} {
		if got := seen()[i].code; got != want {
			t.Errorf("code %q, want %q", got, want)
		}
	}
}

// What a replica has been sent nobody else gets, whatever became of it.
func TestProxySendsOnce(t *testing.T) {
	var mu sync.Mutex
	got := 0
	breaking := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		mu.Lock()
		got++
		mu.Unlock()
		panic(http.ErrAbortHandler)
	}
	half := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got++
		mu.Unlock()
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("half"))
		panic(http.ErrAbortHandler)
	}
	for name, h := range map[string]http.HandlerFunc{"no answer": breaking, "half an answer": half} {
		t.Run(name, func(t *testing.T) {
			front, _, _ := fleetOf(t, h, h)
			got = 0
			// A connection of its own: an old one would have the client send again.
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			res, err := client.Post(front.URL, "text/plain", strings.NewReader("hello"))
			if err == nil {
				_, err = io.ReadAll(res.Body)
				res.Body.Close()
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil || got != 1 {
				t.Errorf("error %v, sent %d times", err, got)
			}
		})
	}
}

// A replica that hangs keeps a client until that has had enough; its next try reaches another.
func TestProxyWaitsAsLongAsTheClient(t *testing.T) {
	asked, left := make(chan struct{}), make(chan struct{})
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		close(asked)
		<-r.Context().Done() // the proxy has hung up
		close(left)
	}
	front, rr, _ := fleetOf(t, echo, hang)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		if n := rr.busiest(); n != 1 {
			t.Errorf("replica %d is the busiest", n+1)
		}
		cancel()
	}()
	if _, _, _, err := ask(ctx, front.URL, "hello"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	<-left
	if _, by, _, err := ask(t.Context(), front.URL, "hello"); err != nil || by != "1" {
		t.Errorf("replica %q, %v", by, err)
	}
}

// What comes bit by bit is passed on bit by bit.
func TestProxyStreams(t *testing.T) {
	more := make(chan struct{})
	front, _, _ := fleetOf(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("one"))
		_ = http.NewResponseController(w).Flush()
		<-more
		_, _ = w.Write([]byte("two"))
	})
	res, err := http.Get(front.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	first := make([]byte, 3)
	if _, err := io.ReadFull(res.Body, first); err != nil {
		t.Fatal(err)
	}
	close(more)
	rest, err := io.ReadAll(res.Body)
	if string(first)+string(rest) != "onetwo" || err != nil {
		t.Errorf("%s%s, %v", first, rest, err)
	}
}
