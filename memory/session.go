package memory

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// Conversations loads sessions of one store. It is safe for concurrent use.
type Conversations struct {
	store  SessionStore
	recent int
}

// NewConversations returns sessions that load at most recent messages.
func NewConversations(store SessionStore, recent int) *Conversations {
	return &Conversations{store: store, recent: max(recent, 0)}
}

// ForSession loads a session for one unit of work. One that does not exist is empty and
// is created by its first Commit.
func (c *Conversations) ForSession(ctx context.Context, key Key) (*Session, error) {
	return c.ForTurn(ctx, key, "", false)
}

// ForTurn is ForSession that also looks for the committed turn requestID; fresh skips any cache
// (after ErrConflict).
func (c *Conversations) ForTurn(ctx context.Context, key Key, requestID string, fresh bool) (*Session, error) {
	snap, err := c.store.Load(ctx, key, LoadOptions{Recent: c.recent, RequestID: requestID, Fresh: fresh})
	if err != nil {
		return nil, err
	}
	return newSession(c.store, snap, c.recent), nil
}

// Session is a unit of work over one session: it buffers changes, returns copies, and Commit writes
// one Delta. It is not safe for concurrent use.
//
// After a Commit it continues from what it committed. After a failed Commit the changes are still
// buffered; after ErrConflict the Session cannot be used any more.
type Session struct {
	store  SessionStore
	recent int

	// What was loaded, or committed last.
	snap *Snapshot

	// What the next Commit writes.
	state    State
	active   []Message // loaded and appended messages that are active
	appended []Message // all appended ones, also those cleared again
	cleared  bool
	floor    int64 // 0: unchanged
	gone     int64 // retracted messages from floor on
	turn     *Turn
	steps    []Step
	jobs     []WantedJob
	undo     *Undo
	dirty    bool

	stateLost bool // Renew could not restore it
}

func newSession(store SessionStore, snap *Snapshot, recent int) *Session {
	s := &Session{
		store: store, recent: recent, snap: snap,
		state: snap.State, active: snap.Recent, // the snapshot is ours
	}
	if len(snap.Damaged) > 0 {
		s.leaveOut()
	}
	return s
}

// Key names the session.
func (s *Session) Key() Key { return s.snap.Key }

// Version is the version the unit of work is based on; 0 for a session that does not exist.
func (s *Session) Version() int64 { return s.snap.State.Version }

// Turns is how many turns have been committed.
func (s *Session) Turns() int64 { return s.snap.Turns }

// Turn is the number of the turn under way, from 1.
func (s *Session) Turn() int64 { return s.snap.Turns + 1 }

// Update lets change set parts of the buffered state, which it must not keep. The session owns
// what change sets; State.Version stays as it is.
func (s *Session) UpdatedAt() time.Time { return s.snap.UpdatedAt }

// Replay is the committed turn with the request id that the session was loaded for, or nil.
func (s *Session) Replay() *Turn {
	if s.snap.Replay == nil {
		return nil
	}
	t := s.snap.Replay.Clone()
	return &t
}

// nextSeq is the number that the next appended message gets.
func (s *Session) nextSeq() int64 { return s.snap.NextSeq + int64(len(s.appended)) }

// HistoryCount is how many messages are active, the appended ones included. It may be
// more than History returns.
func (s *Session) HistoryCount() int64 {
	if s.floor > 0 {
		return s.nextSeq() - s.floor - s.gone
	}
	n := s.snap.History() + int64(len(s.appended))
	if s.undo != nil {
		n -= s.undo.Until - max(s.undo.From, s.snap.Floor)
	}
	return n
}

// History returns the loaded window and what was appended since, oldest first.
func (s *Session) History() []Message { return CloneMessages(s.active) }

// usualMessages is how many messages a turn has: what is said, what a tool gave, the reply.
const usualMessages = 3

// Said returns the last message of the agent, "" before the first.
func (s *Session) Said() string {
	for i := len(s.active) - 1; i >= 0; i-- {
		if s.active[i].Role == Agent {
			return s.active[i].Text
		}
	}
	return ""
}

// Append adds a message to the turn under way and returns it as it will be stored: with
// its Seq and Turn, the timestamp in UTC microseconds and the text as valid UTF-8.
func (s *Session) Append(m Message) Message {
	m = m.Clone()
	m.Seq, m.Turn = s.nextSeq(), s.Turn()
	m.Timestamp = Moment(m.Timestamp)
	m.Text = strings.ToValidUTF8(m.Text, "\uFFFD")
	if s.appended == nil {
		s.appended, s.active = make([]Message, 0, usualMessages), slices.Grow(s.active, usualMessages)
	}
	s.appended = append(s.appended, m)
	s.active = append(s.active, m)
	s.dirty = true
	return m.Clone()
}

