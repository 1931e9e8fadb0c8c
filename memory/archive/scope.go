package archive

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/scopes"
)

// sessionOf returns the key of a session of a scope.
func sessionOf(k scopes.Key, id string) memory.Key {
	return memory.Key{UserID: k.User, AgentID: k.Agent, SessionID: id}
}

// scope is the index of one user and agent.
type scope struct {
	key scopes.Key

	mu       scopes.Guard // guards the fields below
	terms    map[string]uint32
	sessions map[string]*session    // changed only by put and drop
	in       []int32                // number of entries with a term, by term
	all      int                    // number of entries
	length   int                    // sum of theirs
	bytes    int64                  // approximate size of the sessions
	checked  time.Time              // when it last looked for documents of other processes
	corrupt  scopes.DamagedSessions // sessions that cannot be read
	swept    time.Time              // when a job last looked for idle sessions
}

// session is the index of one session.
type session struct {
	version    int64 // the store's version that the index has read; 0: none
	created    int64 // Unix microseconds; a session with the same id but another time is a different one
	updated    time.Time
	next       int64 // number of the next message
	upTo       int64 // the last message that a document covers
	entries    []*entry
	incomplete bool  // an entry has no vector of the preferred embedder yet
	bytes      int64 // approximate size in the index
}

// put replaces a session of the index. The caller holds sc.mu.
func (sc *scope) put(id string, s *session) {
	sc.drop(id)
	s.bytes = s.size(id)
	sc.sessions[id] = s
	sc.count(s, 1)
}

// drop removes a session. The caller holds sc.mu.
func (sc *scope) drop(id string) {
	if s := sc.sessions[id]; s != nil {
		sc.count(s, -1)
		delete(sc.sessions, id)
	}
}

// count adds a session to the counts, or removes it for -1. Walking all entries whenever counts are
// needed would make each conversation cost as much as all before it.
func (sc *scope) count(s *session, by int32) {
	sc.all += int(by) * len(s.entries)
	sc.bytes += int64(by) * s.bytes
	for _, e := range s.entries {
		sc.length += int(by) * e.length
		for _, term := range e.terms {
			sc.in[term] += by
		}
	}
}

// entry is a document, or a chunk of an added text. It does not change.
type entry struct {
	Document
	typ    Type
	key    memory.Key
	terms  []uint32 // ascending
	counts []uint8  // occurrences of each term
	length int      // sum of counts
	vec    []float32
	remote *vectorOf // vector by the preferred embedder; nil: none yet
}

// rescanInterval is how often an index looks for documents that another process made: those do not
// change the session's version.
const rescanInterval = 5 * time.Second

// scope returns the index of a scope, which may be empty, and marks it as used.
func (t *Tier) scope(key scopes.Key) *scope { return t.scopes.Get(key) }

// Drop removes the index of a user from memory, or all for "". It is built again when needed.
func (t *Tier) Drop(userID string) { t.scopes.Drop(userID) }

