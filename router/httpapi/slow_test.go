package httpapi

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// dial opens a connection that sends something and then nothing more.
func dial(t *testing.T, addr, sends string) net.Conn {
	t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, sends); err != nil {
		t.Fatal(err)
	}
	return conn
}

// Two hundred clients that never finish their header are cut off, and others are served
// in the meantime.
func TestSlowHeaders(t *testing.T) {
	addr := serveWith(t, New(handlerFunc(echo), nil), func(s *http.Server) { s.ReadHeaderTimeout = 300 * time.Millisecond })
	var slow []net.Conn
	for range 200 {
		slow = append(slow, dial(t, addr, "POST /chat HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
	}
	if got := get(t, "http://"+addr+"/healthz").StatusCode; got != http.StatusOK {
		t.Errorf("GET /healthz beside them: %d", got)
	}
	for _, conn := range slow {
		answer, err := io.ReadAll(conn) // until the server closes it; the test's own limit is that of go test
		if err != nil || strings.Contains(string(answer), "200 OK") {
			t.Fatalf("%q, %v", answer, err)
		}
	}
}

// A client that never finishes its body is told so and cut off.
func TestSlowBody(t *testing.T) {
	addr := serveWith(t, New(handlerFunc(echo), nil), func(s *http.Server) { s.ReadTimeout = 100 * time.Millisecond })
	conn := dial(t, addr, "POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"message\":")
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantProblem(t, res, http.StatusRequestTimeout, "slow_body")
	if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
		t.Errorf("the connection stays open: %q, %v", rest, err)
	}
}

// Who sends nothing at all between two requests is cut off too.
func TestIdleConnections(t *testing.T) {
	addr := serveWith(t, New(handlerFunc(echo), nil), func(s *http.Server) { s.IdleTimeout = 100 * time.Millisecond })
	conn := dial(t, addr, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK") {
		t.Errorf("%q, %v", answer, err)
	}
}
