package memory

import (
	"context"
	"io"
	"math"
	"slices"
	"time"
)

// Store keeps sessions. Every method may be called from many goroutines. A context that
// ends while a commit is under way does not undo it: the caller may see the context's
// error although the commit took place, and asks with the same RequestID again.
type Store interface {
	Jobs
	Views

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
	// Messages reads a page of messages, oldest first. An unknown session is ErrNotFound.
	Messages(ctx context.Context, key Key, page Page) ([]Message, error)
	// Turns reads committed turns by number, oldest first, with how the session stood after
	// each; Page.Inactive also those that were undone. An unknown session is ErrNotFound.
	Turns(ctx context.Context, key Key, page Page) ([]Turn, error)
	// Steps reads the journal of write calls, in the order in which they were started. An
	// unknown session has none. With ErrCorrupt come the rows that are sound.
	Steps(ctx context.Context, key Key) ([]Step, error)
	// Sessions lists sessions, the most recently updated first. One whose rows do not prove
	// whose it is appears in no listing of a user.
	Sessions(ctx context.Context, query Query) ([]Info, error)
	// Describe sets what is said of a session. An unknown session is ErrNotFound.
	Describe(ctx context.Context, key Key, about About) error
	// Mend puts a state in the place of one that is damaged, and closes journal rows that are.
	// ErrConflict: the state is another by now, or sound.
	Mend(ctx context.Context, key Key, m *Mended) error
	// Delete erases a session from every table, its journal included. An unknown one is
	// ErrNotFound.
	Delete(ctx context.Context, key Key) error
	// Prune deletes the sessions last updated before the moment and returns how many. Those
	// of users for whom Reserved is true stay, and so do those whose rows do not match their
	// checksums: their age is not known.
	Prune(ctx context.Context, before time.Time) (int, error)
	// Export writes a session as JSON lines (form: export.go); Import reads any number of
	// them back and returns how many it added. It is idempotent: a session that is there
	// already at the same version is left alone, one that differs is ErrConflict; those
	// read before it stay.
	Export(ctx context.Context, key Key, w io.Writer) error
	Import(ctx context.Context, r io.Reader) (int, error)
	// Ping reports whether the store can be read.
	Ping(ctx context.Context) error
	// Close waits for commits under way. It may be called twice.
	Close() error
}

// LoadOptions says what to read besides the state.
type LoadOptions struct {
	Recent    int    // how many of the newest active messages; 0 none
	RequestID string // look for a committed turn with this id; "" no
	Fresh     bool   // pass over any cache
	Salvage   bool   // pass over damaged rows, too, and say which: Snapshot.Salvaged
}

// Page selects messages by sequence number, or turns by their number.
type Page struct {
	After    int64 // only numbers above it
	Limit    int   // at most; default and maximum 1000
	Inactive bool  // also those that were cleared, pruned or undone
	Last     bool  // the newest Limit ones instead of the first; still oldest first

	// Salvage: what is damaged or missing does not fail the page. A message is then given as a mark
	// ([DamagedMark]), among active ones, too; a turn is left out. A damaged state fails it still.
	Salvage bool
}

// Query selects sessions. Empty fields do not select.
type Query struct {
	UserID    string
	AgentID   string
	SessionID string
	Text      string // part of the title, a tag or the session's id, whatever its case
	Tag       string // one of its tags
	Limit     int    // default 50, maximum 1000
	Offset    int
	Expired   time.Time // only those whose ExpiresAt has come by then; zero does not select
	All       bool      // as many as there are; for whoever needs them all, since each page costs as much
}

// Info is one line of a listing.
type Info struct {
	Key       Key       `json:"key"`
	Turns     int64     `json:"turns"`
	History   int64     `json:"history"`
	Waiting   string    `json:"waiting_for_param,omitempty"`
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	About
	Damaged bool `json:"damaged,omitempty"` // About cannot be read, and so is empty
}

// Matches reports whether the query selects a session.
func (q Query) Matches(i *Info) bool {
	if q.UserID != "" && q.UserID != i.Key.UserID || q.AgentID != "" && q.AgentID != i.Key.AgentID ||
		q.SessionID != "" && q.SessionID != i.Key.SessionID ||
		q.Tag != "" && !slices.Contains(i.Tags, q.Tag) ||
		!q.Expired.IsZero() && (i.ExpiresAt.IsZero() || i.ExpiresAt.After(q.Expired)) {
		return false
	}
	return q.Text == "" || holds(i.words(), q.Text)
}

// Size is Limit with its default and maximum applied.
func (p Page) Size() int {
	if p.Limit <= 0 {
		return 1000
	}
	return min(p.Limit, 1000)
}

// Size is Limit with its default and maximum applied.
func (q Query) Size() int {
	if q.All {
		return math.MaxInt32
	}
	if q.Limit <= 0 {
		return 50
	}
	return min(q.Limit, 1000)
}
