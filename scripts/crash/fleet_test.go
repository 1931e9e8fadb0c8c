package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// fleetOf is a proxy in front of the given replicas, and what it has seen.
func fleetOf(t *testing.T, replicas ...http.HandlerFunc) (front *httptest.Server, rr *roundRobin, seen func() []answer) {
	t.Helper()
	var addrs []string
	for _, h := range replicas {
		if h == nil { // a dead one
			addr, err := freeAddress()
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

// echoServer is a server at the far end of a link; it sends back what it gets.
func echoServer(t *testing.T) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	return listener.Addr().String()
}

func newTestLink(t *testing.T) *link {
	t.Helper()
	l, err := newLink(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

// say sends a line on a connection and reads it back.
func exchange(t *testing.T, c net.Conn, text string) {
	t.Helper()
	back := make([]byte, len(text))
	_, err := c.Write([]byte(text))
	if err == nil {
		_, err = io.ReadFull(c, back)
	}
	if err != nil || string(back) != text {
		t.Errorf("%q came back as %q, %v", text, back, err)
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// What is sent while a link is held arrives when it carries again, over the same connection.
func TestLinkHolds(t *testing.T) {
	l := newTestLink(t)
	old := dial(t, l.addr)
	exchange(t, old, "before")
	l.hold()
	fresh := dial(t, l.addr)
	got := make(chan string)
	for _, c := range []net.Conn{old, fresh} {
		if _, err := c.Write([]byte("held")); err != nil {
			t.Fatal(err)
		}
		go func() {
			back := make([]byte, 4)
			if _, err := io.ReadFull(c, back); err != nil {
				t.Error(err)
			}
			got <- string(back)
		}()
	}
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if text := <-got; text != "held" {
			t.Errorf("%q", text)
		}
	}
	exchange(t, old, "after")
}

// What was sent by somebody who has given up meanwhile arrives nevertheless.
func TestLinkDeliversLate(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	l, err := newLink(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.hold()
	c := dial(t, l.addr)
	if _, err := c.Write([]byte("commit")); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	if text, err := io.ReadAll(far); string(text) != "commit" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLinkRefuses(t *testing.T) {
	l := newTestLink(t)
	old := dial(t, l.addr)
	exchange(t, old, "before")
	l.refuse()
	if _, err := old.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("the connection ends with %v, want a reset", err)
	}
	if c, err := net.Dial("tcp", l.addr); err == nil {
		c.Close()
		t.Error("a connection is taken")
	}
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	exchange(t, dial(t, l.addr), "after")
}

func TestTallyOfStatuses(t *testing.T) {
	var tl tally
	tl.begin(2)
	p := &partition{Statuses: map[string]int{}}
	tl.add(answer{status: 200, method: http.MethodPost})
	tl.watch(p)
	if _, all := tl.answered(); all {
		t.Error("an answer from before counts")
	}
	for _, a := range []answer{
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 7e6},
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 3e6, code: "draining"},
		{replica: 0, method: http.MethodPost, status: 503, after: "1", took: 9e6},
		{replica: 1, method: http.MethodPost, status: 503},
		{replica: 1, method: http.MethodPost, status: 500},
		{replica: 1, method: http.MethodPost, status: 404},
		{replica: 1, method: http.MethodDelete, status: 404},
		{replica: 0, method: http.MethodPost, status: 429},
		{replica: 0, method: http.MethodPost, status: 504},
	} {
		tl.add(a)
	}
	want := &partition{Statuses: map[string]int{"503": 4, "500": 1, "404": 2, "429": 1, "504": 1}, Unavailable: 3, MedianMS: 7, SlowestMS: 9}
	p.measure()
	if diff := cmp.Diff(want, p, cmpopts.IgnoreUnexported(partition{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"": 8, "draining": 1}, tl.codes); diff != "" {
		t.Error(diff)
	}
	if tl.bare != 1 || tl.odd != 2 {
		t.Errorf("%d without Retry-After, %d unexpected", tl.bare, tl.odd)
	}
	tl.watch(nil)
	tl.add(answer{replica: 0, status: 200})
	if _, all := tl.answered(); all {
		t.Error("one replica has not answered yet")
	}
	tl.add(answer{replica: 1, status: 200})
	if first, all := tl.answered(); !all || first[0].After(first[1]) {
		t.Errorf("%v", first)
	}
	if diff := cmp.Diff(4, p.Statuses["503"]); diff != "" {
		t.Error("a partition that is over still counts")
	}
}

func TestConversationsThatMove(t *testing.T) {
	question := "append"
	asks := reply{Confirming: &question}
	done := reply{}
	if err := json.Unmarshal([]byte(`{"tool_calls":[{"tool":"append","status":"ok"}]}`), &done); err != nil {
		t.Fatal(err)
	}
	r := fleetReport{Replicas: 3}
	for _, turns := range [][]said{
		{{by: 1}, {by: 1}},
		{{by: 1}, {by: 2}, {by: 2}, {by: 3}},
		{{by: 2, reply: asks}, {by: 3, reply: done}, {by: 1, reply: asks}, {by: 1, reply: done}},
		{{by: 0}, {by: 2}},
	} {
		r.take(&session{turns: turns})
	}
	want := fleetReport{Replicas: 3, SessionsOnSeveral: 2, MovedTurns: 4, MovedConfirmations: 1}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if bad := r.violations(); len(bad) > 0 {
		t.Errorf("a good run fails: %q", bad)
	}
	for name, spoil := range map[string]func(*fleetReport){
		"nothing moved":     func(r *fleetReport) { r.MovedTurns = 0 },
		"no yes moved":      func(r *fleetReport) { r.MovedConfirmations = 0 },
		"bare 503":          func(r *fleetReport) { r.Bare = 1 },
		"500":               func(r *fleetReport) { r.Odd = 1 },
		"no partition":      func(r *fleetReport) { r.NoPartition = 1 },
		"a silent database": func(r *fleetReport) { r.Partitions = []*partition{{Kind: held}} },
	} {
		bad := r
		spoil(&bad)
		if got := bad.violations(); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
	if bad := (&fleetReport{Replicas: 1}).violations(); len(bad) > 0 {
		t.Errorf("one replica alone: %q", bad)
	}
}

func TestPartitionsAreSpread(t *testing.T) {
	f := &fleet{cut: 1}
	made := 0
	var at []int
	for over := range 100 {
		if _, due := f.due(float64(over)/100, made); due {
			at = append(at, over)
			made++
		}
	}
	if diff := cmp.Diff([]int{34, 67}, at); diff != "" {
		t.Error(diff)
	}
	if _, due := (&fleet{}).due(1, 0); due {
		t.Error("one is made that nobody asked for")
	}
}

func TestWrongFleetFlags(t *testing.T) {
	for _, args := range []string{
		"-replicas -1", "-replicas 3", "-dsn postgres://u@h/d", "-partition 1s", "-replicas 1 -partition 1s",
		"-replicas 1 -sessions 0", "-sessions 5", "-cycles 3 -minutes 1", "-minutes -1", "-memory -replicas 1",
	} {
		if code := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); code != 2 {
			t.Errorf("%s: exit code %d, want 2", args, code)
		}
	}
}

// A dsn may hold a password.
func TestDSN(t *testing.T) {
	d := &pgDatabase{dsn: "postgres://user:hunter2@db.example:6000/name?sslmode=disable"}
	got, err := d.by("127.0.0.1:7")
	if want := "postgres://user:hunter2@127.0.0.1:7/name?sslmode=disable"; got != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if addr, err := d.address(); addr != "db.example:6000" || err != nil {
		t.Errorf("%s, %v", addr, err)
	}
	for _, dsn := range []string{"host=h password=hunter2", "postgres://user:hunter2@h:x/d", "mysql://user:hunter2@h/d"} {
		if _, err := postgresURL(dsn); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

// Replicas, end to end: one on a file, where there is no server.
func TestOneReplica(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the binary and kills it")
	}
	var stdout, stderr bytes.Buffer
	args := []string{"-replicas", "1", "-cycles", "2", "-clients", "6", "-sessions", "12", "-seed", "4", "-json"}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
	var r report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Cycles != 2 || r.Sessions != 12 || r.Fleet.Statuses["200"] == 0 {
		t.Errorf("%v in %s", err, stdout.String())
	}
}
