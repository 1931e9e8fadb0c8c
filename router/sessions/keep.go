package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
	"github.com/slotway/slotway/router/telemetry"
)

// Kept remembers what sessions had to hide, so that the next look at one reads only what was
// said since: whoever follows a long conversation looks at it after every turn. The sessions
// looked at last are kept. It is safe for concurrent use.
type Kept struct {
	store memory.Reader

	mu    sync.Mutex // guards items
	items *lru.Cache[memory.Key, *kept]
}

// KeptLimits bound a Kept; the zero value is right.
type KeptLimits struct {
	Sessions int   // default 256
	Bytes    int64 // of the values that are hidden, about; default 32 MiB
}

// kept is one session. It never changes: a later look replaces it.
type kept struct {
	key      memory.Key
	redactor *telemetry.Redactor
	created  int64  // Unix microseconds: another session may get the same id
	lineage  string // of the store's history
	version  int64
	turn     int64 // the newest one that was read
	seq      int64 // the newest message that was read
	secrets  *secrets
	mask     func() *Mask
}

// newKept is a session of which nothing was read.
func newKept(key memory.Key, r *telemetry.Redactor) *kept {
	b := &kept{key: key, redactor: r, secrets: newSecrets(r)}
	b.masks()
	return b
}

// NewKept returns an empty one over a store.
func NewKept(store memory.Reader, limits *KeptLimits) *Kept {
	var l KeptLimits
	if limits != nil {
		l = *limits
	}
	return &Kept{store: store, items: lru.New[memory.Key, *kept](lru.Limits{
		Entries: cmp.Or(max(0, l.Sessions), 256), Weight: cmp.Or(max(0, l.Bytes), 32<<20),
	})}
}

// Masks returns masks for one answer, as NewMasks does.
func (k *Kept) Masks(r *telemetry.Redactor) *Masks {
	m := NewMasks(k.store, r)
	m.kept = k
	return m
}

// Values are what redacted params are known to have been in sessions at any time, by param,
// in lists. It is for whoever sends texts of a session to a model, which must not see them.
// What has not been committed is not among them. The map is the caller's.
func (k *Kept) Values(ctx context.Context, r *telemetry.Redactor, keys ...memory.Key) (map[string]any, error) {
	all := map[string]any{}
	for _, key := range keys {
		b, err := k.look(ctx, key, r)
		if err == nil && b.secrets.damaged {
			err = fmt.Errorf("what session %q has to hide: %w", key.SessionID, memory.ErrCorrupt)
		}
		if err != nil {
			return nil, err
		}
		for param, values := range b.secrets.values {
			have, _ := all[param].([]any)
			all[param] = append(have, values.([]any)...)
		}
	}
	return all, nil
}

// look is what a session, as it is now, has to hide. Of one that was erased it is what it had,
// for a text that is still under way.
func (k *Kept) look(ctx context.Context, key memory.Key, r *telemetry.Redactor) (*kept, error) {
	if !r.HidesParams() {
		return newKept(key, r), nil
	}
	snap, err := memory.LoadReadable(ctx, k.store, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return nil, fmt.Errorf("look for redacted values: %w", err)
	}
	before := k.get(key)
	if before == nil || before.redactor != r {
		before = newKept(key, r)
	}
	if snap.State.Version == 0 {
		k.Forget(key)
		return before, nil
	}
	if !before.leadsTo(snap) {
		before = newKept(key, r)
	}
	if before.version == snap.State.Version {
		return before, nil
	}
	next, err := before.next(ctx, k.store, snap)
	if errors.Is(err, memory.ErrNotFound) { // erased meanwhile
		k.Forget(key)
		return before, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for redacted values: %w", err)
	}
	k.put(next)
	return next, nil
}

// leadsTo reports whether a session went on from what is kept: the same one, no older, in the
// same history. In another one turns of the same numbers may have said something else.
func (b *kept) leadsTo(snap *memory.Snapshot) bool {
	return b.lineage == snap.Lineage && b.created == snap.CreatedAt.UnixMicro() && b.version <= snap.State.Version && b.seq < snap.NextSeq
}

// next reads what was said since. What was hidden before stays hidden.
func (b *kept) next(ctx context.Context, store memory.Reader, snap *memory.Snapshot) (*kept, error) {
	n := &kept{
		key: snap.Key, redactor: b.redactor, created: snap.CreatedAt.UnixMicro(), lineage: snap.Lineage, version: snap.State.Version,
		turn: b.turn, seq: b.seq, secrets: b.secrets.clone(),
	}
	n.secrets.state(&snap.State)
	for i := range snap.OpenSteps {
		n.secrets.call(snap.OpenSteps[i].Tool, snap.OpenSteps[i].Args)
	}
	var err error
	if n.turn, err = n.secrets.turns(ctx, store, snap.Key, n.turn, snap.Turns); err != nil {
		return nil, err
	}
	if n.seq, err = n.secrets.messages(ctx, store, snap.Key, n.seq); err != nil {
		return nil, err
	}
	if b.version == 0 { // a later call is in the turns' messages, or is unsettled
		if err := n.secrets.steps(ctx, store, snap.Key); err != nil {
			return nil, err
		}
	}
	if n.mask = b.mask; n.secrets.bytes != b.secrets.bytes || len(n.secrets.withheld) != len(b.secrets.withheld) {
		n.masks()
	}
	return n, nil
}

// masks has the mask made when it is wanted.
func (b *kept) masks() {
	values, withheld, r := b.secrets.values, b.secrets.withheld, b.redactor
	b.mask = sync.OnceValue(func() *Mask { return &Mask{redactor: r, known: r.Masker(values), withheld: withheld} })
}

// weight is about what a session takes: most of it is what its values are looked for with.
func (b *kept) weight() int64 { return 512 + 128*b.secrets.bytes }

func (k *Kept) get(key memory.Key) *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, _ := k.items.Get(key)
	return b
}

// put keeps a session, unless a faster look has seen more of it.
func (k *Kept) put(next *kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	was, ok := k.items.Peek(next.key)
	if ok && was.redactor == next.redactor && was.created == next.created && was.lineage == next.lineage && was.version > next.version {
		return
	}
	k.items.Put(next.key, next, next.weight())
}

// Forget drops a session that is no more, or is another one now. nil keeps nothing.
func (k *Kept) Forget(key memory.Key) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.items.Remove(key)
}
