package inmem

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/slotway/slotway/memory"
)

var _ memory.Backend = (*Store)(nil)

// Options of a store; the zero value is right.
type Options struct {
	// MaxSessions bounds how many sessions are kept: a new one replaces the least recently used
	// one. 0: no bound.
	MaxSessions int
}

// Store keeps sessions in maps.
type Store struct {
	mu       sync.Mutex // guards everything below
	closed   bool
	sessions map[memory.Key]*session
	used     *simplelru.LRU[memory.Key, struct{}] // nil where their number is not bounded
	leases   int                                  // handed out so far; their numbers are the tokens
}

// session is one session. head.Version 0: only the journal exists (a call was started
// before the first commit), which no listing shows.
type session struct {
	key      memory.Key
	counters memory.Counters
	state    memory.State
	created  time.Time
	updated  time.Time
	messages []memory.Message // all of them; Seq is the index plus one
	turns    []memory.Turn
	requests map[string]int // request id to index in turns
	steps    []memory.Step
	about    memory.About
	keys     map[string]int // idempotency key to index in steps
	jobs     map[string]memory.Job
	views    map[viewName]memory.View
}

// New returns an empty store.
func New(opts *Options) *Store {
	if opts == nil {
		opts = &Options{}
	}
	s := &Store{sessions: map[memory.Key]*session{}}
	if opts.MaxSessions > 0 {
		used, err := simplelru.NewLRU(opts.MaxSessions, func(key memory.Key, _ struct{}) { delete(s.sessions, key) })
		if err != nil {
			panic(err) // only for a size that is not positive
		}
		s.used = used
	}
	return s
}

// lock takes the mutex unless the context has ended or the store is closed. On success
// the caller unlocks.
func (s *Store) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return memory.ErrClosed
	}
	return nil
}

// begin checks the key and takes the mutex. On success the caller unlocks.
func (s *Store) begin(ctx context.Context, key memory.Key) error {
	if err := key.Validate(); err != nil {
		return err
	}
	return s.lock(ctx)
}

// get returns the session and marks it as used; nil if there is none. Reading a session does not
// use it: recall and archive read a user's other sessions, in random order, which would decide
// what is forgotten next.
func (s *Store) get(key memory.Key) *session {
	if s.used != nil {
		s.used.Get(key)
	}
	return s.sessions[key]
}

// add inserts a session and forgets the least recently used one above the bound. Sessions of the
// program itself, such as the key of digests, do not count and are not forgotten.
func (s *Store) add(e *session) {
	s.sessions[e.key] = e
	if s.used != nil && !memory.Reserved(e.key.UserID) {
		s.used.Add(e.key, struct{}{})
	}
}

func (s *Store) remove(e *session) {
	if s.used != nil {
		s.used.Remove(e.key)
	}
	delete(s.sessions, e.key)
}

func newSession(key memory.Key) *session {
	return &session{
		key: key, counters: memory.NewCounters(), requests: map[string]int{}, keys: map[string]int{},
		jobs: map[string]memory.Job{}, views: map[viewName]memory.View{},
	}
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if err := s.begin(ctx, key); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil {
		e = newSession(key)
	}
	return e.snapshot(opts), nil
}

