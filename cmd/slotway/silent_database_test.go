package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/memory/postgres/postgrestest"
)

// wayTo is a way to a server on which nothing gets through while it is locked.
type wayTo struct{ sync.Mutex }

// layWay puts a way before the database of a dsn, and returns the dsn that leads over it.
func layWay(t *testing.T, dsn string) (*wayTo, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w, server := &wayTo{}, u.Host
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			running.Go(func() { w.pass(far, near) })
			running.Go(func() { w.pass(near, far) })
		}
	})
	t.Cleanup(func() { // behind the service, whose connections are closed by then
		listener.Close()
		running.Wait()
	})
	u.Host = listener.Addr().String()
	return w, u.String()
}

func (w *wayTo) pass(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		w.Lock()
		_, e := to.Write(buf[:n])
		w.Unlock()
		if err != nil || e != nil {
			return
		}
	}
}

// While the database is silent, and while only the way of the lanes to it is, the service is
// not ready, and whoever talks to it is told when to come again; a moment after the end of the
// silence both are over.
func TestSilentDatabase(t *testing.T) {
	for name, of := range map[string]string{"to all": "memory.dsn=", "to the lanes": "memory.direct_dsn="} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := postgrestest.Schema(t)
			way, over := layWay(t, dsn)
			_, handler, keys := keyed(t, []string{"memory.storage=postgres", "memory.dsn=" + dsn, of + over}, "owner=alice chat, read")
			ask := func(method, path, body string) *http.Response {
				req := httptest.NewRequest(method, path, strings.NewReader(body))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Authorization", "Bearer "+keys["owner"])
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, req)
				return w.Result()
			}
			chat := func() *http.Response {
				return ask(http.MethodPost, "/chat", `{"message": "where is O-12345?", "conversation_id": "s1", "message_id": "m1"}`)
			}
			ready := func() int { return ask(http.MethodGet, "/readyz", "").StatusCode }
			if got := ready(); got != http.StatusOK {
				t.Fatalf("GET /readyz: %d", got)
			}
			way.Lock()
			for range 2 { // one that finds out, and one that is spared that
				if res := chat(); res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
					text, _ := io.ReadAll(res.Body)
					t.Errorf("POST /chat while the database is silent: %d, Retry-After %q, %s", res.StatusCode, res.Header.Get("Retry-After"), text)
				}
			}
			if got := ready(); got != http.StatusServiceUnavailable {
				t.Errorf("GET /readyz while the database is silent: %d", got)
			}
			way.Unlock()
			for ready() != http.StatusOK && t.Context().Err() == nil {
				time.Sleep(time.Millisecond) // it is the condition that is waited for
			}
			if res := chat(); res.StatusCode != http.StatusOK {
				text, _ := io.ReadAll(res.Body)
				t.Errorf("POST /chat afterwards: %d %s", res.StatusCode, text)
			}
		})
	}
}
