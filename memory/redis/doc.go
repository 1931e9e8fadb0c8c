// Package redis puts a cache of recent messages in Redis before a [memory.Backend]. It is a
// cache only: losing it costs time and nothing else.
//
// State, counters, open journal rows and the search for a request that was answered before
// come from the store at every Load. Only the window of messages, which is most of what a
// Load reads, is taken from Redis, and only if it is of the version that the store has just
// named. So an old entry is never served, whatever was lost on the way to Redis, and no
// commit is computed from one.
//
// An entry is one value, under a digest of the whole key, with a checksum over that place: an
// answer that was meant for another session, or was damaged, is taken for none. A commit writes the
// next version of an entry only over the one that it has read.
//
// A call of Redis may take 50 ms (Options.Timeout). After three failures in a row Redis is bypassed
// for some seconds, and then one call tries it again. No error of Redis reaches a caller; they are
// counted (memory.CacheHealth).
//
// It only costs where the process has the session itself (memory/sqlstore keeps those used last):
// a Load takes several times as long then (BenchmarkLoad). It can relieve a saturated database of
// long windows that other replicas have read.
//
// What is deleted, cleared or undone is removed from Redis too. When a removal did not get
// through, nothing is read from Redis until all entries have been removed; else an entry expires
// (Options.TTL).
// Encryption at rest wraps this package:
//
//	encrypted.New(redis.New(store, ...), keys)
//
// so that Redis holds what the store holds, encrypted.
package redis
