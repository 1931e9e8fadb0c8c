// Package redis puts a cache of recent messages in Redis before a [memory.Backend]. It is a
// cache only: losing it costs time and nothing else.
//
// State, counters, open journal rows and the search for a request that was answered before
// come from the store at every Load. Only the window of messages, which is most of what a
// Load reads, is taken from Redis, and only if it is of the version that the store has just
// named. So an old entry is never served, whatever was lost on the way to Redis, and no
// commit is computed from one.
//
// An entry lies under a digest of the whole key. It names that digest, and each message
// carries a checksum over it: an answer that was meant for another session, or was damaged,
// is taken for none.
//
// A call of Redis may take 50 ms (Options.Timeout). After three failures in a row Redis is bypassed
// for some seconds, and then one call tries it again. No error of Redis reaches a caller;
// Store.Counts and Store.Unhealthy count them, and Options.Observe reports each.
//
// It pays for windows of hundreds of messages before a store that is asked over a network. At the
// default of 24 it makes a turn slower; before SQLite, which keeps sessions in the process, it
// only costs (BenchmarkLoad).
//
// What is deleted, cleared or undone is removed from Redis too; a removal that did not get
// through is retried when Redis answers again, and else the entry expires (Options.TTL).
// Encryption at rest wraps this package:
//
//	encrypted.New(redis.New(store, ...), keys)
//
// so that Redis holds what the store holds, encrypted.
package redis
