package service

import (
	"errors"
	"os"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/postgrestest"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// replicaOf opens one replica of a service on a PostgreSQL database.
func replicaOf(t *testing.T, dsn string, more ...string) *runtimetest.Runtime {
	t.Helper()
	set := append([]string{"telemetry.log=none", "memory.storage=postgres", "memory.dsn=" + dsn}, more...)
	return runtimetest.Open(t, runtimetest.Config{Set: set, Options: slotway.Options{NoHTTP: true}})
}

// TestAConversationOverReplicas: a conversation continues on another replica with each message,
// with and without a cache, with and without encryption.
func TestAConversationOverReplicas(t *testing.T) {
	redis := os.Getenv("SLOTWAY_TEST_REDIS_URL")
	t.Setenv("REPLICAS_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	for name, set := range map[string][]string{
		"plain":     nil,
		"cached":    {"memory.redis_url=" + redis},
		"encrypted": {"memory.redis_url=" + redis, "memory.encryption_key_env=REPLICAS_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			dsn := postgrestest.Schema(t)
			switch {
			case redis != "" || set == nil:
			case os.Getenv(postgrestest.Require) == "1":
				t.Fatal("SLOTWAY_TEST_REDIS_URL is not set")
			default:
				t.Skip("SLOTWAY_TEST_REDIS_URL is not set: run scripts/services.sh start redis")
			}
			replicas := []*runtimetest.Runtime{replicaOf(t, dsn, set...), replicaOf(t, dsn, set...), replicaOf(t, dsn, set...)}
			for i, c := range []struct{ said, reply string }{
				{"I want to check my order", "What's your order number?"},
				{"It's O-12345", "Order O-12345, wool blanket, is pending. Expected arrival: Friday."},
				{"cancel it", "Cancel order O-12345, wool blanket? This can't be undone."},
				{"yes", "Done: order O-12345 is cancelled."},
			} {
				reply := replicas[i%len(replicas)].Say("", "s", c.said)
				if reply.Reply != c.reply || reply.Turn != int64(i+1) {
					t.Errorf("turn %d: %q, want %q", reply.Turn, reply.Reply, c.reply)
				}
			}
		})
	}
}

// TestWithoutTheDatabase: the error for an unreachable database says so, without its password.
func TestWithoutTheDatabase(t *testing.T) {
	_, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{
		"memory.storage=postgres", "memory.dsn=postgres://u:canary@127.0.0.1:1/none",
	}, Options: slotway.Options{NoHTTP: true}})
	if err == nil || errors.Is(err, os.ErrNotExist) {
		t.Fatalf("newApp: %v", err)
	}
	if got, want := err.Error(), "open session database: store is unavailable: "; len(got) <= len(want) || got[:len(want)] != want {
		t.Errorf("error %q, want %q and a reason", got, want)
	}
}
