// Command crash kills slotway processes again and again, and shows that they lose nothing and do
// nothing twice.
//
// It builds the binary and starts two services: one with the default agent, one with
// ledger.yaml, whose write tools are a program and an HTTP service in a process of its own.
// Clients hold conversations over HTTP. They look up, cancel, return and redirect orders, book,
// pay, pledge and more. When no answer arrives, they send the message again under the same id.
// In every cycle SIGKILL ends the processes, at a random moment or just after a client said yes,
// and they start again. In the end the command compares what the clients were told with the
// store, the shop's database, the ledger and the records of the tool service. No job may be left.
//
//	go run ./scripts/crash -cycles 20
//
// Besides the kills, -faults names what else happens. The default is all of it:
//
//   - points: every other process dies at a named fail point, between two steps of a transaction (the binary is built with the tag failpoint).
//   - pauses: SIGSTOP, and SIGCONT after a moment, or after the clients have timed out.
//   - clock: the service's clock jumps an hour ahead or back while it runs, while it is stopped,
//     and between two starts. In the end two hours pass, which end every lease.
//   - tools: the service behind the HTTP tools answers late, breaks off before or after the
//     write, answers 500, 429 or invalid JSON, dies in the middle of an answer, and is killed.
//     Some of its tools store idempotency keys; one writes at each call.
//   - rivals: the command itself commits to the file, in a session to which it also posts, at the
//     version that it has read. In the end the version must equal the number of commits.
//   - clients: messages go to POST /chat, as a stream, and to /v1/chat/completions; tries of one
//     message may differ. Clients hang up, post a message twice at once, say yes twice at once,
//     talk to one session over two connections, and erase sessions. Clients of the ledger also
//     give up a message and say something else under a new id: the same words, another value of
//     the same task, a correction, a bare yes, another task or a question.
//
// A run of 100 cycles or more fails if it did not meet every one of these faults. The machine
// decides how processes and clients interleave: the same seed makes the same choices, but not
// the same run.
//
// The fate of a message that a client gave up is open: slotway may lose it, or handle it before
// the next message, or later. The check of the ledger assumes neither. It orders the stored turns
// of a session. Each effect and each call then needs a request of its own: a message that names
// the key if the tool needs no yes, else a question that some yes may have answered. A reply that
// says a key is booked must have arrived after the ledger got the key, and no more often than
// that; a reply that denies it must be right; a reply that reports a call without a name needs an
// effect that it can mean. And every effect must be reported, by its name or in the first report
// of its tool after the request.
//
// With -replicas the ledger runs as several processes on one PostgreSQL database, which the
// command creates on the server of -dsn and drops in the end. The clients hold a fixed number of
// conversations through a round-robin proxy. Each request goes to the next replica. The proxy
// tries another one only if it cannot connect; it waits for a replica that hangs until the client
// gives up and tries again.
//
//	go run ./scripts/crash -replicas 3 -dsn postgres://user@host:5432/postgres -minutes 5 -partition 30s
//
// The command kills one or several replicas at once and starts them again, asks one to end,
// restarts all one after the other, and stops one: for a moment, for longer than clients wait, or
// for longer than the lease of its lanes, mostly just after a yes. The others meanwhile go on or
// die. A stopped replica that goes on may neither commit its turns on top of newer ones nor call
// a tool twice. Each replica has its own clock, and two clocks differ by up to two hours. There
// are no fail points, which belong to SQLite.
//
// With -partition the replicas reach the database over a connection that the command cuts twice.
// The first time packets are held and arrive in the end, too late. The second time connections
// break and new ones are refused. Nothing else happens in that time. Afterwards every replica
// must answer turns again without a restart. The report has the answers in that time, the latency
// of a 503, and the time until the first replica and until all replicas answered a turn.
//
// With -own-database the command starts its own PostgreSQL server, which writes commits to the
// disk, and harms it in every second or third cycle, sometimes together with a replica. The
// command kills all its processes at once, in a third of the cases again during recovery; stops
// it like pg_ctl stop -m immediate, or restarts it like -m fast; kills one backend, at which the
// server ends all others; ends all connections; or stops all processes but the first for up to
// eight seconds. No replica restarts for it, and each must answer turns again. The report has the
// time until the server was back, and from then until the first replica and until all replicas
// answered a turn. The system's cache survives SIGKILL: this is no power cut.
//
//	go run ./scripts/crash -replicas 3 -own-database -redis -minutes 8
//
// With -redis the command starts a Redis as the cache of the store. It kills the Redis and starts
// it again, empty or with old contents. Between turns clients fetch the newest messages of their
// sessions and compare them with what they were told.
//
// A run with replicas also fails if a replica answered anything but 200, 409, 429, 503 or 504 (or
// 204 and 404 to an erasure), or a 503 without Retry-After; if a client saw wrong messages; if no
// conversation moved to another replica, or no yes reached another replica than the one that
// asked; and if nobody got a 503 while the database was away for more than fifteen seconds.
//
// With -memory the command kills another service, whose long conversations keep it busy with
// summaries, vectors and archived documents. Two kills of three come while it waits for a model
// server. In the end no turn and no job may be lost, the summaries and documents must cover every
// message once, and interrupted imports and reindexes must have the result of uninterrupted ones.
//
//	go run ./scripts/crash -memory -cycles 50
//
// The exit code is 1 if a turn was lost or reordered, if a write happened twice, happened unasked
// or was reported wrongly, if a session is stuck, if a job is left, or if the load was too small
// to show anything. -minutes bounds a run by time instead of cycles.
package main
