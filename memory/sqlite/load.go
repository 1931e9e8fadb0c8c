package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// Load implements memory.Store. A cached session costs nothing while this process alone writes, and
// one indexed lookup after another one has; else it is one lookup and one range of messages.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	if opts.Salvage {
		return s.salvage(ctx, key, opts)
	}
	s.growWindow(opts.Recent)
	cached, certain := s.cache.get(key)
	if cached != nil && (opts.Fresh || !cached.covers(opts.Recent)) {
		cached = nil
	}
	if certain && cached != nil && cached.requests.exclude(opts.RequestID) {
		return cached.snapshot(key, opts.Recent), ctx.Err()
	}
	var snap *memory.Snapshot
	err := s.readers.with(ctx, func(c *conn) (err error) {
		snap, err = s.read(c, cached, certain, key, opts)
		return err
	})
	return snap, err
}

// read looks into the file: whether an entry of the cache is still true, unless that is certain, else
// for the session.
func (s *Store) read(c *conn, cached *entry, certain bool, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	at := s.cache.now()
	if cached != nil {
		ok, replay, err := cached.current(c, certain, opts.RequestID)
		if err != nil {
			return nil, err
		}
		if ok {
			s.cache.confirm(cached, at)
			snap := cached.snapshot(key, opts.Recent)
			snap.Replay = replay
			return snap, nil
		}
		at = s.cache.now()
	}
	e, replay, err := readSession(c, key, opts)
	if err != nil {
		return nil, err
	}
	if e == nil || e.counters.Version == 0 {
		snap := memory.NewSnapshot(key)
		if e != nil {
			snap.OpenSteps = e.openSteps
		}
		return snap, nil
	}
	snap := e.snapshot(key, opts.Recent)
	snap.Replay = replay
	s.cache.put(key, e, at)
	return snap, nil
}

// growWindow lets the cache keep windows as long as the longest that is asked for, up to
// maxWindow.
func (s *Store) growWindow(recent int) {
	want := int64(min(recent, maxWindow))
	for have := s.window.Load(); want > have; have = s.window.Load() {
		if s.window.CompareAndSwap(have, want) {
			return
		}
	}
}

const selectCurrent = `SELECT version,
	(SELECT count(*) FROM plan_steps WHERE session = ?1 AND status = 'started'),
	(SELECT id FROM turns WHERE session = ?1 AND request_id = ?2),
	(SELECT expires_at FROM sessions WHERE id = ?1)
	FROM state WHERE session = ?1`

// current reports whether the entry is still what the file holds, and looks for the turn of a
// request. At one version open journal rows are only ever added, so an equal number proves equal
// rows. The expiry changes without a new version.
func (e *entry) current(c *conn, certain bool, request string) (ok bool, replay *memory.Turn, err error) {
	if certain {
		replay, err = findTurn(c, e.id, request)
		return true, replay, err
	}
	var id driver.Value
	if request != "" {
		id = request
	}
	var turn int64
	err = c.query(selectCurrent, func(row []driver.Value) error {
		ok = asInt(row[0]) == e.counters.Version && asInt(row[1]) == int64(len(e.openSteps)) && asInt(row[3]) == e.expires
		turn = asInt(row[2])
		return nil
	}, e.id, id)
	if err != nil || !ok || turn == 0 {
		return ok, nil, explain(err)
	}
	// Should the session be deleted between the two queries, then there is no turn and the
	// commit that follows conflicts.
	replay, err = readTurn(c, e.id, request)
	return true, replay, err
}

const selectState = `SELECT s.id, s.expires_at, ` + stateColumns + ` FROM sessions s LEFT JOIN state st ON st.session = s.id
	WHERE s.user_id = ? AND s.agent_id = ? AND s.session_id = ?`

// readSession reads a session at one moment. It is nil when there is none; at version 0 it has
// only a journal.
func readSession(c *conn, key memory.Key, opts memory.LoadOptions) (e *entry, replay *memory.Turn, err error) {
	if is, err := exists(c, key); err != nil || !is { // most sessions that are not cached are new
		return nil, nil, explain(err)
	}
	err = c.read(func() error {
		e, err = readState(c, key)
		if err != nil || e == nil {
			return err
		}
		if e.openSteps, err = readSteps(c, selectStarted, e.id); err != nil {
			return err
		}
		if e.requests, err = readRequests(c, e.id, e.counters.Turns); err != nil {
			return err
		}
		if !e.requests.exclude(opts.RequestID) {
			if replay, err = readTurn(c, e.id, opts.RequestID); err != nil {
				return err
			}
		}
		e.from = e.counters.Window(int64(max(opts.Recent, 0)))
		list, err := readMessages(c, e.id, e.from, e.counters.NextSeq, false)
		for i := range list {
			if !list[i].Retracted {
				e.recent = append(e.recent, &list[i])
			}
		}
		return err
	})
	return e, replay, explain(err)
}

