package recall

import (
	"context"
	"net/url"
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
	return t.guard.timed(ctx, "drop", callLimit, func(ctx context.Context) error { return t.opts.Vectors.Drop(ctx, d) })
}

// callLimit is the time limit of a call in the background.
const callLimit = 30 * time.Second

// sweep drops the vectors of sessions that had some before the living ones were listed and are not
// among those.
func (t *Tier) sweep(ctx context.Context, owners []Owner, living []memory.Key) error {
	alive := map[ID]bool{}
	for _, key := range living {
		alive[SessionID(key)] = true
	}
	for _, o := range owners {
		if alive[o.Session] {
			continue
		}
		if err := t.drop(ctx, VectorDrop{Owner: o}); err != nil {
			return err
		}
	}
	return nil
}

// dropOldExternal deletes a session's vectors of models that are no longer used, and the views that
// held vectors before a vector store was configured.
func (t *Tier) dropOldExternal(ctx context.Context, key memory.Key) error {
	used := map[string]bool{}
	prefix := progressPrefix(t.opts.Vectors.Name())
	for _, e := range t.opts.Embedders {
		used[prefix+url.PathEscape(e.Model())] = true
	}
	q := memory.ViewsOf(key, Name, "")
	views, err := t.store.Views(ctx, q)
	if err != nil {
		return err
	}
	for i := range views {
		if used[views[i].ID] {
			continue
		}
		if name, here := strings.CutPrefix(views[i].ID, prefix); here {
			model, err := url.PathUnescape(name)
			if err != nil {
				continue // not made by progressName
			}
			if err := t.drop(ctx, VectorDrop{Owner: OwnerOf(key), Model: model}); err != nil {
				return err
			}
		}
		q.Prefix = views[i].ID
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
