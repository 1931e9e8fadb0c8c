package pgvector

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrDSN reports a connection string that cannot be read. It does not repeat the string, which may
// contain a password.
var ErrDSN = errors.New("pgvector: the connection string cannot be read")

// ErrCollection reports a collection name that is no lower-case word of at most 40 letters, digits
// and underscores.
var ErrCollection = errors.New("pgvector: the collection's name must be a lower-case word of at most 40 letters, digits and _")

// ErrVersion reports a server without the extension vector, or with one before 0.7.
var ErrVersion = errors.New("pgvector: the server needs the extension vector, version 0.7 or later")

// ErrDatabase reports that the database cannot be reached, or refused a statement.
var ErrDatabase = errors.New("pgvector: the database")

// noTable reports whether a table does not exist: nothing has been written yet.
func noTable(err error) bool { return hasState(err, "42P01") }

// noType reports whether a type does not exist.
func noType(err error) bool { return hasState(err, "42704") }

// refused reports whether the server does not have an extension, or does not let this user add it.
func refused(err error) bool { return hasState(err, "0A000", "58P01", "42501") }

func hasState(err error, states ...string) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && slices.Contains(states, server.Code)
}

// sanitize returns an error without the addresses, statements and values that the driver adds. A
// missing table is no error: it has no rows.
func sanitize(doing string, err error) error {
	var server *pgconn.PgError
	cause := error(nil)
	switch {
	case err == nil, noTable(err):
		return nil
	case errors.Is(err, ErrVersion):
		return err
	case errors.Is(err, context.DeadlineExceeded), hasState(err, "57014"): // statement_timeout
		cause = context.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		cause = context.Canceled
	case errors.As(err, &server):
		return fmt.Errorf("%w: %s: sqlstate %s", ErrDatabase, doing, server.Code)
	default:
		return fmt.Errorf("%w: %s: it cannot be reached", ErrDatabase, doing)
	}
	return fmt.Errorf("%w: %s: %w", ErrDatabase, doing, cause)
}
