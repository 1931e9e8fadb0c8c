package runtimetest

import (
	"os"
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"
)

// EveryStore runs a test with the settings of each kind of store. A store that needs a server is
// skipped where there is none.
func EveryStore(t *testing.T, test func(t *testing.T, set ...string)) {
	t.Helper()
	const key = "STORES_TEST_KEY"
	t.Setenv(key, "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	redis := os.Getenv("SLOTWAY_TEST_REDIS_URL")
	for _, c := range []struct {
		name     string
		database bool
		set      []string
	}{
		{"memory", false, []string{"memory.storage=inmem"}},
		{"sqlite", false, []string{"memory.storage=sqlite"}},
		{"sqlite, encrypted", false, []string{"memory.storage=sqlite", "memory.encryption_key_env=" + key}},
		{"postgres", true, []string{"memory.storage=postgres"}},
		{"postgres, redis, encrypted", true, []string{"memory.storage=postgres", "memory.redis_url=" + redis, "memory.encryption_key_env=" + key}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.database {
				c.set = append(c.set, "memory.dsn="+postgrestest.Schema(t))
			}
			test(t, c.set...)
		})
	}
}
