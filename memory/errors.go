package memory

import "errors"

// Sentinel errors of every backend.
var (
	// ErrConflict: the session was changed since it was loaded. Load again and rerun the turn.
	ErrConflict = errors.New("session changed since it was loaded")
	// ErrNotFound: no such session.
	ErrNotFound = errors.New("session not found")
	// ErrBadKey: a key that cannot name a session.
	ErrBadKey = errors.New("invalid session key")
	// ErrBadAbout: an invalid description of a session; the text names the field.
	ErrBadAbout = errors.New("invalid description of a session")
	// ErrBadDelta: a change that no turn can have made (messages out of order, a turn with the wrong
	// number). It is a bug of the caller; nothing was changed.
	ErrBadDelta = errors.New("malformed change")
	// ErrBadExport: an export that cannot be read back (damaged, truncated, of another program).
	ErrBadExport = errors.New("not a session export")
	// ErrCorrupt: a stored row does not match its checksum or cannot be read.
	ErrCorrupt = errors.New("stored session is damaged")
	// ErrStarted: a journal row with this idempotency key or origin exists already.
	ErrStarted = errors.New("tool call already started")
	// ErrNoSnapshot: there is no earlier state to go back to.
	ErrNoSnapshot = errors.New("no earlier state of the session is kept")
	// ErrLease: a job whose lease has run out; another worker has it, or it is done.
	ErrLease     = errors.New("the lease on the job has run out")
	errTierPanic = errors.New("a tier panicked")

	// ErrClosed: the store has been closed.
	ErrClosed = errors.New("store is closed")
	// ErrUnavailable: the backend cannot be written or read now (locked, full, gone). Nothing was
	// changed, unless the backend says that it does not know (postgres.ErrUnknown): the same
	// request, sent again, finds out.
	ErrUnavailable = errors.New("store is unavailable")
)
