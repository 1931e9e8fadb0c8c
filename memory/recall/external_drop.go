package recall

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Forget deletes what is kept elsewhere of a session, of a scope where the key has no
// session, or of a user where it has no agent either. It is
// what a deletion in the store is followed by; [Follow] does so.
func (t *Tier) Forget(ctx context.Context, key memory.Key) error {
	if t.external == nil {
		return nil
	}
	return t.drop(ctx, VectorDrop{Owner: ownerOf(key)})
}

// ownerOf is OwnerOf of a key that may lack a session, or an agent and a session.
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
	return t.call(ctx, "drop", func(ctx context.Context) error { return t.external.vectors.Drop(ctx, d) })
}

// callLimit is how long one call of the background may take.
const callLimit = 30 * time.Second

func (t *Tier) call(ctx context.Context, op string, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	begun := t.opts.Now()
	return t.external.finish(op, begun, do(ctx))
}

// owners lists the sessions that have vectors elsewhere.
func (t *Tier) owners(ctx context.Context) (map[ID]Owner, error) {
	all := map[ID]Owner{}
	begun := t.opts.Now()
	err := t.external.vectors.Owners(ctx, func(o Owner) error {
		all[o.Session] = o
		return ctx.Err()
	})
	return all, t.external.finish("owners", begun, err)
}

// sweep drops the vectors of sessions that had some before the living were listed, and are
// not among them.
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

// sweepPasses is how often the sessions that changed during a listing are listed again.
const sweepPasses = 8

// clockSkew is how far the clocks of two processes may be apart.
const clockSkew = 5 * time.Second

// changedSince lists the sessions that changed since a moment. A listing is in the order of
// changes, so a session that changes while it is read may be missed: what changed meanwhile
// is listed again, until that is one page, which is read at once.
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

// dropOldExternal deletes a session's vectors of models that nobody asks for, and the views
// in which vectors were before they were kept elsewhere.
func (t *Tier) dropOldExternal(ctx context.Context, key memory.Key) error {
	var keep []string
	names := map[string]bool{}
	place := t.external.vectors.Name()
	for _, e := range t.opts.Embedders {
		keep = append(keep, e.Model())
		names[progressName(place, e.Model())] = true
	}
	q := memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID, Tier: Name}
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
