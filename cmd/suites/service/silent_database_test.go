package service

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory/postgres/postgrestest"

	"github.com/slotway/slotway/cmd/internal/runtimetest"
)

// While the database is silent, and while only the way of the lanes to it is, or that of a
// pooler, the service is not ready, and whoever talks to it is told when to come again; a moment
// after the end of the silence both are over.
func TestSilentDatabase(t *testing.T) {
	for name, ways := range map[string]func(t *testing.T) (way *postgrestest.Blackhole, dsn, direct string){
		"to all": func(t *testing.T) (*postgrestest.Blackhole, string, string) {
			way, over := postgrestest.NewBlackhole(t, postgrestest.Schema(t))
			return way, over, ""
		},
		"to the lanes": func(t *testing.T) (*postgrestest.Blackhole, string, string) {
			dsn := postgrestest.Schema(t)
			way, over := postgrestest.NewBlackhole(t, dsn)
			return way, dsn, over
		},
		"to a pooler": func(t *testing.T) (*postgrestest.Blackhole, string, string) {
			name, server := newDatabase(t), postgrestest.Server(t, postgrestest.DSN)
			way, over := postgrestest.NewBlackhole(t, server)
			return way, postgrestest.PgBouncer(t, over)(name), databaseAt(t, server, name)
		},
		"to a pooler and past it": func(t *testing.T) (*postgrestest.Blackhole, string, string) {
			name := newDatabase(t)
			way, over := postgrestest.NewBlackhole(t, postgrestest.Server(t, postgrestest.DSN))
			return way, postgrestest.PgBouncer(t, over)(name), databaseAt(t, over, name)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way, dsn, direct := ways(t)
			s := runtimetest.ServeWithKeys(t, []string{"memory.storage=postgres", "memory.dsn=" + dsn, "memory.direct_dsn=" + direct}, "owner=alice chat, read")
			ask := func(method, path, body string) *http.Response {
				req := httptest.NewRequest(method, path, strings.NewReader(body))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Authorization", "Bearer "+s.Keys["owner"])
				w := httptest.NewRecorder()
				s.ServeHTTP(w, req)
				return w.Result()
			}
			chat := func() *http.Response {
				return ask(http.MethodPost, "/chat", `{"message": "where is O-12345?", "conversation_id": "s1", "message_id": "m1"}`)
			}
			ready := func() int { return ask(http.MethodGet, "/readyz", "").StatusCode }
			if got := ready(); got != http.StatusOK {
				t.Fatalf("GET /readyz: %d", got)
			}
			way.Drop()
			for range 2 { // one that finds out, and one that is spared that
				if res := chat(); res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
					text, _ := io.ReadAll(res.Body)
					t.Errorf("POST /chat while the database is silent: %d, Retry-After %q, %s", res.StatusCode, res.Header.Get("Retry-After"), text)
				}
			}
			if got := ready(); got != http.StatusServiceUnavailable {
				t.Errorf("GET /readyz while the database is silent: %d", got)
			}
			way.Forward()
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
