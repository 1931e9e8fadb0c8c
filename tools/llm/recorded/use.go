package recorded

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"
)

// Client returns an HTTP client for llm.Options that replays a file. The test fails for each
// request that is not in the file.
func Client(tb testing.TB, path string) *http.Client {
	tb.Helper()
	return &http.Client{
		Transport:     insert(tb, path),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Server returns the URL, without a path, of a server that replays a file until the end of the
// test. The test fails for each request that is not in the file.
func Server(tb testing.TB, path string) string {
	tb.Helper()
	tape := insert(tb, path)
	upstream := &url.URL{Scheme: "http", Host: "recorded.invalid"} // never asked
	if tape.Recording() {
		u, err := url.Parse(os.Getenv(serverEnv))
		if err != nil || u.Host == "" {
			tb.Fatalf("%s is no URL of a server to record", serverEnv)
		}
		upstream = u
	}
	server := httptest.NewServer(handler{tape, upstream})
	tb.Cleanup(server.Close)
	return server.URL
}

// insert opens a tape for the duration of a test.
func insert(tb testing.TB, path string) *Tape {
	tb.Helper()
	tape, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		for _, request := range tape.Missed() {
			tb.Errorf("%v in %s of %s", ErrNotRecorded, path, request)
		}
		if tb.Failed() {
			return
		}
		if err := tape.Save(); err != nil {
			tb.Error(err)
		}
	})
	return tape
}

// handler answers from a tape in place of upstream.
type handler struct {
	tape     *Tape
	upstream *url.URL
}

// ServeHTTP answers 501, which no client retries, to a request that is not in the file.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host, out.Host = h.upstream.Scheme, h.upstream.Host, h.upstream.Host
	resp, err := h.tape.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotImplemented)
		return
	}
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body) // the client may be gone
}
