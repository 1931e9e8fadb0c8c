package memory

import "context"

// Conversations hands out sessions of one store.
type Conversations struct {
	store  Store
	recent int
}

// NewConversations returns sessions that load at most recent messages.
func NewConversations(store Store, recent int) *Conversations {
	return &Conversations{store: store, recent: recent}
}

// ForSession loads a session for one unit of work. One that does not exist is empty and
// is created by its first Commit.
func (c *Conversations) ForSession(ctx context.Context, key Key) (*Session, error) {
	panic("memory helper: implement")
}

// ForTurn is ForSession that also looks for the committed turn requestID; fresh passes
// over any cache (after ErrConflict).
func (c *Conversations) ForTurn(ctx context.Context, key Key, requestID string, fresh bool) (*Session, error) {
	panic("memory helper: implement")
}

// Session is a unit of work over one session: changes are buffered, copies go out, and
// Commit writes one Delta. It is not safe for concurrent use.
//
// Methods (DESIGN-002): Key, History, Append, Params, Merge, Forget(names...), Waiting,
// SetWaiting, Clear (returns how many messages became inactive), Prune(max), State,
// SetState, Turn (number of the turn under way), Replay, Unsettled, RecordTurn, Settle
// (a journal outcome), Start (journal row, durable at once), UpdatedAt, HistoryCount, Commit.
type Session struct{}
