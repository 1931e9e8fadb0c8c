package pgvector

import (
	"context"
	"errors"
	"fmt"

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

// ErrVector reports a vector that cannot be stored: one of another length than announced, one that
// is not finite, or zero.
var ErrVector = errors.New("pgvector: a vector cannot be stored")

// ErrDatabase reports that the database cannot be reached, or refused a statement.
var ErrDatabase = errors.New("pgvector: the database")

// undefinedTable is the SQLSTATE for a table that does not exist.
const undefinedTable = "42P01"

// sanitize returns an error without the addresses, statements and values that the driver adds.
func sanitize(doing string, err error) error {
	var server *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrVersion), errors.Is(err, ErrVector), errors.Is(err, errCallback):
		return err
	case errors.As(err, &server):
		const cancelled = "57014" // by statement_timeout
		if server.Code == cancelled {
			return fmt.Errorf("%w: %s: %w", ErrDatabase, doing, context.DeadlineExceeded)
		}
		return fmt.Errorf("%w: %s: sqlstate %s", ErrDatabase, doing, server.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %s: %w", ErrDatabase, doing, context.DeadlineExceeded)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w: %s: %w", ErrDatabase, doing, context.Canceled)
	}
	return fmt.Errorf("%w: %s: it cannot be reached", ErrDatabase, doing)
}

// noTable reports whether a table does not exist: nothing has been written yet.
func noTable(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == undefinedTable
}
