// Package postgres keeps sessions in a PostgreSQL database (14 or newer; jackc/pgx, no cgo)
// that any number of replicas share. It needs no extension and no coordination besides the
// database: the row of a session decides.
//
// # A turn
//
// Load is one round trip, in one read-only transaction that sees one moment. Commit is one
// statement in one round trip: an UPDATE of the session's row that compares its version and
// all its counters with those that the turn was computed from, and, hanging on the row that
// it returns, the inserts of messages, turn, journal and jobs. Of the commits on one
// version one finds the row; the others, and a replica that was paused and wakes up, find
// none and get memory.ErrConflict. Start holds the row while it writes the journal, and is
// fenced in the same way. The counters are remembered per session (Options.CacheCounters); when
// they are not, or not those of the row, Commit asks for them in a round trip before.
//
// A commit that was sent is not broken off by the end of the caller's context: it takes at
// most StatementTimeout and two seconds. When its connection is lost, the database is asked
// whether it took place: by the version, the turn and the checksums of what it wrote. Only
// when that cannot be found out in time is the error ErrUnknown, and the same request, sent
// again with its id, gets the reply of the turn that was committed, or runs. Deadlocks and
// serialization failures are tried again, a few times. Reads end with their context, and
// that of a turn after the same time as a commit; their connection is closed then, so that
// nobody ever gets the rest of an answer.
//
// Where a synchronous standby is to have a commit before it is answered, a row that is found is
// not enough: the server shows it as soon as somebody ends the wait. What a lost commit left
// behind, what a repeated request finds, and a call that was started count once a later commit
// has been waited for (standby.go). Until then their outcome is unknown. Once it is proven that
// no standby confirms, what begins is refused, with memory.ErrUnconfirmed, until one does (vigil.go).
//
// A server that has fallen silent is found out by one question on a connection of its own, and
// until it answers again every call fails as it begins, with memory.ErrUnavailable (reach.go).
// Lanes know it for their own connection.
//
// # Keys
//
// Every primary key begins with a digest of the session's key (row.go), jobs included: rows
// of one session lie together, sessions spread evenly, and Citus, CockroachDB or YugabyteDB
// can shard every table by that column. No sequence, no foreign key and no unique index goes
// across sessions. (None of them has been tried yet.) The three names stand in the table
// sessions alone and are compared on reading. Jobs and views are found by the digest and
// joined to it; what lists them across sessions, and Sessions itself, reads all shards.
//
// # Pools and poolers
//
// Nothing outlives a transaction but prepared statements, which save the server two thirds
// of its work (BenchmarkTurn). Behind PgBouncer in transaction mode they go missing, unless it
// knows them (from 1.21 on); the store notices, makes its connections anew and goes on
// without (Options.Pooled says so from the start). Timeouts are set in each transaction. The
// schema is migrated under an advisory lock that belongs to a transaction, too. Only the
// connection of Wake needs a way around the pooler (Options.ListenDSN).
//
// # Jobs
//
// They are claimed with FOR UPDATE SKIP LOCKED, so workers never wait for each other, and
// leased by a token. A turn that asks for one does not NOTIFY: PostgreSQL takes a lock of the
// whole database at the commit of a transaction that does. After the commit, and ten times a
// second at most, the replica says in a transaction of its own that there are jobs; idle
// workers of others hear that by Wake, and poll besides.
//
// # Damage
//
// Every row but a job's carries a CRC32C that is verified on reading: a damaged row is
// memory.ErrCorrupt, which names the table and the digest, never content. Errors of the
// driver become sentinels with a remedy in the text (errors.go); the driver's own text, which
// can quote values and the dsn, is left out. Durability is the server's: with
// synchronous_commit = on and fsync = on a commit that has returned survives a power cut, and
// with synchronous_standby_names besides the loss of the server.
//
// To test against it, give SLOTWAY_TEST_POSTGRES_DSN the URL of a database in which schemas
// and, for the test with PgBouncer, databases can be made.
package postgres
