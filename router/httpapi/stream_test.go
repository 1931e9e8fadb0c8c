package httpapi

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/router/httpapi/access"
)

// streaming is a face with a stream that says what comes on lines.
type streaming struct {
	api   *API
	lines chan string
	ended chan error // why a stream ended
}

func newStreaming(opts *Options) *streaming {
	s := &streaming{lines: make(chan string), ended: make(chan error, 8)}
	opts.Adapters = []Adapter{s}
	s.api = New(handlerFunc(echo), opts)
	return s
}

func (s *streaming) Routes(a *API) []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/stream", Scope: access.Read, Handler: func(w http.ResponseWriter, r *http.Request) {
			ctx, leave, err := a.Stream(w, r)
			if err != nil {
				WriteProblem(w, Explain(err))
				return
			}
			defer leave()
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			for {
				select {
				case <-ctx.Done():
					s.ended <- ctx.Err()
					return
				case line := <-s.lines:
					if _, err := io.WriteString(w, line+"\n"); err != nil {
						s.ended <- err
						return
					}
					_ = http.NewResponseController(w).Flush()
				}
			}
		}},
	}
}

// serveWith serves the API on a socket with the time limits that change sets.
func serveWith(t *testing.T, api http.Handler, change func(*http.Server)) (addr string) {
	t.Helper()
	server := NewServer("", api)
	change(server)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return listener.Addr().String()
}

func get(t *testing.T, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// A stream over a socket is read as it is written, and ends when the service drains.
func TestStreamsLastUntilDrain(t *testing.T) {
	s := newStreaming(&Options{})
	url := "http://" + serveWith(t, s.api, func(*http.Server) {})
	lines := bufio.NewScanner(get(t, url+"/stream").Body)
	for _, want := range []string{"one", "two"} {
		s.lines <- want
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("got %q, %v, want %q", lines.Text(), lines.Err(), want)
		}
	}
	if err := s.api.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-s.ended; err != context.Canceled {
		t.Errorf("the stream ended with %v", err)
	}
	if lines.Scan() {
		t.Errorf("another line %q", lines.Text())
	}
	wantProblem(t, get(t, url+"/stream"), 503, "draining")
}

func TestStreamsAreCountedAndEndWithTheirClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count := &tally{}
		s := newStreaming(&Options{MaxStreams: 2, Limited: count.add})
		ctx, hangUp := context.WithCancel(t.Context())
		open := func(ctx context.Context) *http.Response {
			return do(s.api, httptest.NewRequest("GET", "/stream", nil).WithContext(ctx))
		}
		go open(ctx)
		go open(t.Context())
		synctest.Wait()
		res := open(t.Context())
		if res.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		wantProblem(t, res, 503, "too_many_streams")
		hangUp()
		if err := <-s.ended; err != context.Canceled {
			t.Errorf("ended with %v", err)
		}
		synctest.Wait()
		go open(t.Context())
		synctest.Wait()
		if err := s.api.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-s.ended
		<-s.ended
		synctest.Wait()
		if n := len(s.api.streams.ends); n != 0 || count.of["streams"] != 1 {
			t.Errorf("%d streams are left, refused %v", n, count.of)
		}
	})
}

// A thousand streams end with Drain, and nothing of them is left: synctest fails for a
// goroutine that stays.
func TestThousandStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clients = 1000
		s := newStreaming(&Options{})
		s.ended = make(chan error, clients)
		for range clients {
			go do(s.api, httptest.NewRequest("GET", "/stream", nil))
		}
		synctest.Wait()
		if n := len(s.api.streams.ends); n != clients {
			t.Errorf("%d streams are open", n)
		}
		for range 100 { // some client reads each
			s.lines <- "hello"
		}
		if err := s.api.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := len(s.api.streams.ends); n != 0 || len(s.ended) != clients {
			t.Errorf("%d streams are left, %d ended", n, len(s.ended))
		}
	})
}

// deadlines records what is set on a connection.
type deadlines struct {
	http.ResponseWriter
	write []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error { d.write = append(d.write, t); return nil }

// Each write of a stream has ten seconds, and between writes there is no limit.
func TestWritesOfAStreamAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreaming(&Options{})
		d := &deadlines{ResponseWriter: httptest.NewRecorder()}
		go s.api.ServeHTTP(d, httptest.NewRequest("GET", "/stream", nil))
		synctest.Wait()
		if last := d.write[len(d.write)-1]; !last.IsZero() {
			t.Errorf("the stream as a whole must end at %v", last)
		}
		d.write = nil
		s.lines <- "hello"
		synctest.Wait()
		bound := time.Now().Add(writeTimeout)
		want := []time.Time{bound, {}, bound, {}} // the write, the flush
		if len(d.write) != len(want) {
			t.Fatalf("deadlines %v", d.write)
		}
		for i := range want {
			if !d.write[i].Equal(want[i]) {
				t.Errorf("deadline %d is %v, want %v", i, d.write[i], want[i])
			}
		}
		if err := s.api.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-s.ended
	})
}
