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

	// Keep sets what the store keeps. It is called before the store is used.
	Keep(rules Rules)
}

// Rules say what a store keeps. Those of the zero value keep everything.
//
// From About.ExpiresAt on a session does not exist: who asks for it gets none, and it is erased. A turn
// then begins a new session under its id. A bound on the number of sessions erases the least recently
// used one for each that is begun. A session with a call under way stays until the outcome of the call
// is known, and a damaged one, whose times cannot be trusted, stays as well.
type Rules struct {
	Now     func() time.Time // the clock of expiry; nil: nothing expires
	Max     int              // sessions that stay; 0: all
	PerUser bool             // Max of each user; else of all together
	Failed  func(error)      // is called if sessions above Max could not be erased; may be nil

	// Erased is called after a session was erased by Expire, Prune or a bound, with its key; may be nil.
	Erased func(ctx context.Context, key Key) error

	// Textless: no message, param, plan, result or reply is stored, only what keeps a turn from having its
	// effect twice: ids, counters, times, names of intents and tools, and the journal of write calls. A
	// repeated message gets its reply as long as this process has it. The function says whether a tool's
	// call is made again with its arguments after a crash; those of the others are not kept. nil: texts are.
	Textless func(tool string) bool
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
	// and NextSeq 1. The cost does not depend on the length of the history. It leaves out what is
	// damaged, and the messages before a damaged one, and lists that in Snapshot.Damaged. ErrCorrupt: the
	// state cannot be read.
	Load(ctx context.Context, key Key, opts LoadOptions) (*Snapshot, error)
	// Commit applies a delta and returns when it is durable. ErrConflict: nothing changed.
	Commit(ctx context.Context, delta *Delta) error
	// Start durably writes a journal row with status started before a write tool is
	// called. base is the version the turn was computed from. ErrConflict: the session
	// moved on; ErrStarted: this call was started before. Neither creates the session
	// nor moves its version.
	Start(ctx context.Context, key Key, base int64, step Step) error
	// Renew replaces a state that cannot be read by that of the newest turn that can, and reports
	// whether anything was lost. Where nothing tells how far the session had come, it begins anew, and
	// what was said stays stored, but inactive. A sound state stays as it is.
	Renew(ctx context.Context, key Key, at time.Time) (lost bool, err error)
}

// Reader reads sessions and changes nothing.
type Reader interface {
	// Load is that of Store.
	Load(ctx context.Context, key Key, opts LoadOptions) (*Snapshot, error)
	// Messages reads a page of messages, oldest first. An unknown session is ErrNotFound. A placeholder
	// ([DamagedMessage]) stands for one that is damaged or missing, among active ones, too.
	Messages(ctx context.Context, key Key, page Page) ([]Message, error)
	// Turns reads committed turns by number, oldest first, with how the session stood after
	// each; with Page.Inactive also undone ones. An unknown session is ErrNotFound. Damaged ones are left out.
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
	// Expire erases the sessions that have expired by the clock of Rules and returns how many.
	Expire(ctx context.Context) (int, error)
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
