package service

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory/postgres/postgrestest"

	"github.com/slotway/slotway/cmd/internal/runtimetest"
)

// cacheSamples plays three turns of one session by a service with this Redis, and returns
// what /metrics says of the cache, by name and labels.
func cacheSamples(t *testing.T, set ...string) map[string]float64 {
	t.Helper()
	s := runtimetest.ServeWithKeys(t, append([]string{"memory.storage=postgres", "memory.dsn=" + postgrestest.Schema(t)}, set...), "owner=alice chat, read, metrics")
	ask := func(method, path, body string) string {
		t.Helper()
		req := httptest.NewRequest(method, path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+s.Keys["owner"])
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	for range 3 {
		ask(http.MethodPost, "/chat", `{"message": "where is O-12345?", "conversation_id": "s1"}`)
	}
	samples := map[string]float64{}
	for line := range strings.Lines(ask(http.MethodGet, "/metrics", "")) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if value, err := strconv.ParseFloat(text, 64); err == nil && strings.HasPrefix(name, "slotway_cache_") {
			samples[name] = value
		}
	}
	return samples
}

// What becomes of the cache is in the metrics: while Redis answers, while it does not, and
// where there is none.
func TestMetricsOfTheCache(t *testing.T) {
	sample := func(operation, outcome string) string {
		return `slotway_cache_total{operation="` + operation + `",outcome="` + outcome + `"}`
	}
	t.Run("well", func(t *testing.T) {
		url := os.Getenv("SLOTWAY_TEST_REDIS_URL")
		switch {
		case url != "":
		case os.Getenv(postgrestest.Require) == "1":
			t.Fatal("SLOTWAY_TEST_REDIS_URL is not set")
		default:
			t.Skip("SLOTWAY_TEST_REDIS_URL is not set: run scripts/services.sh start redis")
		}
		got := cacheSamples(t, "memory.redis_url="+url)
		reads := got[sample("load", "hit")] + got[sample("load", "miss")] + got[sample("load", "stale")] + got[sample("load", "failed")]
		// What was not there is written when it has been read, too.
		if reads < 3 || got[sample("commit", "done")]+got[sample("commit", "failed")] < 3 {
			t.Errorf("3 turns: %v", got)
		}
	})
	t.Run("dead", func(t *testing.T) {
		got := cacheSamples(t, "memory.redis_url=redis://127.0.0.1:1/0")
		if got["slotway_cache_ill"] != 1 || got["slotway_cache_ill_total"] != 1 ||
			got[sample("load", "failed")]+got[sample("commit", "failed")] < 3 || got[sample("commit", "open")] == 0 {
			t.Errorf("3 turns without Redis: %v", got)
		}
	})
	t.Run("none", func(t *testing.T) {
		if got := cacheSamples(t); len(got) != 0 {
			t.Errorf("metrics of no cache: %v", got)
		}
	})
}
