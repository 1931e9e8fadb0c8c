package recall

import (
	"context"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// remoteEmbedder returns the preferred embedder if its vectors are stored, else nil: vectors of an
// embedded model are made again.
func (t *Tier) remoteEmbedder() Embedder {
	if len(t.opts.Embedders) == 0 {
		return nil
	}
	if _, local := t.opts.Embedders[0].(localEmbedder); local {
		return nil
	}
	return t.opts.Embedders[0]
}

// jobEmbedders returns the embedders, by number, whose vectors the job makes: the preferred one,
// unless it is embedded, and for a vector store the embedded ones.
func (t *Tier) jobEmbedders() []int {
	var out []int
	for i, e := range t.opts.Embedders {
		if _, local := e.(localEmbedder); local && t.opts.Vectors != nil {
			out = append(out, i)
		}
	}
	if t.remoteEmbedder() != nil {
		out = append(out, 0) // last, because it may fail
	}
	return out
}

// Kind implements memory.Worker.
func (*Tier) Kind() string { return Kind }

// Wants implements memory.Worker.
func (t *Tier) Wants(p memory.Progress) bool {
	if len(t.jobEmbedders()) == 0 {
		return false
	}
	cleared := p.Floor > 1 && p.Floor >= p.Before
	if cleared && t.opts.Vectors != nil {
		return true
	}
	for i := range p.Messages {
		if Indexed(&p.Messages[i]) {
			return true
		}
	}
	return false
}

// Work implements memory.Worker. It embeds the messages of the job's session up to its target that
// have no vector of the preferred embedder yet.
func (t *Tier) Work(ctx context.Context, job memory.Job) error {
	_, err := t.syncSession(ctx, job.Key, job.Target, false)
	return err
}

// Backfill embeds every message of the user ("" for all) that has no vector of the preferred
// embedder, and drops the vectors of models that are no longer among the options. Meanwhile the old
// ones are used. It calls progress, if not nil, after every session. It returns the number of
// embedded messages; on an error those so far stay.
func (t *Tier) Backfill(ctx context.Context, userID string, progress func(done, total int)) (int, error) {
	var owners []Owner
	if t.opts.Vectors != nil && userID == "" {
		err := t.guard.timed(ctx, "owners", 0, func(ctx context.Context) (err error) {
			owners, err = t.opts.Vectors.Owners(ctx)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	keys, err := memory.Keys(ctx, t.store, memory.Query{UserID: userID})
	if err != nil {
		return 0, err
	}
	total := 0
	for i, key := range keys {
		n, err := t.BackfillSession(ctx, key)
		total += n
		if err != nil {
			return total, err
		}
		if progress != nil {
			progress(i+1, len(keys))
		}
	}
	return total, t.sweep(ctx, owners)
}

// sweep drops the vectors of those of some sessions that do not exist.
func (t *Tier) sweep(ctx context.Context, owners []Owner) error {
	if len(owners) == 0 {
		return nil
	}
	keys, err := memory.Keys(ctx, t.store, memory.Query{})
	if err != nil {
		return err
	}
	living := map[ID]bool{}
	for _, key := range keys {
		living[SessionID(key)] = true
	}
	for _, owner := range owners {
		if living[owner.Session] {
			continue
		}
		if err := t.drop(ctx, VectorDrop{Owner: owner}); err != nil {
			return err
		}
	}
	return nil
}

// BackfillSession is Backfill of one session.
func (t *Tier) BackfillSession(ctx context.Context, key memory.Key) (int, error) {
	n, err := t.syncSession(ctx, key, math.MaxInt64, true)
	if err != nil {
		return n, err
	}
	return n, t.dropOld(ctx, key)
}

// dropOld deletes a session's vectors of models that are no longer used, and the views that held
// vectors before a vector store was configured.
func (t *Tier) dropOld(ctx context.Context, key memory.Key) error {
	q, external := memory.ViewsOf(key, Name, "vec/"), ""
	if t.opts.Vectors != nil {
		q.Prefix, external = "", progressPrefix(t.opts.Vectors.Name())
	}
	done := map[string]bool{} // prefixes of views that stay or are gone
	for _, e := range t.opts.Embedders {
		prefix := segmentPrefix(e.Model())
		if external != "" {
			prefix = external + url.PathEscape(e.Model())
		}
		done[prefix] = true
	}
	views, err := t.store.Views(ctx, q)
	if err != nil {
		return err
	}
	for i := range views {
		prefix := views[i].ID
		if strings.HasPrefix(prefix, "vec/") { // one for all segments
			prefix = prefix[:strings.LastIndexByte(prefix, '/')+1]
		}
		if done[prefix] {
			continue
		}
		done[prefix] = true
		if name, here := strings.CutPrefix(prefix, external); here && external != "" {
			model, err := url.PathUnescape(name)
			if err != nil {
				continue // not a name that progressName makes
			}
			if err := t.drop(ctx, VectorDrop{Owner: OwnerOf(key), Model: model}); err != nil {
				return err
			}
		}
		q.Prefix = prefix
		if _, err := t.store.DropViews(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// Forget deletes the vectors of a session from the vector store; of a scope if the key has no
// session; of a user if it has no agent either. It must follow a deletion in the store;
// [CascadeDeletes] calls Vectors itself.
func (t *Tier) Forget(ctx context.Context, key memory.Key) error {
	if t.opts.Vectors == nil {
		return nil
	}
	owner := Owner{User: UserID(key.UserID)}
	if key.AgentID != "" {
		owner.Scope = ScopeID(key.UserID, key.AgentID)
		if key.SessionID != "" {
			owner.Session = SessionID(key)
		}
	}
	return t.drop(ctx, VectorDrop{Owner: owner})
}

// callLimit is the time limit of a call in the background.
const callLimit = 30 * time.Second

func (t *Tier) drop(ctx context.Context, d VectorDrop) error {
	return t.guard.timed(ctx, "drop", callLimit, func(ctx context.Context) error { return t.opts.Vectors.Drop(ctx, d) })
}
