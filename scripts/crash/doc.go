// Command crash kills a serving slotway again and again, and shows that nothing was
// forgotten and nothing was done twice.
//
// It builds the binary, starts it twice (once with the default agent, once with
// ledger.yaml, whose write tool keeps no idempotency keys), and lets clients hold
// conversations over HTTP: they look orders up, cancel, return and redirect them, and
// send a message again under the same id whenever an answer did not arrive. In every
// cycle the processes die by SIGKILL, at a random moment or just after a yes was sent,
// and are started again. In the end everything that the clients were told is compared
// with what the store, the shop's database and the ledger hold.
//
//	go run ./scripts/crash -cycles 20
//
// With -memory another service is killed: one with long conversations, of which it makes
// summaries, vectors and archived documents all the time, two of three times while it
// waits for a model server. In the end no turn and no job may be lost, what was made must
// tell of every message once, and an import and a reindex that were killed on the way must
// have come to the same as others.
//
//	go run ./scripts/crash -memory -cycles 50
//
// The exit code is 1 when a turn was lost or reordered, a write happened twice or
// unasked, a session is stuck, or the load was too small to show anything.
package main
