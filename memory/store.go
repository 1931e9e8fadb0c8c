package memory

import (
	"context"
	"io"
	"time"
)

// Backend is everything that a backend does. A consumer asks for the parts that it needs.
// internal/test/storetest is the contract of all parts as tests. Every method may be called from many
// goroutines.
type Backend interface {
	Store
	Reader
	Admin
	Transfer
	Jobs
	Backlog
	Views
	Own
	Connection
}

// SessionStore is the store of a [Session].
type SessionStore interface {
	Store
	Reader
}

// Store stores the changes of a turn. A context that ends during a commit does not undo it: the
// caller may see the context's error although the commit took place, and finds out by sending the
// same RequestID again.
type Store interface {
	// Load reads a session. One that does not exist is an empty Snapshot with Version 0
	// and NextSeq 1. The cost does not depend on the length of the history.
	Load(ctx context.Context, key Key, opts LoadOptions) (*Snapshot, error)
	// Commit applies a delta and returns when it is durable. ErrConflict: nothing changed.
	Commit(ctx context.Context, delta *Delta) error
	// Start durably writes a journal row with status started before a write tool is
	// called. base is the version the turn was computed from. ErrConflict: the session
	// moved on; ErrStarted: this call was started before. Neither creates the session
	// nor moves its version.
	Start(ctx context.Context, key Key, base int64, step Step) error
	// Repair replaces a damaged state, and closes damaged journal rows. ErrConflict: the state has
	// changed, or is sound.
	Repair(ctx context.Context, key Key, m *Repair) error
}

// Reader reads sessions and changes nothing.
type Reader interface {
	// Load is that of Store.
	Load(ctx context.Context, key Key, opts LoadOptions) (*Snapshot, error)
	// Messages reads a page of messages, oldest first. An unknown session is ErrNotFound.
	Messages(ctx context.Context, key Key, page Page) ([]Message, error)
	// Turns reads committed turns by number, oldest first, with how the session stood after
	// each; with Page.Inactive also undone ones. An unknown session is ErrNotFound.
	Turns(ctx context.Context, key Key, page Page) ([]Turn, error)
	// Steps reads the journal of write calls, in the order in which they were started. An
	// unknown session has none. With ErrCorrupt it returns the sound rows.
	Steps(ctx context.Context, key Key) ([]Step, error)
	// Sessions lists sessions, the most recently updated first. One whose rows do not prove its key
	// is in no listing of a user.
	Sessions(ctx context.Context, query Query) ([]Info, error)
}

// Admin manages whole sessions.
type Admin interface {
	// Sessions is that of Reader.
	Sessions(ctx context.Context, query Query) ([]Info, error)
	// Describe sets the description of a session. An unknown session is ErrNotFound.
	Describe(ctx context.Context, key Key, about About) error
	// Delete erases a session from every table, its journal included. An unknown one is
	// ErrNotFound.
	Delete(ctx context.Context, key Key) error
	// Prune deletes the sessions last updated before the moment and returns how many. Those
	// of users for whom Reserved is true stay, and so do those whose rows do not match their
	// checksums: their age is unknown.
	Prune(ctx context.Context, before time.Time) (int, error)
}

// Transfer moves sessions between stores.
type Transfer interface {
	// Export writes a session as JSON lines (form: export.go).
	Export(ctx context.Context, key Key, w io.Writer) error
	// Import reads any number of exports back and returns how many it added. It is idempotent:
	// a session that is there already at the same version is left alone, one that differs is
	// ErrConflict; those read before it stay.
	Import(ctx context.Context, r io.Reader) (int, error)
}

// Connection is a backend's connection to its data.
type Connection interface {
	// Ping reports whether the store can be read.
	Ping(ctx context.Context) error
	// Close waits for commits under way. It may be called twice.
	Close() error
}
