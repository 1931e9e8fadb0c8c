package postgres

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"
)

// newDatabase makes a database for one test and returns its name.
func newDatabase(tb testing.TB) string {
	tb.Helper()
	dsn := testDSN(tb)
	name := "slotway_test_" + strings.ToLower(rand.Text())
	execute(tb, dsn, `CREATE DATABASE `+name)
	tb.Cleanup(func() { execute(tb, dsn, `DROP DATABASE `+name+` WITH (FORCE)`) })
	return name
}

// startPgBouncer starts PgBouncer before a server, and returns how to reach a database by way of it.
func startPgBouncer(t *testing.T, dsn string, more ...string) func(database string) string {
	t.Helper()
	return postgrestest.PgBouncer(t, dsn, more...)
}
