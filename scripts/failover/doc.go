// Command failover kills a PostgreSQL primary under load, promotes its standby, and shows which
// acknowledged turns survive.
//
// It starts a primary, a standby, and several replicas of slotway whose dsn names both servers.
// Clients hold conversations. They ask questions and have notes written by a tool that must not
// run twice. They send each message to the next replica, again and again under the same id until
// an answer comes. In the end the command looks for every acknowledged turn in the database that
// took over.
//
//	go run ./scripts/failover -scenario all
//
// The scenarios:
//
//   - sync: the primary waits for the standby. The command kills the primary and promotes the
//     standby. No turn may be lost and no note written twice.
//   - sync-dead: the standby dies and returns before that. While it is dead, slotway must not
//     answer turns, must refuse them without a long wait, and every replica must report the
//     missing standby. Then the standby dies again, and the primary after it; the standby is
//     started and promoted. Slotway must not have acknowledged a turn that only the primary had,
//     not even when the client repeated the message.
//   - async: the primary does not wait, and the standby lags behind when the primary dies. Turns
//     must be lost, or the run shows nothing. Slotway must have warned at its start, must refuse
//     to start with memory.require_sync, and must detect the older history. Every conversation
//     must go on.
//   - off: one server with synchronous_commit = off and a late log dies and starts again. The
//     demands are those of async.
//
// The exit code is 1 when a scenario fails or its load was too small to show anything.
package main
