package main

import (
	"os"
	"testing"

	"github.com/slotway/slotway/memory/postgres/postgrestest"
)

// stores are the ways of keeping conversations beyond one command, and the settings of each.
var stores = map[string]func(t *testing.T) []string{
	"sqlite": func(*testing.T) []string { return nil },
	"postgres": func(t *testing.T) []string {
		return []string{"memory.storage=postgres", "memory.dsn=" + postgrestest.Schema(t)}
	},
	"sealed, with redis": func(t *testing.T) []string {
		url := os.Getenv("SLOTWAY_TEST_REDIS_URL")
		if url == "" && os.Getenv(postgrestest.Require) != "1" {
			t.Skip("SLOTWAY_TEST_REDIS_URL is not set: run scripts/services.sh start redis")
		}
		t.Setenv("EVERY_STORE_KEY", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")
		return []string{
			"memory.storage=postgres", "memory.dsn=" + postgrestest.Schema(t), "memory.redis_url=" + url, "memory.encryption_key_env=EVERY_STORE_KEY",
		}
	},
}

// onEveryStore runs a test over a shell with an agent on each of them.
func onEveryStore(t *testing.T, agent string, do func(s *shell)) {
	for name, settings := range stores {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			s.write("agent.yaml", agent)
			s.set = settings(t)
			do(s)
		})
	}
}
