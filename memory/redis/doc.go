// Package redis is a cache that processes with one database share ([sqlstore.Shared]). Losing it costs time
// and nothing else.
//
// A process has the sessions that it used last itself. For one that another process used last it asks Redis for
// the window of messages, and the database for the rest, which says whether the window is of its version: an
// old one is not used. Each commit writes the window. So it spares a saturated database the reading of long
// windows where turns of a session come to several processes; with the default window of 24 messages it saves
// nothing (BenchmarkLoad).
//
// A call may take 50 ms. After three failures in a row Redis is left alone for some seconds, and then one
// call tries it again. No error of Redis reaches a caller; they are counted (memory.CacheHealth).
//
// A session that is deleted goes from Redis, too. Where that fails, its window is gone after an hour, as every
// one is that nobody has written since. Where rows are sealed, windows are.
package redis
