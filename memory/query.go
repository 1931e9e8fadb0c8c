package memory

import (
	"math"
	"time"
)

// LoadOptions says what to read besides the state.
type LoadOptions struct {
	Recent    int    // how many of the newest active messages; 0 none
	RequestID string // look for a committed turn with this id; "" no
	Fresh     bool   // skip any cache
}

// Page selects messages by sequence number, or turns by their number.
type Page struct {
	After    int64 // only numbers above it
	Limit    int   // at most; default and maximum 1000
	Inactive bool  // also those that were cleared, pruned or undone
	Last     bool  // the newest Limit ones instead of the first; still oldest first
}

// Query selects sessions. Empty fields do not select.
type Query struct {
	UserID    string
	AgentID   string
	SessionID string
	Text      string // part of the title, a tag or the session's id, ignoring case
	Tag       string // one of its tags
	Limit     int    // default 50, maximum 1000
	Offset    int
	Expired   time.Time // only those whose ExpiresAt has come by then; zero does not select
	Walk      bool      // in the order of Info.Place instead of last use, without Offset
	After     any       // of a walk: only those after this Info.Place; nil: from the beginning
	All       bool      // as many as there are; for callers that need them all, since each page costs as much
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
	Damaged bool `json:"damaged,omitempty"` // About cannot be read and is empty
	Place   any  `json:"-"`                 // of a walk: where the store keeps the session
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