// invalidate makes the next search read a session again.
func (t *Tier) invalidate(key memory.Key) {
	sc, ok := t.scopes.Loaded(scopes.Of(key))
	if !ok {
		return
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if s := sc.sessions[key.SessionID]; s != nil {
		s.version = 0
	}
}

// catchUp brings the index up to date with the store, except for one session.
func (t *Tier) catchUp(ctx context.Context, sc *scope, without string) error {
	now := t.opts.Now()
	list := func() ([]memory.Info, error) { return sc.corrupt.Readable(ctx, t.store, sc.key, now) }
	current := func(infos []memory.Info) bool { return sc.current(infos, without, sc.rescanDue(now)) }
	return sc.mu.CatchUp(list, current, func(infos []memory.Info) error {
		look := sc.rescanDue(now)
		if look {
			sc.checked = now
		}
		listed := map[string]bool{}
		for i := range infos {
			in := &infos[i]
			listed[in.Key.SessionID] = true
			if in.Key.SessionID == without || sc.upToDate(in, look) {
				continue
			}
			leave, err := sc.corrupt.Read(in, now, t.read(ctx, sc, in), t.opts.OnCorrupt)
			if err != nil {
				return err
			}
			if leave {
				sc.drop(in.Key.SessionID)
			}
		}
		for id := range sc.sessions {
			if !listed[id] {
				sc.drop(id)
			}
		}
		t.scopes.SetWeight(sc.key, sc, sc.size())
		return nil
	})
}

func (sc *scope) rescanDue(now time.Time) bool {
	return now.Sub(sc.checked) >= rescanInterval
}

// current reports whether the index is up to date with a listing.
func (sc *scope) current(infos []memory.Info, without string, look bool) bool {
	known := len(sc.sessions)
	for i := range infos {
		if infos[i].Key.SessionID == without {
			if sc.sessions[without] == nil {
				known++
			}
			continue
		}
		if !sc.upToDate(&infos[i], look) {
			return false
		}
	}
	return known == len(infos)
}

// upToDate reports whether nothing about a session can be new.
func (sc *scope) upToDate(in *memory.Info, look bool) bool {
	s := sc.sessions[in.Key.SessionID]
	return s != nil && s.version == in.Version && s.created == in.CreatedAt.UnixMicro() && !(look && (s.incomplete || sc.key.User != Owner && s.upTo < s.next-1))
}

// read reads one session into the index. The caller holds sc.mu.
func (t *Tier) read(ctx context.Context, sc *scope, in *memory.Info) error {
	snap, err := t.store.Load(ctx, in.Key, memory.LoadOptions{Fresh: true})
	if err != nil {
		return err
	}
	if snap.State.Version == 0 {
		sc.drop(in.Key.SessionID)
		return nil
	}
	s := &session{version: snap.State.Version, created: snap.CreatedAt.UnixMicro(), updated: snap.UpdatedAt, next: snap.NextSeq}
	if sc.key.User == Owner {
		err = t.readPieces(ctx, sc, s, snap, in.Title)
	} else {
		err = t.readDocuments(ctx, sc, s, snap)
	}
	if errors.Is(err, memory.ErrNotFound) {
		sc.drop(in.Key.SessionID)
		return nil
	}
	if err == nil {
		err = t.attach(ctx, s, snap)
	}
	if err != nil {
		return err
	}
	sc.put(in.Key.SessionID, s)
	return nil
}

func (t *Tier) readDocuments(ctx context.Context, sc *scope, s *session, snap *memory.Snapshot) error {
	views, err := t.store.Views(ctx, memory.ViewsOf(snap.Key, Name, ""))
	if err != nil {
		return err
	}
	docs, _ := validDocuments(views, snap.Epoch)
	whole, err := t.intact(ctx, snap.Key, docs)
	if err != nil {
		return err
	}
	for i := range docs[:whole] {
		d := docs[i]
		e := &entry{Document: d, typ: Conversations, key: snap.Key}
		sc.index(e, d.Words)
		t.embed(e, strings.Join(d.Topics, ", ")+". "+d.Summary)
		e.Words = nil
		s.entries = append(s.entries, e)
		s.upTo = d.To
	}
	if snap.History() == 0 { // cleared: there is nothing to archive
		s.upTo = max(s.upTo, snap.NextSeq-1)
	}
	return nil
}

// index sets the terms of an entry. The caller holds sc.mu.
func (sc *scope) index(e *entry, words map[string]int) {
	type count struct {
		term uint32
		n    int
	}
	var all []count
	for term, n := range words {
		id, ok := sc.terms[term]
		if !ok {
			id = uint32(len(sc.terms))
			sc.terms[term] = id
			sc.in = append(sc.in, 0)
		}
		n = min(max(n, 1), 255)
		all = append(all, count{id, n})
		e.length += n
	}
	slices.SortFunc(all, func(a, b count) int { return cmp.Compare(a.term, b.term) })
	e.terms, e.counts = make([]uint32, len(all)), make([]uint8, len(all))
	for i, c := range all {
		e.terms[i], e.counts[i] = c.term, uint8(c.n)
	}
}

func (t *Tier) embed(e *entry, text string) {
	if t.opts.Embedder == nil {
		return
	}
	e.vec = make([]float32, t.opts.Embedder.Dimension())
	t.opts.Embedder.EmbedInto(e.vec, text)
}

// attach sets the vectors that jobs have made for the entries of a session.
func (t *Tier) attach(ctx context.Context, s *session, snap *memory.Snapshot) error {
	if t.remote == nil || len(s.entries) == 0 {
		return nil
	}
	known, err := t.vectors(ctx, snap.Key)
	if err != nil {
		return err
	}
	for _, e := range s.entries {
		if v := known[e.From]; v != nil && v.epoch == snap.Epoch && v.Born == s.created {
			e.remote = v
			continue
		}
		s.incomplete = true
	}
	return nil
}

// sessionBytes is the approximate size of a session without documents, with its place in the map.
const sessionBytes = 160

// size returns the approximate size of the index in bytes.
func (sc *scope) size() int64 { return int64(len(sc.terms))*termBytes + sc.bytes }

// termBytes is the approximate size of a term with its count.
const termBytes = 68

// size returns the approximate size of a session in the index, in bytes.
func (s *session) size(id string) int64 {
	n := sessionBytes + int64(len(id))
	for _, e := range s.entries {
		n += 400 + int64(5*len(e.terms)+4*len(e.vec)+len(e.Title)+len(e.Summary))
		if e.remote != nil {
			n += int64(64 + len(e.remote.Row))
		}
		for _, l := range [][]string{e.Topics, e.Entities, e.Decisions, e.Questions, e.Dates} {
			for _, text := range l {
				n += int64(16 + len(text))
			}
		}
	}
	return n
}

// idle returns the sessions that have been idle since a moment and are not archived completely.
func (sc *scope) idle(since time.Time) []memory.Key {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	var keys []memory.Key
	for id, s := range sc.sessions {
		if s.upTo < s.next-1 && s.updated.Before(since) {
			keys = append(keys, sessionOf(sc.key, id))
		}
	}
	slices.SortFunc(keys, func(a, b memory.Key) int { return cmp.Compare(a.SessionID, b.SessionID) })
	return keys
}

// countTerms adds the terms of a text to counts.
func countTerms(counts map[string]int, text string) {
	recall.Terms(text, func(term, _ []byte) { counts[string(term)]++ })
}
