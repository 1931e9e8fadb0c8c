package service

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/internal/test/wiretest"
)

// TestSilentDatabase: while the database does not answer, or while only its connections for session
// locks or those of a pooler are blackholed, the service is not ready and answers turns with a time
// to retry. It recovers a moment after that.
func TestSilentDatabase(t *testing.T) {
	for name, ways := range map[string]func(t *testing.T) (way *wiretest.Wire, dsn, direct string){
		"to all": func(t *testing.T) (*wiretest.Wire, string, string) {
			way := wiretest.New(t, postgrestest.Schema(t), nil)
			return way, way.URL, ""
		},
		"to a pooler": func(t *testing.T) (*wiretest.Wire, string, string) {
			name, server := newDatabase(t), postgrestest.Server(t, postgrestest.DSN)
			way := wiretest.New(t, server, nil)
			return way, postgrestest.PgBouncer(t, way.URL)(name), databaseAt(t, server, name)
		},
		"to a pooler and past it": func(t *testing.T) (*wiretest.Wire, string, string) {
			name := newDatabase(t)
			way := wiretest.New(t, postgrestest.Server(t, postgrestest.DSN), nil)
			return way, postgrestest.PgBouncer(t, way.URL)(name), databaseAt(t, way.URL, name)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way, dsn, direct := ways(t)
			s := runtimetest.ServeWithKeys(t, []string{"memory.storage=postgres", "memory.dsn=" + dsn, "memory.direct_dsn=" + direct}, "owner=alice chat, read")
			chat := func() *http.Response {
				return s.Ask(t, "owner", http.MethodPost, "/chat", `{"message": "where is O-12345?", "conversation_id": "s1", "message_id": "m1"}`).Result()
			}
			ready := func() int { return s.Ask(t, "owner", http.MethodGet, "/readyz", "").Code }
			if got := ready(); got != http.StatusOK {
				t.Fatalf("GET /readyz: %d", got)
			}
			way.Hold()
			for range 2 { // the first finds out, the second is refused at once
				if res := chat(); res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
					text, _ := io.ReadAll(res.Body)
					t.Errorf("POST /chat while the database is silent: %d, Retry-After %q, %s", res.StatusCode, res.Header.Get("Retry-After"), text)
				}
			}
			if got := ready(); got != http.StatusServiceUnavailable {
				t.Errorf("GET /readyz while the database is silent: %d", got)
			}
			way.Release()
			for ready() != http.StatusOK && t.Context().Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if res := chat(); res.StatusCode != http.StatusOK {
				text, _ := io.ReadAll(res.Body)
				t.Errorf("POST /chat afterwards: %d %s", res.StatusCode, text)
			}
		})
	}
}
