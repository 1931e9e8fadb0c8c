// Package sqlite keeps sessions in one SQLite file (modernc.org/sqlite, no cgo).
//
// All changes go through one goroutine that owns one connection and commits what has
// queued up, of whichever sessions, in one transaction (group commit): one fsync releases
// everybody who waits. A change that fails takes none of the others with it. Durable, the
// default, is WAL with synchronous=FULL: a commit that has returned survives a power cut.
// Relaxed is synchronous=NORMAL: it survives the death of the process, while a power cut
// may take the last moments; the file stays consistent either way.
//
// Reads have connections of their own. What was read or written last is cached per
// session; a cached session is used only after one indexed lookup has shown that its
// version, and the number of its open journal rows, are still those of the file, so that
// another process on the same file is never overlooked.
//
// Every row of content carries a CRC32C that is verified on reading: a damaged row is
// memory.ErrCorrupt, which names the table and the row's number and never its content.
// Errors of the driver become memory's sentinels with a remedy in the text.
package sqlite
