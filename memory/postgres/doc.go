// Package postgres keeps sessions in a PostgreSQL database (14 or newer; jackc/pgx, no cgo) that any
// number of replicas share: it is the database behind memory/sqlstore. It needs no extension, and the
// replicas coordinate through nothing but the database: the row of a session decides.
//
// A read is one round trip, in one read-only transaction that sees one moment. A commit is one round
// trip: its statements are sent in a row and are one transaction. The first compares the version of the
// session and all its counters with those that the turn was computed from, and ends the transaction
// where it finds no such row. Of several commits on one version one finds it; the others, and a replica
// that was paused and resumes, get memory.ErrConflict.
//
// The end of the caller's context does not interrupt a commit that was sent: it takes at most
// StatementTimeout and two seconds. When its connection is lost, the error is ErrUnknown, unless the row
// shows that the commit took place: the same request, sent again with its id, gets the reply of the turn
// that was committed, or runs. Deadlocks and serialization failures are retried a few times. Whether a
// silent server is gone is left to TCP keepalive and to the timeouts of statements.
//
// With Options.RequireSync the server must wait for a standby before it acknowledges a commit. A server
// that has given that wait up says so by a warning, and the commit counts as ErrUnknown: its rows are
// there, but a failover loses them. What a repeated request finds counts once a later record of the log
// was waited for, because a standby receives the log in order.
//
// Nothing but prepared statements outlives a transaction. Behind PgBouncer in transaction mode they go
// missing, unless it supports them (from 1.21 on); the store notices, makes its connections anew and goes
// on without them. Timeouts are set in each transaction. The schema is migrated under an advisory lock
// that belongs to a transaction, too.
//
// Errors of the driver become sentinels with a remedy in the text (errors.go); the driver's own text, which
// can quote values and the dsn, is left out.
//
// To test against it, give SLOTWAY_TEST_POSTGRES_DSN the URL of a database in which schemas
// and, for the test with PgBouncer, databases can be made.
package postgres
