// Command crash kills a serving slotway again and again, and shows that nothing was
// forgotten and nothing was done twice.
//
// It builds the binary, starts it twice (once with the default agent, once with
// ledger.yaml, whose write tools are a program and a service of their own process), and lets
// clients hold conversations over HTTP: they look orders up, cancel, return and redirect
// them, book, pay, pledge and more, and send a message again under the same id when an answer
// did not arrive. In every cycle the processes die by SIGKILL, at a random moment or just
// after a yes was sent, and are started again. In the end everything that the clients were
// told is compared with what the store, the shop's database, the ledger and the books of the
// tools' service hold, and nothing may be left to do.
//
//	go run ./scripts/crash -cycles 20
//
// Besides the kills, -faults names what else is done, all of it unless it says otherwise:
//
//   - points: every other process dies at a named fail point, at the boundary of a step of a
//     commit, an erasure or a checkpoint (the binary is built with the tag failpoint).
//   - pauses: SIGSTOP, and SIGCONT after a moment, or after the clients have given up waiting.
//   - clock: the service's clock jumps an hour ahead or back while it runs, while it is
//     stopped, and between two lives. In the end two hours pass, which end every lease.
//   - tools: the service behind the HTTP tools answers late, breaks off before or after it has
//     acted, answers 500, 429 or no JSON, dies in the midst of an answer, and is killed. Some
//     of its tools keep keys, one acts at each call.
//   - rivals: this program commits to the file too, in a session of its own to which it also
//     posts, at the version that it has read. In the end the version counts the commits.
//   - clients: messages come by POST /chat, as a stream and by /v1/chat/completions, also one
//     message by several of them; clients hang up, post a message twice at once, say yes
//     twice at once, talk to one session on two connections, and have sessions erased. Those of
//     the ledger also give a message up that was not answered, and say something else under
//     another id: the same words, another value of the same task, a correction, a bare yes,
//     another task or a question in between.
//
// A run of 100 cycles or more fails when it has not met with every one of them. How the
// processes fall into step with the clients is up to the machine: the same seed gives the
// same choices, not the same run.
//
// What becomes of a message that was given up is up to chance: it may be lost, or dealt with
// before what was said next, or later. The ledger's check takes for granted neither. It puts
// the stored turns of a session into their order; each effect, and each call, needs a request
// of its own: a message that names it where no yes is needed, else a question that some yes
// may have answered. A reply that says of a key that it is booked must have been heard after
// the ledger got that key, and as many times at most; one that denies it must be right; one
// that reports a call without a name must have an effect to speak of; and each effect must be
// told of, by its name or in the first report of its tool after it was asked for.
//
// With -replicas the ledger alone is harmed, as several processes on one PostgreSQL database
// that the command makes on the server of -dsn and drops in the end. The clients, which hold
// a fixed number of conversations, talk to a plain round-robin proxy: each request goes to
// the next replica, to the one after it only where no connection can be made, and waits
// for a replica that hangs until its client gives up and tries again.
//
//	go run ./scripts/crash -replicas 3 -dsn postgres://user@host:5432/postgres -minutes 5 -partition 30s
//
// One or several replicas are killed at once and started again; one is asked to end; all are
// replaced, one after the other; one is stopped for a moment, for longer than clients wait,
// and for longer than the lease of its lanes, most times just after a yes was sent, while
// the others go on, or die too, and what it had under way when it goes on again may neither
// be committed on top of what came since nor call a tool twice. Each replica has a clock of
// its own that jumps, so that two of them differ by up to two hours. There are no fail
// points: they are SQLite's.
//
// With -partition the replicas reach the database over a link that is cut twice in the run:
// first nothing gets through any more, and arrives in the end, too late; then connections
// break and new ones are refused. Nothing else is done meanwhile. Every replica must answer
// turns again afterwards without being started anew. The report has what was answered in
// that time, how long a 503 took, and how long it took after the end until the first replica
// answered a turn, and until all of them had.
//
// With -own-database the command starts a PostgreSQL server of its own, which puts on the disk
// what it calls committed, and which dies every second or third cycle, some of the time together
// with a replica. All its processes are killed by SIGKILL at once, and one time of three once more
// while it recovers; it is stopped as by pg_ctl stop -m immediate, and restarted as by -m fast;
// one process that serves a connection is killed, at which the server ends all others; all
// connections are ended; all processes but the first are stopped for up to eight seconds. No
// replica is started anew for it, and each must answer turns again. The report has how long
// the server was away, and how long it took after its return until the first replica answered
// a turn, and until all of them had. What the system holds in its cache outlives a SIGKILL: a
// power cut is not tried.
//
//	go run ./scripts/crash -replicas 3 -own-database -redis -minutes 8
//
// With -redis there is a cache before the database, of a Redis that is started for the run; it
// is killed, and started again with nothing or with what it held some time ago. Between
// turns clients ask for the newest messages of their sessions and hold them against what they
// were told.
//
// Besides what is compared at all times, a run with replicas fails when any of them answered
// anything but 200, 409, 429, 503 or 504 (or 204 and 404 to an erasure), or a 503 without
// Retry-After; when newest messages were others than the client knew; when no conversation went on at another replica, or no yes reached another
// one than had asked; and when nobody was told 503 in more than
// fifteen seconds that the database was out of reach.
//
// With -memory another service is killed: one with long conversations, of which it makes
// summaries, vectors and archived documents all the time, two of three times while it
// waits for a model server. In the end no turn and no job may be lost, what was made must
// tell of every message once, and an import and a reindex that were killed on the way must
// have come to the same as others.
//
//	go run ./scripts/crash -memory -cycles 50
//
// The exit code is 1 when a turn was lost or reordered, a write happened twice or unasked or
// is told otherwise than it went, a session is stuck, a job is left over, or the load was too small
// to show anything. -minutes says how long instead of how often the services are harmed.
package main
