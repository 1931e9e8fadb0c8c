package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// MaskCache remembers the values that sessions have to hide, so that the next mask of a session
// only reads what was added since: clients that follow a long conversation need one after every
// turn. It keeps the sessions used last. It is safe for concurrent use.
type MaskCache struct {
	store memory.Reader

	mu    sync.Mutex // guards items
	items *lru.Cache[memory.Key, *cachedSecrets]
}

// MaskCacheLimits are the limits of a MaskCache. The zero value is valid.
type MaskCacheLimits struct {
	Sessions int   // default 256
	Bytes    int64 // of the values that are hidden, about; default 32 MiB
}

// cachedSecrets are the values of one session. They never change: a later look replaces them.
type cachedSecrets struct {
	key      memory.Key
	redactor *telemetry.Redactor
	created  int64 // Unix microseconds: another session may get the same id
	version  int64
	turn     int64 // the newest one that was read
	seq      int64 // the newest message that was read
	secrets  *secrets
	mask     func() *Mask
}

// newCachedSecrets returns the values of a session that was not read yet.
func newCachedSecrets(key memory.Key, r *telemetry.Redactor) *cachedSecrets {
	b := &cachedSecrets{key: key, redactor: r, secrets: newSecrets(r)}
	b.masks()
	return b
}

// NewMaskCache returns an empty cache over a store.
func NewMaskCache(store memory.Reader, limits *MaskCacheLimits) *MaskCache {
	var l MaskCacheLimits
	if limits != nil {
		l = *limits
	}
	return &MaskCache{store: store, items: lru.New[memory.Key, *cachedSecrets](lru.Limits{
		Entries: cmp.Or(max(0, l.Sessions), 256), Weight: cmp.Or(max(0, l.Bytes), 32<<20),
	})}
}

// Masks returns masks for one answer, as NewMasks does.
func (k *MaskCache) Masks(r *telemetry.Redactor) *Masks {
	return &Masks{redactor: r, made: map[memory.Key]*Mask{}, kept: k}
}

