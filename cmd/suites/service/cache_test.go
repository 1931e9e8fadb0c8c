package service

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// cacheSamples plays three turns of one session on a service with this Redis, and returns the
// series of the cache in /metrics.
func cacheSamples(t *testing.T, set ...string) map[string]float64 {
	t.Helper()
	s := runtimetest.ServeWithKeys(t, append([]string{"memory.storage=postgres", "memory.dsn=" + postgrestest.Schema(t)}, set...), "owner=alice chat, read, metrics")
	for range 3 {
		s.Post(t, "owner", "/chat", `{"message": "where is O-12345?", "conversation_id": "s1"}`)
	}
	samples := map[string]float64{}
	for line := range strings.Lines(s.Get(t, "owner", "/metrics")) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if value, err := strconv.ParseFloat(text, 64); err == nil && strings.HasPrefix(name, "slotway_cache_") {
			samples[name] = value
		}
	}
	return samples
}

// TestMetricsOfTheCache: the metrics count hits and failures of the cache, while Redis answers,
// while it does not, and without one.
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
		// After its first turn the process has the session itself, and asks Redis for nothing.
		if reads != 1 || got[sample("commit", "done")]+got[sample("commit", "failed")] < 3 {
			t.Errorf("3 turns: %v", got)
		}
	})
	t.Run("dead", func(t *testing.T) {
		got := cacheSamples(t, "memory.redis_url=redis://127.0.0.1:1/0")
		if got["slotway_cache_unhealthy"] != 1 || got["slotway_cache_failures_total"] != 1 ||
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
