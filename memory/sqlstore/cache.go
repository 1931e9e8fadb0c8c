package sqlstore

import (
	"bytes"
	"context"
	"sync"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/lru"
)

// cached is a session at one version. It is never changed; a later version replaces it.
type cached struct {
	row    sessionRow
	window int64            // how many messages it keeps
	from   int64            // recent has every active message from this number on
	recent []memory.Message // shared between versions
	reply  *memory.Turn     // of the last turn, where it is not stored
}

// covers reports whether the n newest active messages are all here.
func (e *cached) covers(n int64) bool { return n <= 0 || e.from <= e.row.counters.Window(n) }

// weight estimates the bytes that the entry keeps alive. Params are not walked: they are guessed from their JSON.
func (e *cached) weight() int64 {
	n := int64(1024 + 3*len(e.row.params) + len(e.row.state.LastResult) + len(e.row.state.PlanExecution))
	for i := range e.recent {
		n += int64(256 + len(e.recent[i].Text))
	}
	if e.reply != nil {
		n += int64(len(e.reply.Response))
	}
	return n
}

// snapshot copies the entry with its n newest messages.
func (e *cached) snapshot(n int64) *memory.Snapshot {
	snap := memory.NewSnapshot(e.row.key)
	e.row.describe(snap)
	snap.State = snap.State.Clone()
	recent := e.recent[max(0, int64(len(e.recent))-max(n, 0)):]
	if len(recent) > 0 {
		snap.Recent = make([]memory.Message, len(recent), len(recent)+4) // a turn appends a few
		for i := range recent {
			snap.Recent[i] = recent[i].Clone()
		}
	}
	return snap
}

// cache keeps the sessions used last, decoded. It decides nothing: before an entry is used, one query asks
// whether the database still has that version.
type cache struct {
	mu      sync.Mutex // guards entries
	entries *lru.Cache[digest, *cached]
}

func newCache(sessions int, bytes int64) *cache {
	return &cache{entries: lru.New[digest, *cached](lru.Limits{Entries: sessions, Weight: bytes})}
}

func (c *cache) get(d digest) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, _ := c.entries.Get(d)
	return e
}

func (c *cache) put(e *cached) {
	weight := e.weight()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Put(e.row.digest, e, weight)
}

func (c *cache) drop(d digest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(d)
}

const selectCurrent = `SELECT version, created_at, updated_at, expires_at, (SELECT count(*) FROM plan_steps WHERE session = $2::uuid AND status = 'started'),
	(SELECT count(*) FROM turns WHERE session = $2::uuid AND request_id = $1 AND length(request_id) > 0) FROM sessions WHERE session = $2::uuid`

// current returns a cached session that is still what the database holds, without a call under way and without
// a turn of this request; nil: there is none.
func (s *Store) current(ctx context.Context, d digest, opts memory.LoadOptions) (*memory.Snapshot, error) {
	e, recent := s.cache.get(d), int64(max(opts.Recent, 0))
	if e == nil || opts.Fresh || !e.covers(recent) {
		return nil, nil
	}
	is := false
	err := s.db.Read(ctx, &Query{Text: selectCurrent, Args: []any{[]byte(opts.RequestID), d[:]}, Row: func(scan func(into ...any) error) error {
		var version, created, updated, expires, calls, turns int64
		err := scan(&version, &created, &updated, &expires, &calls, &turns)
		is = version == e.row.counters.Version && created == e.row.created && updated == e.row.updated && expires == e.row.expires && calls+turns == 0
		return err
	}})
	if err != nil || !is {
		return nil, err
	}
	return e.snapshot(recent), nil
}

// keepLoaded caches what was read.
func (s *Store) keepLoaded(l *loading, snap *memory.Snapshot) (e *cached) {
	if l.row.begun() {
		e = &cached{row: *l.row, window: l.recent, from: l.row.counters.Window(l.recent), recent: memory.CloneMessages(snap.Recent)}
		e.row.state = e.row.state.Clone()
		if before := s.cache.get(l.digest); before != nil {
			e.reply = before.reply
		}
		if isKept := e.reply != nil && snap.Replay != nil; isKept && e.reply.RequestID == l.request {
			snap.Replay.Response = bytes.Clone(e.reply.Response) // it is not stored
		}
		s.cache.put(e)
	}
	return e
}

// newWindow is how many messages of a session are kept that was not loaded yet.
const newWindow = 64

// keepCommitted caches a session as a commit has left it: its window continues that of the version before.
func (s *Store) keepCommitted(ctx context.Context, c *commit, after memory.Counters) {
	before := s.cache.get(c.digest)
	known := before != nil && before.row.counters == c.before.counters && before.row.created == c.before.created
	if c.d.Undo != nil || after.Gone > 0 || !known && c.d.Base > 0 {
		s.forget(ctx, c.digest)
		return
	}
	e := &cached{row: *c.row, window: newWindow, from: 1, reply: c.reply}
	e.row.state, e.row.params = c.d.State.At(after.Version), []byte(c.params)
	if known {
		e.window, e.from, e.row.expires = before.window, before.from, before.row.expires
	}
	e.from = max(e.from, after.Floor, after.NextSeq-e.window)
	e.recent = make([]memory.Message, 0, max(after.NextSeq-e.from, 0))
	if known {
		e.add(before.recent)
	}
	e.add(c.d.Messages)
	s.cache.put(e)
	s.setShared(ctx, e)
}

func (e *cached) add(list []memory.Message) {
	for i := range list {
		if list[i].Seq >= e.from {
			e.recent = append(e.recent, list[i])
		}
	}
}
