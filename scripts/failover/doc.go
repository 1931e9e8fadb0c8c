// Command failover kills a PostgreSQL primary under load, promotes its standby, and shows what
// becomes of the turns that were answered.
//
// It starts two servers of its own, the second a standby of the first, and several replicas
// of slotway on them, whose dsn names both. Clients hold conversations: they have notes written
// by a tool that must not act twice, ask in between, send each message to the next replica, and
// send it again under its id until it is answered. In the end every turn that a client was told
// is looked for in the database that took over.
//
//	go run ./scripts/failover -scenario all
//
// The scenarios:
//
//   - sync: the primary waits for the standby. It is killed, and the standby promoted. No turn
//     may be lost, and no note written twice.
//   - sync-dead: the same, but first the standby is dead for a while, during which no turn may
//     be answered, none may wait for long, and every replica must say so, and returns; then it dies again, and the primary after it, before the
//     standby is started and promoted. What the primary alone had must not have been answered,
//     not even to a message that was sent again.
//   - async: the primary does not wait, and the standby lags behind when the primary is killed.
//     Turns are lost, or the run shows nothing. The service must have said so at its start, must
//     refuse to start with memory.require_sync, and must find out that its history went back;
//     every conversation must go on.
//   - off: one server with synchronous_commit = off, whose log is written late, is killed, and
//     started again. As async.
//
// The exit code is 1 when a scenario does not hold, or its load was too small to show anything.
package main
