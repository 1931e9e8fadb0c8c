package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// commitChange writes one Delta, which it owns.
type commitChange struct {
	d      *memory.Delta
	params string          // JSON
	extras []record.Extras // of each message
	window int             // how many messages the cache keeps

	// Outcome of apply.
	cached   *entry // what the cache holds of version d.Base, or nil
	certain  bool   // it is true
	id       int64
	reserved bool // the session had a journal before its first commit
	counters memory.Counters
	created  int64
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := d.Validate(); err != nil {
		return err
	}
	c, err := newCommit(d.Clone())
	if err != nil {
		return err
	}
	c.window = int(s.window.Load())
	if err := s.writer.do(ctx, c.apply); err != nil {
		s.cache.drop(d.Key) // after a conflict it is stale
		return err
	}
	return nil
}

// newCommit encodes what can be encoded before the writer runs it.
func newCommit(d *memory.Delta) (*commitChange, error) {
	if n := len(d.Messages); n > 0 && d.Messages[n-1].Seq > maxSeq { // they are dense: Delta.Validate
		return nil, fmt.Errorf("%w: a session holds at most %d messages", memory.ErrBadDelta, maxSeq)
	}
	params, extras, err := record.Encode(d)
	if err != nil {
		return nil, err
	}
	return &commitChange{d: d, params: params, extras: extras}, nil
}

// apply is a change.
func (c *commitChange) apply(w *writer) error {
	if err := c.locate(w); err != nil {
		return err
	}
	fresh := c.counters.Version == 0
	counters, err := c.counters.After(c.d)
	if err != nil {
		return err
	}
	if c.d.Undo != nil {
		if err := w.undo(c.id, c.d.Undo); err != nil {
			return err
		}
	}
	if counters.Gone > 0 && counters.Floor > c.counters.Floor {
		if counters.Gone, err = w.gone(c.id, counters); err != nil {
			return err
		}
	}
	c.counters = counters
	if fresh {
		if err := c.create(w); err != nil {
			return err
		}
	} else if err := c.update(w); err != nil {
		return err
	}
	failpoint("after_state")
	if err := w.addMessages(c.id, c.d.Messages, c.extras); err != nil {
		return err
	}
	failpoint("after_messages")
	if c.d.Turn != nil {
		past, err := record.TurnSnapshot(c.counters, c.d, c.params)
		if err != nil {
			return err
		}
		if err := w.addTurn(c.id, c.d.Turn, past); err != nil {
			return err
		}
	}
	failpoint("after_turn")
	for _, step := range c.d.Steps {
		if err := w.finishStep(c.id, step); err != nil {
			return err
		}
	}
	failpoint("after_steps")
	if err := w.requestJobs(c.id, c.d, c.counters); err != nil {
		return err
	}
	failpoint("after_jobs")
	w.changed[c.d.Key] = c.entry()
	return nil
}

const selectCounters = `SELECT s.id, st.version, st.epoch, st.next_seq, st.floor_seq, st.turns, st.created_at, st.gone
	FROM sessions s LEFT JOIN state st ON st.session = s.id
	WHERE s.user_id = ? AND s.agent_id = ? AND s.session_id = ?`

// storedSession is a session in the file; id 0: there is none.
type storedSession struct {
	id       int64
	begun    bool // it has a state; else only a journal
	counters memory.Counters
	created  int64 // Unix microseconds; 0 unless begun
}

// find reads a session's number and counters.
func (w *writer) find(k memory.Key) (f storedSession, err error) {
	f.counters = memory.NewCounters()
	err = w.conn.query(selectCounters, func(row []driver.Value) error {
		f.id = asInt(row[0])
		if f.begun = row[1] != nil; f.begun {
			f.counters = memory.Counters{
				Version: asInt(row[1]), Epoch: asInt(row[2]), NextSeq: asInt(row[3]), Floor: asInt(row[4]), Turns: asInt(row[5]),
				Gone: asInt(row[7]),
			}
			f.created = asInt(row[6])
		}
		return nil
	}, k.UserID, k.AgentID, k.SessionID)
	return f, err
}

// locate finds the session's number and counters: in the cache when that holds the delta's base,
// whose version the update then compares, else in the file.
func (c *commitChange) locate(w *writer) error {
	c.cached, c.certain = w.held(c.d.Key)
	if e := c.cached; e != nil && e.counters.Version == c.d.Base {
		c.id, c.reserved, c.counters, c.created = e.id, false, e.counters, micros(e.created)
		return nil
	}
	c.cached = nil
	f, err := w.find(c.d.Key)
	if err != nil {
		return err
	}
	c.id, c.reserved, c.counters, c.created = f.id, f.id != 0 && !f.begun, f.counters, f.created
	if !f.begun {
		c.created = micros(c.d.At)
	}
	return nil
}

func (c *commitChange) row() *stateRow {
	st := &c.d.State
	return &stateRow{
		id: c.id, key: c.d.Key, counters: c.counters, created: c.created, updated: micros(c.d.At),
		waiting: st.WaitingForParam, intent: st.LastIntentID, params: c.params,
		result: textOf(st.LastResult), plan: textOf(st.PlanExecution),
	}
}

// textOf is a part of a delta of ours, which nobody changes, as a text without a copy.
func textOf(part json.RawMessage) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

