package faulttest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// canary is in everything that the servers send.
const canary = "CANARY-fault"

// Limits for every client.
const (
	maxSent  = 64 << 20  // bytes read of an answer, and what the sockets hold
	maxAlloc = 256 << 20 // bytes allocated for a call, in all and by both sides
)

// Short and Long are timeouts for clients: Short if nothing else ends the fault.
const (
	Short = 300 * time.Millisecond
	Long  = 30 * time.Second
)

// Server serves one fault.
type Server struct {
	URL string // base URL; http, but for [Fault.TLS]

	begin uint64 // bytes allocated when it started
	asked atomic.Int64
	sent  atomic.Int64
	lured atomic.Int64
}

// Start serves a fault until the test ends. pass answers the requests that are not part of the
// fault, such as a handshake before it; they are not counted. pass may be nil.
func Start(t testing.TB, f Fault, pass func(http.ResponseWriter, *http.Request) bool) *Server {
	t.Helper()
	s := &Server{begin: allocated()}
	if f.raw != nil {
		s.listen(t, f)
		return s
	}
	bait := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, canary) { // else it is a stranger's, who had the port before
			s.lured.Add(1)
		}
	}))
	t.Cleanup(bait.Close)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pass != nil && pass(w, r) {
			return
		}
		s.asked.Add(1)
		f.serve(&counted{ResponseWriter: w, sent: &s.sent}, r, env{bait: bait.URL, done: done})
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(done) }) // before the server waits for its requests
	s.URL = server.URL
	return s
}

// listen serves a fault that does not speak HTTP.
func (s *Server) listen(t testing.TB, f Fault) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "http://" + l.Addr().String()
	if f.TLS {
		s.URL = "https://" + l.Addr().String()
	}
	ended := make(chan struct{})
	go func() { // ends with the listener
		defer close(ended)
		f.raw(l)
	}()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	if f.Name == refuses {
		<-ended
	}
}

// Asked returns how many requests have reached the fault.
func (s *Server) Asked() int { return int(s.asked.Load()) }

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// Check fails the test if a client read or kept too much, followed a redirect to another server, or
// repeats in err what it was sent or where the server is. It is for tests that are not parallel.
func (s *Server) Check(t testing.TB, err error) {
	t.Helper()
	if n := allocated() - s.begin; n > maxAlloc {
		t.Errorf("%d bytes were allocated", n)
	}
	if n := s.sent.Load(); n > maxSent {
		t.Errorf("the client read %d bytes", n)
	}
	if n := s.lured.Load(); n > 0 {
		t.Errorf("the client followed a redirect to another server, %d times", n)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		text := fmt.Sprintf("%v %+v %#v", cause, cause, cause)
		for _, leak := range []string{canary, "127.0.0.1", "169.254", "10.20.30.40"} {
			if strings.Contains(text, leak) {
				t.Errorf("the error holds %q: %s", leak, text)
			}
		}
	}
}

// counted counts what a client reads.
type counted struct {
	http.ResponseWriter
	sent *atomic.Int64
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

// Unwrap is for http.ResponseController.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
