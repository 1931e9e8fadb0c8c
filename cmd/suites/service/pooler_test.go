package service

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/postgrestest"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// through creates a database and returns a DSN for it and a DSN through the pooler.
func through(t *testing.T) (direct, pooled string) {
	t.Helper()
	pooler := postgrestest.Server(t, "SLOTWAY_TEST_PGBOUNCER_DSN")
	name := newDatabase(t)
	return databaseAt(t, postgrestest.Server(t, postgrestest.DSN), name), databaseAt(t, pooler, name)
}

// newDatabase creates a database for one test and returns its name.
func newDatabase(t *testing.T) string {
	t.Helper()
	server := postgrestest.Server(t, postgrestest.DSN)
	name := "slotway_test_" + strings.ToLower(rand.Text())
	execute := func(text string) {
		ctx := context.Background() // also when the test has ended
		c, err := pgx.Connect(ctx, server)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(ctx)
		if _, err := c.Exec(ctx, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	execute(`CREATE DATABASE ` + name)
	t.Cleanup(func() { execute(`DROP DATABASE ` + name + ` WITH (FORCE)`) })
	return name
}

// databaseAt returns a DSN of another database on the same server.
func databaseAt(t *testing.T, dsn, name string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// TestServiceBehindAPooler: nothing outlives a transaction, so a service that reaches its database only
// through a pooler in transaction mode answers as any other; so does one that also names the direct way.
func TestServiceBehindAPooler(t *testing.T) {
	direct, pooled := through(t)
	for _, replica := range []*runtimetest.Runtime{replicaOf(t, pooled), replicaOf(t, pooled, "memory.direct_dsn="+direct)} {
		for range 3 {
			replica.Say("", "s", "hello")
		}
	}
}
