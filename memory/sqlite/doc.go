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
// version, and the number of its open journal rows, are still those of the file.
//
// Several processes may use one file on one machine. Each turn of a session then has the
// version that it was computed from compared in the commit, whichever process makes it, so
// that none is lost and none is made of what is stale; writers wait for each other, with
// growing pauses, up to BusyTimeout. On a network file system none of this holds.
//
// # Damage
//
// Every row carries a CRC32C that is verified on reading: a damaged row is
// memory.ErrCorrupt, which names the table and the row's number and never its content.
// Errors of the driver become sentinels with a remedy in the text (errors.go). A file that
// is empty, cut off, of another program, of a newer release, or missing beside its
// write-ahead log is refused and left as it is: a new database never takes the place of one
// that was lost. A new file is made under another name and gets its own when it is whole.
// SQLite ends a write-ahead log in silence where it is damaged; Open refuses one of which
// that would take commits that were durable (wal.go). What nobody can know: whether a log
// whose last commit does not fit was damaged there or cut off by a crash, and whether a log
// that is gone held anything.
//
// An index that has lost an entry hides its row from the lookups by it. Only Check sees
// that: it reads everything, compares indexes with tables, and rows with each other. Backup
// copies a file in use as of one moment; Restore puts a checked copy in its place and keeps
// what was there.
//
// Built with the tag failpoint, the writer and the checkpointer die at the point that
// SLOTWAY_FAILPOINT names; other builds hold nothing of this.
package sqlite
