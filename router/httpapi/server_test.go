package httpapi

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// The limits of NewServer hold: a header beyond them is refused before any handler.
func TestServerRefusesLargeHeaders(t *testing.T) {
	server := NewServer("", New(handlerFunc(echo), nil))
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.IdleTimeout <= 0 {
		t.Errorf("a slow client is never cut off: %+v", server)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	for size, want := range map[int]int{1 << 10: http.StatusOK, 64 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Large", strings.Repeat("x", size))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("a header of %d bytes: status %d, want %d", size, res.StatusCode, want)
		}
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != http.ErrServerClosed {
		t.Error(err)
	}
}
