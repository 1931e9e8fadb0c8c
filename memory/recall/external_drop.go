package recall

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Forget deletes the vectors of a session from the vector store; of a scope if the key has no
// session; of a user if it has no agent either. It must follow a deletion in the store;
// [CascadeDeletes] calls Vectors itself.
func (t *Tier) Forget(ctx context.Context, key memory.Key) error {
	if t.opts.Vectors == nil {
		return nil
	}
	return t.drop(ctx, VectorDrop{Owner: ownerOf(key)})
}

// ownerOf is OwnerOf for a key that may lack the session, or the agent and the session.
func ownerOf(key memory.Key) Owner {
	o := Owner{User: UserID(key.UserID)}
	if key.AgentID != "" {
		o.Scope = ScopeID(key.UserID, key.AgentID)
		if key.SessionID != "" {
			o.Session = SessionID(key)
		}
	}
	return o
}

func (t *Tier) drop(ctx context.Context, d VectorDrop) error {
	return t.call(ctx, "drop", func(ctx context.Context) error { return t.opts.Vectors.Drop(ctx, d) })
}

// callLimit is the time limit of a call in the background.
const callLimit = 30 * time.Second

func (t *Tier) call(ctx context.Context, op string, do func(context.Context) error) error {
	return t.guard.timed(ctx, op, callLimit, do)
}

// owners lists the sessions that have vectors in the vector store.
func (t *Tier) owners(ctx context.Context) (map[ID]Owner, error) {
	all := map[ID]Owner{}
	err := t.guard.timed(ctx, "owners", 0, func(ctx context.Context) error {
		return t.opts.Vectors.Owners(ctx, func(o Owner) error {
			all[o.Session] = o
			return ctx.Err()
		})
	})
	return all, err
}

// sweep drops the vectors of sessions that had some before the living ones were listed and are not
// among those.
func (t *Tier) sweep(ctx context.Context, owners map[ID]Owner, living []memory.Key) error {
	for _, key := range living {
		delete(owners, SessionID(key))
	}
	for _, o := range owners {
		if err := t.drop(ctx, VectorDrop{Owner: o}); err != nil {
			return err
		}
	}
	return nil
}

// sweepPasses limits how often the sessions that changed during a listing are listed again.
const sweepPasses = 8

// clockSkew is the largest assumed difference between the clocks of two processes.
const clockSkew = 5 * time.Second

// changedSince lists the sessions that changed since a moment. Listings are in the order of
// changes, so that a session that changes during a listing may be missed. What changed meanwhile is
// listed again, until that fits into one page, which is read at once.
func (t *Tier) changedSince(ctx context.Context, since time.Time) ([]memory.Key, error) {
	const limit = 1000
	var all []memory.Key
	for range sweepPasses {
		since = since.Add(-clockSkew)
		begun, pages := t.opts.Now(), 0
		for more := true; more; pages++ {
			infos, err := t.store.Sessions(ctx, memory.Query{Limit: limit, Offset: pages * limit})
			if err != nil {
				return nil, err
			}
			more = len(infos) == limit
			for i := range infos {
				if infos[i].UpdatedAt.Before(since) {
					more = false
					break
				}
				all = append(all, infos[i].Key)
			}
		}
		if pages == 1 {
			return all, nil
		}
		since = begun
	}
	return nil, fmt.Errorf("%w: too many sessions change to tell which are gone; ask again when there is less to do", ErrVectors)
}

// dropOldExternal deletes a session's vectors of models that are no longer used, and the views that
// held vectors before a vector store was configured.
func (t *Tier) dropOldExternal(ctx context.Context, key memory.Key) error {
	var keep []string
	names := map[string]bool{}
	place := t.opts.Vectors.Name()
	for _, e := range t.opts.Embedders {
		keep = append(keep, e.Model())
		names[progressName(place, e.Model())] = true
	}
	q := memory.ViewsOf(key, Name, "")
	views, err := t.store.Views(ctx, q)
	if err != nil {
		return err
	}
	old := false
	for i := range views {
		if names[views[i].ID] {
			continue
		}
		old = old || strings.HasPrefix(views[i].ID, progressPrefix(place))
		q.Prefix = views[i].ID
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	if !old {
		return nil
	}
	return t.drop(ctx, VectorDrop{Owner: OwnerOf(key), Keep: keep})
}
