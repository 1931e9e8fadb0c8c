package postgres

import (
	"context"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/memory/sqlstore"
)

const dsnEnv = postgrestest.DSN

// testDSN is the URL of the database for tests.
func testDSN(tb testing.TB) string {
	tb.Helper()
	return postgrestest.Server(tb, dsnEnv)
}

// newSchema makes a schema for one test and returns a dsn that leads to it.
func newSchema(tb testing.TB) string {
	tb.Helper()
	return postgrestest.Schema(tb)
}

// execute runs one statement on a connection of its own.
func execute(tb testing.TB, dsn, text string, args ...any) {
	tb.Helper()
	c := connectTo(tb, dsn)
	defer c.Close(context.Background())
	if _, err := c.Exec(context.Background(), text, args...); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
}

func connectTo(tb testing.TB, dsn string) *pgx.Conn {
	tb.Helper()
	c, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		tb.Fatalf("connect: %v", err)
	}
	return c
}

// value reads one value.
func value[T any](tb testing.TB, dsn, text string, args ...any) (v T) {
	tb.Helper()
	c := connectTo(tb, dsn)
	defer c.Close(context.Background())
	if err := c.QueryRow(context.Background(), text, args...).Scan(&v); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return v
}

func open(tb testing.TB, dsn string, opts *Options) *sqlstore.Store {
	tb.Helper()
	store, err := Open(tb.Context(), dsn, opts)
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() { store.Close() })
	return store
}

// withDatabase is the dsn for tests with another database.
func withDatabase(tb testing.TB, name string) string {
	tb.Helper()
	u, err := url.Parse(testDSN(tb))
	if err != nil {
		tb.Fatalf("%s is not a URL", dsnEnv)
	}
	u.Path = "/" + name
	return u.String()
}
