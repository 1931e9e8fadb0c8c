// Package postgres keeps sessions in a PostgreSQL database (14 or newer; jackc/pgx, no cgo)
// that any number of replicas share. It needs no extension, and the replicas coordinate through
// nothing but the database: the row of a session decides.
//
// # A turn
//
// Load is one round trip, in one read-only transaction that sees one moment. Commit is one
// statement in one round trip: an UPDATE of the session's row that compares its version and
// all its counters with those that the turn was computed from, and the inserts of messages,
// turn, journal and jobs, which depend on the row that it returns. Of several commits on one
// version one finds the row; the others, and a replica that was paused and resumes, find
// none and get memory.ErrConflict. Start locks the row while it writes the journal, and is
// fenced in the same way. The counters are cached per session (Options.CacheCounters), and so are
// the calls that were started, whose rows Commit compares by their checksums; when something is
// missing or stale, Commit reads it in an additional round trip.
//
// The end of the caller's context does not interrupt a commit that was sent: it takes at
// most StatementTimeout and two seconds. When its connection is lost, the store asks the
// database whether it took place: by the version, the turn and the checksums of what it wrote.
// Only when that cannot be found out in time is the error ErrUnknown, and the same request, sent
// again with its id, gets the reply of the turn that was committed, or runs. Deadlocks and
// serialization failures are retried a few times. Reads end with their context, and those of a
// turn after the same time as a commit; a connection that nobody waits for any more is then closed,
// so that no one else reads the rest of an answer.
//
// With a synchronous standby, a row that is found does not prove that the standby has it: the
// server shows the row as soon as anything ends the wait. What a lost commit left behind, what a
// repeated request finds, and a call that was started count once a later commit has been waited
// for (standby.go). Until then their outcome is unknown. Once it is proven that no standby
// confirms, what begins is refused with memory.ErrUnconfirmed until one does (standby_probe.go).
//
// A probe on a connection of its own finds out that a server has fallen silent. Until the server
// answers again, every call fails as it begins, with memory.ErrUnavailable (server_probe.go).
// Session locks have a probe of their own connection.
//
// # Turns at once
//
// A round trip wakes a process of the server and one here, which costs more than most statements. So
// three connections carry the loads of turns, and three their changes: what comes while they are in use
// is sent together next, in one transaction (group.go). When an error ends it, each call is sent again
// alone. The outcome of a group whose connection was lost is asked for call by call. Groups change their
// sessions in the order of their digests, so two never wait for each other in a circle. A call that has
// waited for a quarter of a second, because of a lock or a silent server, goes alone.
//
// # Keys
//
// Every primary key begins with a digest of the session's key (row.go), that of jobs included:
// rows of one session lie together, sessions spread evenly, and Citus, CockroachDB or YugabyteDB
// can shard every table by that column. No sequence, no foreign key and no unique index spans
// sessions. (None of these databases has been tried yet.) The three names are only in the table
// sessions and are compared on reading. Jobs and views are found by the digest and joined to it;
// listing them across sessions, and Sessions itself, reads all shards.
//
// # Pools and poolers
//
// Nothing but prepared statements outlives a transaction, and they save the server two thirds
// of its work (BenchmarkTurn). Behind PgBouncer in transaction mode they go missing, unless it
// supports them (from 1.21 on); the store notices, makes its connections anew and goes on
// without them (Options.Pooled says so from the start). Timeouts are set in each transaction. The
// schema is migrated under an advisory lock that belongs to a transaction, too. Only the
// connections of Wake and of SessionLocks must lead past the pooler (Options.ListenDSN).
//
// # Jobs
//
// Jobs are claimed with FOR UPDATE SKIP LOCKED, so workers never wait for each other, and
// leased by a token. A turn that asks for one does not NOTIFY: PostgreSQL takes a lock of the
// whole database at the commit of a transaction that does. After the commit, and at most ten
// times a second, the replica notifies in a separate transaction; idle workers of other replicas
// hear that by Wake, and poll besides.
//
// # Damage
//
// Every row but a job's carries a CRC32C that is verified on reading: a damaged row is
// memory.ErrCorrupt, which names the table and the digest, never content. Errors of the
// driver become sentinels with a remedy in the text (errors.go); the driver's own text, which
// can quote values and the dsn, is left out. Durability depends on the server: with
// synchronous_commit = on and fsync = on a commit that has returned survives a power cut, and
// with synchronous_standby_names the loss of the server, too.
//
// To test against it, give SLOTWAY_TEST_POSTGRES_DSN the URL of a database in which schemas
// and, for the test with PgBouncer, databases can be made.
package postgres
