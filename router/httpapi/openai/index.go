package openai

import (
	"cmp"
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
)

// The history index finds the turn that answered the last message of a history. Each such turn has
// an entry: a view of its session whose id is the digest of the history. Entries are erased with
// their session.

// historyTier is the tier of the views of the history index.
const historyTier = "openai"

// maxIndexed is the number of a session's newest turns that the index holds.
const maxIndexed = 64

// maxAlike is the number of sessions with the same history that are compared, newest first.
const maxAlike = 16

// entries selects the entries whose id begins with a prefix, in the session of key, or in all sessions
// of its user if key names no session.
func entries(key memory.Key, prefix string) memory.ViewQuery {
	return memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: historyTier, Prefix: prefix}
}

// indexTurn durably adds an entry for the turn that answered a history, and removes the entries of
// the session's oldest turns if there are too many.
func (f *Adapter) indexTurn(ctx context.Context, key memory.Key, history string, epoch, turn int64) error {
	entry := memory.View{Key: key, Tier: historyTier, ID: history, Epoch: epoch, UpTo: turn, At: f.opts.Now()}
	if _, err := f.opts.Store.PutViews(ctx, []memory.View{entry}); err != nil || turn <= maxIndexed {
		return err
	}
	views, err := f.opts.Store.Views(ctx, entries(key, ""))
	if err != nil || len(views) <= maxIndexed {
		return err
	}
	slices.SortFunc(views, func(a, b memory.View) int { return cmp.Compare(b.UpTo, a.UpTo) })
	for _, v := range views[maxIndexed:] {
		if _, err := f.opts.Store.DropViews(ctx, entries(key, v.ID)); err != nil {
			return err
		}
	}
	return nil
}

// findHistory returns the turns that answered the history of a digest in any session of the user.
func (f *Adapter) findHistory(ctx context.Context, owner memory.Key, digest string) ([]ref, error) {
	q := entries(owner, digest)
	q.Newest = maxAlike
	views, err := f.opts.Store.Views(ctx, q)
	if err != nil {
		return nil, err
	}
	found := make([]ref, len(views))
	for i, v := range views {
		found[i] = ref{v.Key.SessionID, v.UpTo}
	}
	return found, nil
}