const selectExists = `SELECT 1 FROM sessions WHERE user_id = ? AND agent_id = ? AND session_id = ?`

// exists is one statement, which is a moment of its own.
func exists(c *conn, key memory.Key) (is bool, err error) {
	err = c.query(selectExists, func([]driver.Value) error { is = true; return nil }, key.UserID, key.AgentID, key.SessionID)
	return is, err
}

func readState(c *conn, key memory.Key) (*entry, error) {
	var e *entry
	var withoutState int64
	err := c.query(selectState, func(row []driver.Value) error {
		e = &entry{id: asInt(row[0]), expires: asInt(row[1]), counters: memory.NewCounters()}
		if row[2] == nil {
			withoutState = e.id
			return nil
		}
		st, err := scanState(key, row[2:])
		if err != nil {
			return err
		}
		e.counters, e.created, e.updated = st.counters, moment(st.created), moment(st.updated)
		e.state, err = st.state()
		return err
	}, key.UserID, key.AgentID, key.SessionID)
	if err == nil && withoutState != 0 {
		err = c.query(selectLostState, func([]driver.Value) error { return corrupt("state", withoutState) },
			messageID(withoutState, 0), messageID(withoutState+1, 0))
	}
	if err == nil && withoutState != 0 {
		_, err = verifiedID(c, key)
	}
	return e, err
}

// A session without a state has only a journal. One with messages has lost its state.
const selectLostState = `SELECT 1 FROM messages WHERE id >= ? AND id < ? LIMIT 1`

const selectStarted = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = ? AND status = 'started' ORDER BY id`

const selectSteps = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = ? ORDER BY id`

// readSteps reads the sound rows of a journal. The error names the first damaged one.
func readSteps(c *conn, text string, session int64) ([]memory.Step, error) {
	var list []memory.Step
	var damage error
	err := c.query(text, func(row []driver.Value) error {
		p, err := scanStep(row)
		if err == nil {
			list = append(list, p)
		}
		damage = cmp.Or(damage, err)
		return nil
	}, session)
	return list, cmp.Or(err, damage)
}

const selectRequested = `SELECT 1 FROM turns WHERE session = ? AND request_id = ?`

// findTurn reads the turn of a request that is most probably a new one.
func findTurn(c *conn, session int64, request string) (*memory.Turn, error) {
	is := false
	err := c.query(selectRequested, func([]driver.Value) error { is = true; return nil }, session, request)
	if err != nil || !is {
		return nil, explain(err)
	}
	return readTurn(c, session, request)
}

const selectTurn = `SELECT ` + turnColumns + ` FROM turns WHERE session = ? AND request_id = ?`

func readTurn(c *conn, session int64, request string) (*memory.Turn, error) {
	var turn *memory.Turn
	err := c.query(selectTurn, func(row []driver.Value) error {
		t, err := scanTurn(row)
		t.Snapshot = nil
		turn = &t
		return err
	}, session, request)
	if err != nil {
		return nil, explain(err)
	}
	return turn, nil
}

const selectMessages = `SELECT ` + messageColumns + ` FROM messages WHERE id >= ? AND id < ? ORDER BY id`

// readMessages reads the messages from one seq up to, not including, another. They are
// dense, so one that is missing is damage too. salvage puts marks in the place of damaged ones.
func readMessages(c *conn, session, from, until int64, salvage bool) ([]memory.Message, error) {
	if from >= until {
		return nil, nil
	}
	list := make([]memory.Message, 0, until-from)
	s := &record.Sum{}
	err := c.query(selectMessages, func(row []driver.Value) error {
		m, err := scanMessage(s, row)
		if salvage {
			list = withPlaceholders(list, from, m.Seq)
			if err != nil {
				m = memory.DamagedMessage(m.Seq)
			}
		} else if err == nil && m.Seq != from+int64(len(list)) {
			err = corrupt("messages", messageID(session, from+int64(len(list))))
		}
		list = append(list, m)
		if salvage {
			return nil
		}
		return err
	}, messageID(session, from), messageID(session, until))
	if salvage {
		return withPlaceholders(list, from, until), err
	}
	if err == nil && int64(len(list)) != until-from {
		err = corrupt("messages", messageID(session, from+int64(len(list))))
	}
	return list, err
}

// withPlaceholders fills a list of messages that begins at one number with placeholders up to, not
// including, another.
func withPlaceholders(list []memory.Message, from, until int64) []memory.Message {
	for next := from + int64(len(list)); next < until; next++ {
		list = append(list, memory.DamagedMessage(next))
	}
	return list
}
