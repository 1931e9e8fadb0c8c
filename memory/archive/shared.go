package archive

import (
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/scopes"
)

// share sets what other agents see of a document.
func (t *Tier) share(ctx context.Context, key memory.Key, d *Document) error {
	if !t.opts.Shared {
		return nil
	}
	hide, _, err := t.opts.Pseudonyms.Of(ctx, key)
	if err != nil {
		return err
	}
	shared := d.reworded(hide)
	d.Shared = &shared
	return nil
}

// asShared returns a document as another agent sees it.
func (d Document) asShared() Document {
	if d.Shared != nil && d.Shared.Title != "" {
		d.Digest = *d.Shared
	}
	return d
}

// foreign reports whether a scope belongs to another agent than the asking one.
func (q *Query) foreign(key scopes.Key) bool { return key.Agent != q.Key.AgentID }

// reachableScopes returns the scopes that a query searches: the user's own with the agent and the
// agent's documents and, if knowledge is shared, those of other agents that share theirs. Scopes of
// other users are never among them.
func (t *Tier) reachableScopes(ctx context.Context, q *Query) ([]scopes.Key, error) {
	own := q.scopes()
	if !t.opts.Shared {
		return own, nil
	}
	all := own
	for _, key := range own {
		infos, err := t.store.Sessions(ctx, memory.Query{UserID: key.User, All: true})
		if err != nil {
			return nil, err
		}
		var others []string
		for i := range infos {
			if agent := infos[i].Key.AgentID; infos[i].Key.UserID == key.User && agent != key.Agent {
				others = append(others, agent)
			}
		}
		slices.Sort(others)
		for _, agent := range slices.Compact(others) {
			all = append(all, scopes.Key{User: key.User, Agent: agent})
		}
	}
	return all, nil
}

// shared returns the entries that another agent finds, in their shared form.
func shared(entries []*entry) []*entry {
	var out []*entry
	for _, e := range entries {
		if e.Shared != nil {
			told := *e
			told.Document = e.asShared()
			out = append(out, &told)
		}
	}
	return out
}
