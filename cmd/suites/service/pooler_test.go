package service

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory/postgres/postgrestest"
	"github.com/slotway/slotway/router"

	"github.com/slotway/slotway/cmd/internal/runtimetest"
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

// TestServiceBehindAPooler: a service that reaches its database only through a pooler does not
// start, because every turn of it would fail. With a direct DSN it works.
func TestServiceBehindAPooler(t *testing.T) {
	direct, pooled := through(t)
	set := []string{"telemetry.log=none", "memory.storage=postgres", "memory.dsn=" + pooled}
	a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: set, Options: slotway.Options{NoHTTP: true}})
	if err == nil {
		_, err = a.Router().Handle(t.Context(), router.Interaction{Text: "hello", Context: router.Context{SessionID: "s"}})
		t.Fatalf("it starts; a turn ends with %v, closing with %v", err, a.Close())
	}
	for _, want := range []string{"memory.dsn", "pooler", "memory.direct_dsn"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
	replica := replicaOf(t, pooled, "memory.direct_dsn="+direct)
	for range 3 {
		replica.Say("", "s", "hello")
	}
}