// Values returns all values that the redacted params of sessions have ever had, as lists by param,
// so that texts of the sessions can be hidden from a model. It does not contain uncommitted values.
// The caller owns the map.
func (k *MaskCache) Values(ctx context.Context, r *telemetry.Redactor, keys ...memory.Key) (map[string]any, error) {
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

// look returns the values that a session has to hide now. For an erased session it returns the last
// known ones, for texts that are still on their way.
func (k *MaskCache) look(ctx context.Context, key memory.Key, r *telemetry.Redactor) (*cachedSecrets, error) {
	if !r.HidesParams() {
		return newCachedSecrets(key, r), nil
	}
	snap, err := k.store.Load(ctx, key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return nil, fmt.Errorf("look for redacted values: %w", err)
	}
	before := k.get(key)
	if before == nil || before.redactor != r {
		before = newCachedSecrets(key, r)
	}
	if snap.State.Version == 0 {
		k.Forget(key)
		return before, nil
	}
	if !before.leadsTo(snap) {
		before = newCachedSecrets(key, r)
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

// leadsTo reports whether the session is a continuation of the cached one: the same session, not
// older, with the same history. With another history, turns of the same numbers may have other
// texts.
func (b *cachedSecrets) leadsTo(snap *memory.Snapshot) bool {
	return b.created == snap.CreatedAt.UnixMicro() && b.version <= snap.State.Version && b.seq < snap.NextSeq
}

// next reads what was added since. Values that were hidden before stay hidden.
func (b *cachedSecrets) next(ctx context.Context, store memory.Reader, snap *memory.Snapshot) (*cachedSecrets, error) {
	n := &cachedSecrets{
		key: snap.Key, redactor: b.redactor, created: snap.CreatedAt.UnixMicro(), version: snap.State.Version,
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
	if n.mask = b.mask; n.secrets.bytes != b.secrets.bytes {
		n.masks()
	}
	return n, nil
}

// masks returns the mask, made on first use.
func (b *cachedSecrets) masks() {
	values, r := b.secrets.values, b.redactor
	b.mask = sync.OnceValue(func() *Mask { return &Mask{redactor: r, known: r.Masker(values)} })
}

// weight estimates the memory of an entry. Most of it are the patterns that find its values.
func (b *cachedSecrets) weight() int64 { return 512 + 128*b.secrets.bytes }

func (k *MaskCache) get(key memory.Key) *cachedSecrets {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, _ := k.items.Get(key)
	return b
}

// put stores an entry, unless a concurrent look has read more of the session.
func (k *MaskCache) put(next *cachedSecrets) {
	k.mu.Lock()
	defer k.mu.Unlock()
	was, ok := k.items.Peek(next.key)
	if ok && was.redactor == next.redactor && was.created == next.created && was.version > next.version {
		return
	}
	k.items.Put(next.key, next, next.weight())
}

// Forget drops a session that was erased or replaced. A nil cache does nothing.
func (k *MaskCache) Forget(key memory.Key) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.items.Remove(key)
}

// secrets collects, by redacted param, all known values of a session.
type secrets struct {
	redactor *telemetry.Redactor
	values   map[string]any // lists
	seen     map[string]bool
	bytes    int64 // of what seen holds

	damaged bool // there is a damaged message or call
}

func newSecrets(r *telemetry.Redactor) *secrets {
	return &secrets{redactor: r, values: map[string]any{}, seen: map[string]bool{}}
}

// clone returns a copy that can be extended.
func (s *secrets) clone() *secrets {
	c := &secrets{
		redactor: s.redactor, values: make(map[string]any, len(s.values)), seen: maps.Clone(s.seen), bytes: s.bytes,
		damaged: s.damaged,
	}
	for param, list := range s.values {
		c.values[param] = slices.Clone(list.([]any))
	}
	return c
}

// turns reads the turns after one, of all, and returns the number of the last. memory.ErrCorrupt: one of them
// cannot be read, and what it had to hide is not known.
func (s *secrets) turns(ctx context.Context, store memory.Reader, key memory.Key, after, all int64) (last int64, err error) {
	last = after
	err = memory.EachTurn(ctx, store, key, memory.Page{After: after, Inactive: true}, func(t *memory.Turn) error {
		if t.Number != last+1 {
			return lostTurn(last + 1)
		}
		s.turn(t)
		last = t.Number
		return nil
	})
	if err == nil && last < all {
		err = lostTurn(last + 1)
	}
	return last, err
}

func lostTurn(number int64) error {
	return fmt.Errorf("%w: turn %d cannot be read", memory.ErrCorrupt, number)
}

// messages reads the messages after one, and returns the number of the last.
func (s *secrets) messages(ctx context.Context, store memory.Reader, key memory.Key, after int64) (last int64, err error) {
	last = after
	err = memory.EachMessage(ctx, store, key, memory.Page{After: after, Inactive: true}, func(m *memory.Message) error {
		s.damaged = s.damaged || m.Damaged()
		s.message(m)
		last = m.Seq
		return nil
	})
	return last, err
}

func (s *secrets) steps(ctx context.Context, store memory.Reader, key memory.Key) error {
	list, err := store.Steps(ctx, key)
	for i := range list {
		s.call(list[i].Tool, list[i].Args)
	}
	if errors.Is(err, memory.ErrCorrupt) { // what it was called with, the turn's state knows, too
		s.damaged, err = true, nil
	}
	return err
}

func (s *secrets) state(st *memory.State) {
	s.params(st.Params)
	// A plan of a newer version is not shown either.
	if plan, err := planner.Load(st.PlanExecution, nil); err == nil {
		plan.EachValue(s.add)
	}
}

// turn adds the values in a turn's reply: its params, the options for a param, and unheard parts
// that could be a value.
func (s *secrets) turn(t *memory.Turn) {
	if t.Snapshot != nil {
		s.state(&t.Snapshot.State)
	}
	var reply struct {
		Params  map[string]any
		Options []planner.Suggestion
		Unheard []struct{ Text, Param string }
	}
	if json.Unmarshal(t.Response, &reply) != nil {
		return
	}
	s.params(reply.Params)
	for _, o := range reply.Options {
		s.add(o.Param, o.Text)
	}
	for _, u := range reply.Unheard {
		s.add(u.Param, u.Text)
	}
}

func (s *secrets) message(m *memory.Message) {
	for i := range m.ToolCalls {
		s.call(m.ToolCalls[i].Tool, m.ToolCalls[i].Args)
	}
}

func (s *secrets) call(tool string, raw json.RawMessage) {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return
	}
	for name, v := range args {
		s.add(s.redactor.ArgParam(tool, name), v)
		planner.EachField(v, s.add)
	}
}

func (s *secrets) params(params map[string]any) {
	for name, v := range params {
		s.add(name, v)
		planner.EachField(v, s.add)
	}
}

// add keeps a value once.
func (s *secrets) add(param string, v any) {
	if v == nil || !s.redactor.Hides(param) {
		return
	}
	id := param + "\x00" + string(encode(v))
	if s.seen[id] {
		return
	}
	s.seen[id] = true
	s.bytes += int64(len(id))
	list, _ := s.values[param].([]any)
	s.values[param] = append(list, v)
}