// create writes the first state; the session has its number already if a call was started before.
func (c *commitChange) create(w *writer) error {
	if c.id == 0 {
		id, err := w.addSession(c.d.Key)
		if err != nil {
			return err
		}
		c.id = id
	}
	return w.insertState(c.row())
}

const insertSession = `INSERT INTO sessions (user_id, agent_id, session_id, title, tags, system_prompt, metadata, expires_at, crc)
	VALUES (?, ?, ?, '', '', '', '', 0, ?)`

func (w *writer) addSession(k memory.Key) (int64, error) {
	id, err := w.conn.insert(insertSession, k.UserID, k.AgentID, k.SessionID, new(aboutRow).sum(&w.sum, k))
	if err != nil {
		return 0, err
	}
	w.dirty = true
	if id > maxID {
		return 0, fmt.Errorf("%w: all %d session numbers are used up", memory.ErrUnavailable, maxID)
	}
	return id, nil
}

const insertState = `INSERT INTO state (session, version, epoch, next_seq, floor_seq, turns, created_at, updated_at,
	waiting_for_param, last_intent_id, params, last_result, plan_execution, crc, gone)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) insertState(r *stateRow) error {
	h := r.counters
	_, err := w.exec(insertState, r.id, h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, r.created, r.updated,
		r.waiting, r.intent, r.params, r.result, r.plan, r.checksum(&w.sum), h.Gone)
	return err
}

const updateState = `UPDATE state SET version = ?, epoch = ?, next_seq = ?, floor_seq = ?, turns = ?, updated_at = ?,
	waiting_for_param = ?, last_intent_id = ?, params = ?, last_result = ?, plan_execution = ?, crc = ?, gone = ?
	WHERE session = ? AND version = ?`

// update is the compare-and-swap on the version.
func (c *commitChange) update(w *writer) error {
	r := c.row()
	h := r.counters
	n, err := w.exec(updateState, h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, r.updated,
		r.waiting, r.intent, r.params, r.result, r.plan, r.checksum(&w.sum), h.Gone, r.id, c.d.Base)
	if err == nil && n == 0 {
		return memory.ErrConflict
	}
	return err
}

const insertMessage = `INSERT INTO messages (id, turn, created_at, role, content, name, tool_call_id, tool_calls,
	metadata, tokens, importance, crc, retracted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) addMessages(session int64, list []memory.Message, more []record.Extras) error {
	for i := range list {
		m, x := &list[i], more[i]
		id := messageID(session, m.Seq)
		if _, err := w.exec(insertMessage, id, m.Turn, micros(m.Timestamp), string(m.Role), m.Text, m.Name, m.ToolCallID,
			x.Calls, x.Metadata, int64(m.Tokens), int64(m.Importance), messageSum(&w.sum, id, m, x), flag(m.Retracted)); err != nil {
			return err
		}
	}
	return nil
}

const insertTurn = `INSERT INTO turns (session, request_id, turn, created_at, intent, outcome, response, crc, past, undone)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) addTurn(session int64, t *memory.Turn, past string) error {
	var request driver.Value
	if t.RequestID != "" {
		request = t.RequestID
	}
	_, err := w.exec(insertTurn, session, request, t.Number, micros(t.At), t.Intent, t.Outcome, textOf(t.Response),
		turnSum(&w.sum, session, t, past), past, flag(t.Undone))
	if isUnique(err) {
		return fmt.Errorf("request id is committed already: %w", memory.ErrConflict)
	}
	return err
}

// entry returns what the cache keeps after the commit: the new state, and the window continued
// from the cached one or from the session's beginning. It is nil when neither is known.
func (c *commitChange) entry() *entry {
	if c.d.Undo != nil || c.counters.Gone > 0 {
		return nil // some of the window is retracted
	}
	e := &entry{id: c.id, counters: c.counters, state: c.d.State, created: time.UnixMicro(c.created).UTC(), updated: c.d.At}
	e.state.Version = c.counters.Version
	var before []*memory.Message
	switch {
	case c.cached != nil:
		e.from, before, e.openSteps, e.expires = c.cached.from, c.cached.recent, c.cached.openSteps, c.cached.expires
		e.requests, e.age = c.cached.requests, flag(c.certain)
	case c.counters.Version == 1 && !c.reserved:
		e.from, e.requests.whole, e.age = 1, true, 1
	default:
		return nil
	}
	for _, step := range c.d.Steps {
		if step.Status == memory.StepStarted {
			return nil
		}
		e.openSteps = slices.DeleteFunc(slices.Clone(e.openSteps), func(open memory.Step) bool {
			return open.IdempotencyKey == step.IdempotencyKey
		})
	}
	if c.d.Turn != nil {
		e.requests = e.requests.with(c.d.Turn.RequestID)
	}
	e.from = max(e.from, c.counters.Floor, c.counters.NextSeq-int64(c.window))
	e.recent = make([]*memory.Message, 0, max(c.counters.NextSeq-e.from, 0))
	for _, m := range before {
		if m.Seq >= e.from {
			e.recent = append(e.recent, m)
		}
	}
	for i := range c.d.Messages {
		if m := &c.d.Messages[i]; m.Seq >= e.from {
			e.recent = append(e.recent, m)
		}
	}
	return e
}