// RaiseImportance raises the importance of a message of the current turn; it never lowers it.
func (s *Session) RaiseImportance(seq int64, importance int) {
	for _, list := range [...][]Message{s.appended, s.active} {
		for i := len(list) - 1; i >= 0 && list[i].Seq >= seq; i-- {
			if m := &list[i]; m.Seq == seq && m.Turn == s.Turn() {
				m.Importance = min(max(m.Importance, importance), MaxImportance)
			}
		}
	}
}

// Params returns a copy of the known params; never nil.
func (s *Session) Params() map[string]any { return CloneParams(s.state.Params) }

// EachParam visits the known params, which visit must not keep or change.
func (s *Session) EachParam(visit func(name string, value any)) {
	for name, value := range s.state.Params {
		visit(name, value)
	}
}

// Merge sets params, those that are known already included.
func (s *Session) Merge(params map[string]any) {
	maps.Copy(s.state.Params, CloneParams(params))
	s.dirty = s.dirty || len(params) > 0
}

// Forget removes params.
func (s *Session) Forget(names ...string) {
	for _, name := range names {
		if _, ok := s.state.Params[name]; ok {
			delete(s.state.Params, name)
			s.dirty = true
		}
	}
}

// Waiting is the name of the param that was asked for, or "".
func (s *Session) Waiting() string { return s.state.WaitingForParam }

// SetWaiting says which param was asked for; "" for none.
func (s *Session) SetWaiting(name string) {
	s.dirty = s.dirty || s.state.WaitingForParam != name
	s.state.WaitingForParam = name
}

// State returns a copy of the buffered state. Its Version is the one the unit of work is
// based on.
func (s *Session) State() State { return s.state.Clone() }

// SetState replaces the whole state; State.Version is ignored.
func (s *Session) SetState(state State) {
	version := s.state.Version
	s.state = state.Clone()
	s.state.Version = version
	s.dirty = true
}

// Update lets change set what it wants of the buffered state, which it must not keep. What it
// sets is the session's from then on; State.Version stays as it is.
func (s *Session) Update(change func(*State)) {
	version := s.state.Version
	change(&s.state)
	s.state.Version = version
	s.dirty = true
}

// Clear empties what the session remembers: params, what is waited for, the plan, and the
// messages, which stay stored but become inactive. The journal of calls is kept. It
// returns how many messages became inactive. The error is nil: it is there for
// implementations that must ask a store.
func (s *Session) Clear() (int, error) {
	n := s.HistoryCount()
	s.cleared = true
	s.Rest()
	return int(n), nil
}

// Rest empties the state and the window as Clear does, but forgets nothing: the tiers keep what they
// made of the messages, and still find them.
func (s *Session) Rest() {
	s.floor, s.gone = s.nextSeq(), 0
	s.active = nil
	s.state = State{Params: map[string]any{}, Version: s.state.Version}
	s.dirty = true
}

// Prune keeps the newest max messages active. The older ones stay stored. It counts what
// was loaded: retracted messages before that count as active ones.
func (s *Session) Prune(max int) {
	if max < 0 || s.HistoryCount() <= int64(max) {
		return
	}
	s.floor, s.gone = s.nextSeq()-int64(max), 0
	if drop := len(s.active) - max; drop >= 0 {
		s.active = s.active[drop:]
		if max > 0 {
			s.floor = s.active[0].Seq
			s.gone = s.nextSeq() - s.floor - int64(max)
		}
	}
	s.dirty = true
}

// OpenSteps returns the journal rows that were started and have no outcome yet, oldest
// first, those of this unit of work included.
func (s *Session) OpenSteps() []Step { return cloneSteps(s.snap.OpenSteps) }

// Start writes a journal row durably, before its call is made. It sets Turn, Status and Attempts
// if they are not set. ErrStarted: a call with this idempotency key or origin was started before;
// ErrConflict: the session has changed.
func (s *Session) Start(ctx context.Context, step Step) error {
	step = step.Clone()
	step.Status = StepStarted
	step.StartedAt = Moment(step.StartedAt)
	step.Attempts = max(step.Attempts, 1)
	if step.Turn == 0 {
		step.Turn = s.Turn()
	}
	if err := s.store.Start(ctx, s.Key(), s.Version(), step); err != nil {
		return err
	}
	s.snap.OpenSteps = append(s.snap.OpenSteps, step)
	return nil
}

// FindStep reads the journal row of a call by its idempotency key or its origin, and whether
// there is one.
func (s *Session) FindStep(ctx context.Context, key, origin string) (row Step, is bool, err error) {
	rows, err := s.store.Steps(ctx, s.Key())
	if err != nil {
		return Step{}, false, err
	}
	for _, row := range rows {
		if row.IdempotencyKey == key || origin != "" && row.Origin == origin {
			return row, true, nil
		}
	}
	return Step{}, false, nil
}

