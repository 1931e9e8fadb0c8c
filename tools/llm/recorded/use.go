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

// Client is an HTTP client, for llm.Options, that plays a file. The test fails at its end
// for each request that is not recorded.
func Client(tb testing.TB, path string) *http.Client {
	tb.Helper()
	return &http.Client{
		Transport:     insert(tb, path),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Server is the URL, without a path, of a server that plays a file until the end of the
// test, which fails for each request that is not recorded.
func Server(tb testing.TB, path string) string {
	tb.Helper()
	tape := insert(tb, path)
	upstream := &url.URL{Scheme: "http", Host: "recorded.invalid"} // is never asked
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

// insert opens a tape for the time of a test.
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

// handler answers with a tape in the place of upstream.
type handler struct {
	tape     *Tape
	upstream *url.URL
}

// ServeHTTP answers a request that is not recorded with 501, which nobody asks again.
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
	_, _ = io.Copy(w, resp.Body) // a client that is gone
}
