package memory

import (
	"context"
	"fmt"
	"time"
)

// View is a document that a tier made of a session's messages: a summary's block, a packed segment
// of vectors, an archived conversation. These can be dropped and made again at any time from the
// messages. Only the marks of channels cannot: they say how far replies were sent. Views are in no export.
type View struct {
	Key   Key       `json:"key"`
	Tier  string    `json:"tier"`  // that made it, in its own form of Data
	ID    string    `json:"id"`    // unique within session and tier
	Epoch int64     `json:"epoch"` // of the session that it was made from
	UpTo  int64     `json:"up_to"` // the newest message that it covers
	At    time.Time `json:"at"`
	Data  []byte    `json:"data"` // the tier's own, versioned form
}

// ViewQuery selects views. Empty fields do not select; at least Tier or SessionID is given.
type ViewQuery struct {
	UserID, AgentID, SessionID string

	Tier   string
	Prefix string // of ID

	// Newest is how many views are read at most, by At, the newest first; 0: all, by session,
	// tier and ID. What is dropped is not bounded by it.
	Newest int
}

// Validate reports a query that would read everything.
func (q ViewQuery) Validate() error {
	if q.Tier == "" && q.SessionID == "" {
		return fmt.Errorf("%w: a query for views without a tier or a session", ErrBadKey)
	}
	return nil
}

// Views stores what tiers made.
type Views interface {
	// PutViews writes views, all or none, and returns how many it wrote. It skips a view whose
	// session does not exist or was cleared since (its epoch differs), and one older than the stored
	// view of its name: a late worker does no harm.
	PutViews(ctx context.Context, views []View) (int, error)
	// Views reads views.
	Views(ctx context.Context, q ViewQuery) ([]View, error)
	// DropViews deletes views and returns how many.
	DropViews(ctx context.Context, q ViewQuery) (int, error)
}

// Validate reports a view that cannot be kept.
func (v *View) Validate() error {
	if err := v.Key.Validate(); err != nil {
		return err
	}
	if v.Tier == "" || v.ID == "" {
		return fmt.Errorf("%w: a view without a tier or an id", ErrBadDelta)
	}
	return nil
}

// ViewsOf selects the views that a tier keeps of a session, all or those whose ids begin with prefix.
func ViewsOf(key Key, tier, prefix string) ViewQuery {
	return ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: tier, Prefix: prefix}
}

// FindView reads the one view of a session that has this id; nil if there is none.
func FindView(ctx context.Context, store Views, key Key, tier, id string) (*View, error) {
	views, err := store.Views(ctx, ViewsOf(key, tier, id))
	if err != nil || len(views) == 0 || views[0].ID != id {
		return nil, err
	}
	return &views[0], nil
}
