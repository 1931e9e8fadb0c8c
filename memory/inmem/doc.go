// Package inmem keeps sessions in the process's memory: for tests, for short-lived
// services and for `memory.storage: inmem`. Nothing survives the process.
//
// It keeps the same contract as every other Store (memory/storetest): copies go in and
// out, commits compare versions, messages are never dropped. Memory grows with the
// sessions unless Options.MaxSessions bounds it; then the session that was written least
// recently is forgotten whole, journal included.
package inmem