// FinishStep buffers the outcome of a journalled call; rows are matched by idempotency key.
// One that was never started is added.
func (s *Session) FinishStep(outcome Step) {
	outcome = outcome.Clone()
	outcome.StartedAt, outcome.EndedAt = Moment(outcome.StartedAt), Moment(outcome.EndedAt)
	if outcome.Turn == 0 {
		outcome.Turn = s.Turn()
	}
	kept := s.snap.OpenSteps[:0]
	for _, open := range s.snap.OpenSteps {
		if open.IdempotencyKey == outcome.IdempotencyKey {
			outcome = open.WithOutcome(outcome)
			if outcome.Status != StepStarted {
				continue
			}
		}
		kept = append(kept, open)
	}
	s.snap.OpenSteps = kept
	s.steps = append(s.steps, outcome)
	s.dirty = true
}

// RecordTurn makes the next Commit a turn: the record is stored so that the same request
// id gets the same reply. Number is assigned; At is the commit's if it is zero.
func (s *Session) RecordTurn(t Turn) {
	t = t.Clone()
	t.Number = s.Turn()
	s.turn = &t
	s.dirty = true
}

// Request returns what tiers are asked for the current turn: the loaded messages before it, and
// text as what was just said. budget is in tokens; 0 is no limit.
func (s *Session) Request(text string, now time.Time, budget int) Request {
	before := s.active
	for len(before) > 0 && before[len(before)-1].Seq >= s.snap.NextSeq {
		before = before[:len(before)-1]
	}
	epoch := s.snap.Epoch
	if s.cleared {
		epoch++
	}
	return Request{
		Key: s.Key(), Text: text, Now: now, Epoch: epoch, Floor: max(s.snap.Floor, s.floor),
		NextSeq: s.snap.NextSeq, Recent: CloneMessages(before), Budget: budget,
	}
}

// Progress returns how far the session has come with what is buffered.
func (s *Session) Progress() Progress {
	return Progress{
		Key: s.Key(), Before: s.snap.NextSeq, NextSeq: s.nextSeq(), Floor: max(s.snap.Floor, s.floor),
		Messages: CloneMessages(s.appended),
	}
}

// Enqueue asks for background work on the session, no sooner than at; zero is at once. The next
// Commit stores it, and asking again for a kind moves the waiting job.
func (s *Session) Enqueue(kind string, at time.Time) {
	for i := range s.jobs {
		if s.jobs[i].Kind == kind {
			if at.Before(s.jobs[i].RunAt) {
				s.jobs[i].RunAt = at
			}
			return
		}
	}
	s.jobs = append(s.jobs, WantedJob{Kind: kind, RunAt: at})
	s.dirty = true
}

// Commit writes everything that was buffered, whole or not at all, and returns when it is
// durable. at is the turn's clock. Without changes nothing is written, except that a
// session which does not exist is created. ErrConflict: load again and run the turn again.
func (s *Session) Commit(ctx context.Context, at time.Time) error {
	if !s.dirty && s.Version() > 0 {
		return nil
	}
	d := s.delta(Moment(at))
	if err := s.store.Commit(ctx, d); err != nil {
		return err
	}
	s.advance(d)
	return nil
}

func (s *Session) delta(at time.Time) *Delta {
	if s.turn != nil {
		if s.turn.At.IsZero() {
			s.turn.At = at
		}
		s.turn.At = Moment(s.turn.At)
	}
	return &Delta{
		Key: s.Key(), Base: s.Version(), At: at, Clear: s.cleared, Messages: s.appended,
		State: s.state, Turn: s.turn, Steps: s.steps, Floor: s.floor, Jobs: s.jobs, Undo: s.undo,
	}
}

// advance makes what was committed the new base.
func (s *Session) advance(d *Delta) {
	snap := s.snap
	history := s.HistoryCount()
	snap.NextSeq = s.nextSeq()
	snap.Floor = max(snap.Floor, s.floor)
	snap.Gone = snap.NextSeq - snap.Floor - history
	snap.UpdatedAt = d.At
	if snap.State.Version == 0 {
		snap.CreatedAt = d.At
	}
	snap.Version++
	snap.State.Version = snap.Version
	if d.Turn != nil {
		snap.Turns++
	}
	if d.Clear {
		snap.Epoch++
	}
	snap.Replay = nil
	s.state.Version = snap.State.Version
	if over := len(s.active) - s.recent; over > 0 {
		s.active = s.active[over:]
	}
	s.appended, s.steps, s.jobs, s.turn = nil, nil, nil, nil
	s.cleared, s.floor, s.gone, s.undo, s.dirty = false, 0, 0, nil, false
}