func (e *session) snapshot(opts memory.LoadOptions) *memory.Snapshot {
	snap := &memory.Snapshot{
		Key: e.key, Counters: e.counters, State: e.state.Clone(),
		CreatedAt: e.created, UpdatedAt: e.updated, ExpiresAt: e.about.ExpiresAt,
	}
	if opts.Recent > 0 {
		snap.Recent = memory.CloneMessages(newest(e.messages[e.counters.Window(int64(opts.Recent))-1:], opts.Recent, false))
	}
	for _, step := range e.steps {
		if step.Status == memory.StepStarted {
			snap.OpenSteps = append(snap.OpenSteps, step.Clone())
		}
	}
	if i, ok := e.requests[opts.RequestID]; ok {
		t := e.turns[i]
		t.Snapshot = nil
		t = t.Clone()
		snap.Replay = &t
	}
	return snap
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := d.Validate(); err != nil {
		return err
	}
	// What JSON cannot express must fail here as it does in every other store.
	if _, err := json.Marshal(d.State.Params); err != nil {
		return fmt.Errorf("%w: params cannot be written as JSON", memory.ErrBadDelta)
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.get(d.Key)
	known := e != nil
	if !known {
		e = newSession(d.Key)
	}
	if err := e.apply(d); err != nil {
		return err
	}
	if !known {
		s.add(e)
	}
	return nil
}

// apply checks everything before it changes anything.
func (e *session) apply(d *memory.Delta) error {
	counters, err := e.counters.After(d)
	if err != nil {
		return err
	}
	if d.Turn != nil && d.Turn.RequestID != "" {
		if _, ok := e.requests[d.Turn.RequestID]; ok {
			return fmt.Errorf("request id is committed already: %w", memory.ErrConflict)
		}
	}
	at := memory.Moment(d.At)
	if e.counters.Version == 0 {
		e.created = at
	}
	if d.Undo != nil {
		e.undo(d.Undo)
	}
	if counters.Gone > 0 && counters.Floor > e.counters.Floor {
		counters.Gone = retracted(e.messages[counters.Floor-1:])
	}
	e.counters, e.updated = counters, at
	e.state = d.State.Clone()
	e.state.Version = counters.Version
	for _, m := range d.Messages {
		m = m.Clone()
		m.Timestamp = memory.Moment(m.Timestamp)
		e.messages = append(e.messages, m)
	}
	if d.Turn != nil {
		t := d.Turn.Clone()
		past := &memory.TurnSnapshot{Counters: e.counters, State: e.state.Clone()}
		if t.Snapshot != nil {
			past.State = t.Snapshot.State
			past.State.Version = e.counters.Version
		}
		t.Snapshot = past
		e.addTurn(t)
	}
	for _, step := range d.Steps {
		e.finishStep(step.Clone())
	}
	for _, w := range d.Jobs {
		e.jobs[w.Kind] = e.jobs[w.Kind].Requested(w, d.Key, counters.Epoch, counters.NextSeq-1)
	}
	return nil
}

func (e *session) addTurn(t memory.Turn) {
	t.At = memory.Moment(t.At)
	if t.RequestID != "" {
		e.requests[t.RequestID] = len(e.turns)
	}
	e.turns = append(e.turns, t)
}

func (e *session) finishStep(step memory.Step) {
	step.StartedAt, step.EndedAt = memory.Moment(step.StartedAt), memory.Moment(step.EndedAt)
	if i, ok := e.keys[step.IdempotencyKey]; ok {
		e.steps[i] = e.steps[i].WithOutcome(step)
		return
	}
	e.keys[step.IdempotencyKey] = len(e.steps)
	e.steps = append(e.steps, step)
}

// started reports whether the journal has a call.
func (e *session) started(step *memory.Step) bool {
	if _, ok := e.keys[step.IdempotencyKey]; ok {
		return true
	}
	return step.Origin != "" && slices.ContainsFunc(e.steps, func(p memory.Step) bool { return p.Origin == step.Origin })
}

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	if err := key.Validate(); err != nil {
		return err
	}
	step.Status = memory.StepStarted
	if err := step.Validate(); err != nil {
		return err
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.get(key)
	known := e != nil
	if !known {
		e = newSession(key)
	}
	if e.counters.Version != base {
		return memory.ErrConflict
	}
	if e.started(&step) {
		return memory.ErrStarted
	}
	e.finishStep(step.Clone())
	if !known {
		s.add(e)
	}
	return nil
}

// Repair implements memory.Store. Memory has no damaged rows, but encrypted values may not open.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if err := s.begin(ctx, key); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil || e.counters.Version != m.Base || !m.Intact && m.State != nil {
		return memory.ErrConflict
	}
	for i := range e.steps {
		if e.steps[i].Status == memory.StepStarted && slices.Contains(m.UnreadableSteps, e.steps[i].IdempotencyKey) {
			e.steps[i].Status = memory.StepUnknown
		}
	}
	if m.State != nil {
		e.counters, e.state, e.created, e.updated = m.Counters, m.State.Clone(), memory.Moment(m.CreatedAt), memory.Moment(m.Updated)
	}
	return nil
}

// Delete implements memory.Admin.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	if err := s.begin(ctx, key); err != nil {
		return err
	}
	defer s.mu.Unlock()
	e := s.sessions[key]
	if e == nil {
		return memory.ErrNotFound
	}
	s.remove(e)
	return nil
}

// Prune implements memory.Admin.
func (s *Store) Prune(ctx context.Context, before time.Time) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.sessions {
		if memory.Reserved(e.key.UserID) || !e.idleBefore(before) {
			continue
		}
		s.remove(e)
		if e.counters.Version > 0 {
			n++
		}
	}
	return n, nil
}

// idleBefore looks at the journal where there is nothing else.
func (e *session) idleBefore(moment time.Time) bool {
	if e.counters.Version > 0 {
		return e.updated.Before(moment)
	}
	return !slices.ContainsFunc(e.steps, func(step memory.Step) bool { return !step.StartedAt.Before(moment) })
}
