// Package sqlite keeps sessions in one SQLite file (modernc.org/sqlite, no cgo), or in memory: it is
// the database behind memory/sqlstore.
//
// All changes go through one goroutine that owns one connection. It commits the changes that
// have queued up, of whichever sessions, in one transaction (group commit): one fsync releases
// all callers that wait. A change that fails does not affect the others. Durable, the
// default, is WAL with synchronous=FULL: a commit that has returned survives a power cut.
// Relaxed is synchronous=NORMAL: it survives the death of the process, while a power cut
// may take the last moments; the file stays consistent either way. Reads have connections of their own.
//
// One process runs turns on a file (Options.Turns): a second one is refused. Commands may use it meanwhile, on the
// same machine: each commit compares the version that it was computed from. Writers wait for each other, with
// growing pauses, up to BusyTimeout. On a network file system none of this holds.
//
// # Damage
//
// Errors of the driver become sentinels with a remedy in the text (errors.go). A file that
// is empty, truncated, of another program, of a newer release, or missing beside its
// write-ahead log is refused and left as it is: a new database never replaces one
// that was lost. A new file is made under another name and gets its own when it is complete.
// SQLite silently ends a write-ahead log where it is damaged, and begins a new one where it is gone; Open
// refuses a file that has fewer commits than were acknowledged (claim.go).
//
// An index that has lost an entry hides its row from lookups. Only Check finds
// that: it reads everything, compares indexes with tables, and rows with each other. Backup
// copies a file in use as of one moment; Restore puts a checked copy in its place and keeps
// the file that it replaces.
//
// Built with the tag failpoint, the writer dies at the point that SLOTWAY_FAILPOINT names; other
// builds contain none of this.
package sqlite
