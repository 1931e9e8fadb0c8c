// Package postgrestest lends tests a PostgreSQL database to themselves.
package postgrestest

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The environment of tests: the URL of a database, and whether tests may be skipped without.
const (
	DSN     = "SLOTWAY_TEST_POSTGRES_DSN"
	Require = "SLOTWAY_REQUIRE_SERVICES"
)

// Server is the URL of the database that the variable names. Without one the test is
// skipped, or fails where services are required.
func Server(tb testing.TB, variable string) string {
	tb.Helper()
	dsn := os.Getenv(variable)
	switch {
	case dsn == "" && os.Getenv(Require) == "1":
		tb.Fatalf("%s=1 and %s is not set", Require, variable)
	case dsn == "":
		tb.Skipf("%s is not set: give it the URL of a PostgreSQL database, in which the tests make schemas of their own", variable)
	}
	return dsn
}

// Schema makes a schema for one test and returns a URL that leads to it. It is dropped when
// the test ends.
func Schema(tb testing.TB) string {
	tb.Helper()
	dsn := Server(tb, DSN)
	name := "test_" + strings.ToLower(rand.Text())
	execute(tb, dsn, `CREATE SCHEMA `+name)
	tb.Cleanup(func() { execute(tb, dsn, `DROP SCHEMA `+name+` CASCADE`) })
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" {
		tb.Fatalf("%s is not a URL", DSN)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

func execute(tb testing.TB, dsn, text string) {
	tb.Helper()
	ctx := context.Background() // also when the test has ended
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		tb.Fatalf("connect: %v", err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, text); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
}
