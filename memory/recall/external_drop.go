package recall

import (
	"context"
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
