package sqlstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// commit is one Delta on its way into the database. It owns its delta.
type commit struct {
	place

	d      *memory.Delta
	params string          // JSON
	extras []record.Extras // of each message
	before baseline
	row    *sessionRow  // as they are written
	turn   *turnRow     // nil: the commit is of no turn
	reply  *memory.Turn // is kept here alone; nil: it is stored
}

// baseline is what a commit needs of a session besides its delta.
type baseline struct {
	counters memory.Counters
	created  int64
}

// Commit implements memory.Store. It is one transaction whose statements are known before it begins.
// Where the cache does not know the session at that version, its counters are read first.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := d.Validate(); err != nil {
		return err
	}
	c := &commit{d: s.bare(d).Clone(), place: s.placeOf(d.Key)}
	if s.rules.Textless != nil && d.Turn != nil {
		c.reply = &memory.Turn{RequestID: d.Turn.RequestID, Response: bytes.Clone(d.Turn.Response)}
	}
	var err error
	if c.params, c.extras, err = record.Encode(c.d); err != nil {
		return err
	}
	if err := s.locate(ctx, c); err != nil {
		return err
	}
	after, err := c.before.counters.After(c.d)
	if err != nil {
		return s.orConflict(ctx, c, err)
	}
	if c.d.Undo != nil || after.Gone > 0 && after.Floor > c.before.counters.Floor {
		if after.Gone, err = s.gone(ctx, c, after); err != nil {
			return err
		}
	}
	statements, err := s.statements(c, after)
	if err != nil {
		return err
	}
	err = s.db.Write(ctx, statements...)
	if err == nil {
		s.keepCommitted(ctx, c, after)
		if d.Base == 0 {
			s.bound(ctx, d.Key, 1)
		}
		return nil
	}
	s.cache.drop(c.digest)
	switch table := duplicate(err); {
	case table == "":
		if errors.Is(err, ErrUnknown) && s.landed(ctx, c) {
			return s.db.Confirm(ctx)
		}
		return err
	case strings.HasPrefix(table, "turns"): // or a part of it, where the table lies in many
		return fmt.Errorf("request id is committed already: %w", memory.ErrConflict)
	default:
		return memory.ErrConflict
	}
}

// landed asks whether a commit whose answer was lost took place. Its rows carry checksums over all they
// hold: matching ones prove that this commit wrote them.
func (s *Store) landed(ctx context.Context, c *commit) bool {
	r, err := s.session(context.WithoutCancel(ctx), c.d.Key)
	if err != nil || !r.begun() || r.crc != c.row.checksum() {
		return false
	}
	if c.turn == nil {
		return true
	}
	var crc int64
	err = s.db.Read(context.WithoutCancel(ctx), &Query{Text: selectTurnSum, Args: []any{c.digest[:], c.turn.Number}, Row: func(scan func(into ...any) error) error {
		return scan(&crc)
	}})
	return err == nil && crc == c.turn.checksum()
}

const selectTurnSum = `SELECT crc FROM turns WHERE session = $1::uuid AND turn = $2`

// locate finds what the session was before.
func (s *Store) locate(ctx context.Context, c *commit) error {
	if c.d.Base == 0 { // whether there is a session is found by inserting it
		c.before = baseline{memory.NewCounters(), micros(c.d.At)}
		return nil
	}
	if e := s.cache.get(c.digest); e != nil && e.row.counters.Version == c.d.Base { // the commit compares all of it
		c.before = baseline{e.row.counters, e.row.created}
		return nil
	}
	r, err := s.session(ctx, c.d.Key)
	if err != nil {
		return err
	}
	if !r.begun() || r.counters.Version != c.d.Base {
		return memory.ErrConflict
	}
	c.before = baseline{r.counters, r.created}
	return nil
}

// orConflict is why a delta does not fit a session. What the session was taken for may be wrong.
func (s *Store) orConflict(ctx context.Context, c *commit, malformed error) error {
	r, err := s.session(ctx, c.d.Key)
	if err != nil {
		return err
	}
	if r.begun() != (c.d.Base > 0) || r.begun() && r.counters.Version != c.d.Base {
		return memory.ErrConflict
	}
	return malformed
}

const countGone = `SELECT count(*) FROM messages WHERE session = $1::uuid AND seq >= $2 AND seq < $3 AND (retracted OR seq >= $4 AND seq < $5)`

// gone counts the messages from the floor on that are retracted after the commit.
func (s *Store) gone(ctx context.Context, c *commit, after memory.Counters) (n int64, err error) {
	var from, until int64
	if u := c.d.Undo; u != nil {
		from, until = u.From, u.Until
	}
	err = s.db.Read(ctx, &Query{
		Text: countGone, Args: []any{c.digest[:], after.Floor, after.NextSeq, from, until},
		Row: func(scan func(into ...any) error) error { return scan(&n) },
	})
	return n, err
}

const (
	insertSession = `INSERT INTO sessions (session, ` + sessionColumns + `, title, tags, system_prompt, metadata, expires_at, about_crc, words)
		VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
		ON CONFLICT (session) DO `

	// A first commit takes the place of a row that was made for a journal.
	beginSession = insertSession + `UPDATE SET version = excluded.version, epoch = excluded.epoch, next_seq = excluded.next_seq,
		floor_seq = excluded.floor_seq, turns = excluded.turns, gone = excluded.gone, created_at = excluded.created_at,
		updated_at = excluded.updated_at, stated = excluded.stated, waiting_for_param = excluded.waiting_for_param, last_intent_id = excluded.last_intent_id,
		params = excluded.params, last_result = excluded.last_result, plan_execution = excluded.plan_execution, crc = excluded.crc
		WHERE sessions.version = 0`
	// A journal begins without a commit: version 0, and no listing shows that.
	beginJournal = insertSession + `UPDATE SET
		updated_at = CASE WHEN excluded.updated_at > sessions.updated_at THEN excluded.updated_at ELSE sessions.updated_at END
		WHERE sessions.version = 0`
	addSession = insertSession + `NOTHING`

	// The comparison is the fence: of several commits on one version one finds the row. Those of a session
	// that was deleted and begun anew can have the same version.
	updateSession = `UPDATE sessions SET version = $1, epoch = $2, next_seq = $3, floor_seq = $4, turns = $5, gone = $6, updated_at = $7, stated = $8,
		waiting_for_param = $9, last_intent_id = $10, params = $11, last_result = $12, plan_execution = $13, crc = $14
		WHERE session = $15::uuid AND version = $16 AND epoch = $17 AND next_seq = $18 AND floor_seq = $19 AND turns = $20 AND gone = $21 AND created_at = $22`
)

const (
	addKey  = `INSERT INTO keys (digest) VALUES ($1) ON CONFLICT (digest) DO NOTHING`
	dropKey = `DELETE FROM keys WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE session = keys.id)`
)

// newSession adds the row of a session with one of the texts of insertSession.
func (s *Store) newSession(text string, r *sessionRow, about memory.About) (list []*Query, err error) {
	a, err := aboutRowOf(s.placeOf(r.key), r.key, about)
	if err != nil {
		return nil, err
	}
	args := append([]any{r.digest[:]}, r.values()...)
	args = append(args, a.title, a.tags, a.prompt, a.metadata, a.expires, a.crc, words(r.key, about))
	if s.db.Numbers() {
		list = append(list, &Query{Text: addKey, Args: args[:1]})
	}
	return append(list, &Query{Text: text, Args: args, Must: memory.ErrConflict}), nil
}

// rows are those of the session and its turn after the commit.
func (c *commit) rows(after memory.Counters) (err error) {
	c.row = &sessionRow{
		digest: c.digest, key: c.d.Key, counters: after, created: c.before.created, updated: micros(c.d.At), state: c.d.State.At(after.Version), params: []byte(c.params),
	}
	if c.d.Turn != nil { // its row has the state of the session
		t := *c.d.Turn
		t.Snapshot = &memory.TurnSnapshot{Counters: after, State: c.d.State}
		if c.turn, err = newTurnRow(c.place, t, c.params); err != nil {
			return err
		}
		c.row.stated, c.row.params = t.Number, nil
		c.row.state.LastResult, c.row.state.PlanExecution = nil, nil
	}
	return c.row.hide(c.place)
}

// statements are the whole commit.
func (s *Store) statements(c *commit, after memory.Counters) (list []*Query, err error) {
	d := c.d
	if err := c.rows(after); err != nil {
		return nil, err
	}
	if c.before.counters.Version == 0 {
		if list, err = s.newSession(beginSession, c.row, memory.About{}); err != nil {
			return nil, err
		}
	} else {
		b, v := c.before.counters, c.row.values()
		args := slices.Concat(v[3:9], v[10:], []any{c.digest[:], b.Version, b.Epoch, b.NextSeq, b.Floor, b.Turns, b.Gone, c.before.created})
		list = append(list, &Query{Text: updateSession, Args: args, Must: memory.ErrConflict})
	}
	if d.Undo != nil {
		list = append(list, undo(c.digest, d.Undo)...)
	}
	for i := range d.Messages {
		q, err := putMessage(c.place, &d.Messages[i], c.extras[i])
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	if c.turn != nil {
		list = append(list, c.turn.put())
	}
	for i := range d.Steps {
		p := &d.Steps[i]
		p.StartedAt, p.EndedAt = memory.Moment(p.StartedAt), memory.Moment(p.EndedAt)
		q, err := putStep(finishStep, c.place, p)
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	for _, w := range d.Jobs {
		list = append(list, requestJob(c.digest, w, after))
	}
	return list, nil
}

const (
	retractMessages = `UPDATE messages SET retracted = true, ` + undoneCRC + ` WHERE session = $1::uuid AND seq >= $2 AND seq < $3 AND NOT retracted`
	undoTurn        = `UPDATE turns SET undone = true, ` + undoneCRC + ` WHERE session = $1::uuid AND turn = $2 AND NOT undone`
)

func undo(d digest, u *memory.Undo) []*Query {
	return []*Query{
		{Text: retractMessages, Args: []any{d[:], u.From, u.Until}},
		{Text: undoTurn, Args: []any{d[:], u.Turn}, Must: fmt.Errorf("%w: there is no turn %d", memory.ErrBadDelta, u.Turn)},
	}
}

// selectBase holds the row, so that a commit under way ends first.
const selectBase = `SELECT 1 FROM sessions WHERE session = $1::uuid AND version = $2 FOR SHARE`

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	if err := key.Validate(); err != nil {
		return err
	}
	p := s.bareStep(step).Clone()
	p.Status = memory.StepStarted
	p.StartedAt, p.EndedAt = memory.Moment(p.StartedAt), memory.Moment(p.EndedAt)
	if err := p.Validate(); err != nil {
		return err
	}
	at := s.placeOf(key)
	put, err := putStep(insertStep, at, &p)
	if err != nil {
		return err
	}
	list := []*Query{{Text: selectBase, Args: []any{at.digest[:], base}, Must: memory.ErrConflict}}
	if base == 0 {
		counters := memory.NewCounters()
		row := &sessionRow{digest: at.digest, key: key, counters: counters, updated: micros(p.StartedAt)}
		if list, err = s.newSession(beginJournal, row, memory.About{}); err != nil {
			return err
		}
	}
	err = s.db.Write(ctx, append(list, put)...)
	if strings.HasPrefix(duplicate(err), "plan_steps") {
		return memory.ErrStarted
	}
	return err
}

const describeSession = `UPDATE sessions SET title = $2, tags = $3, system_prompt = $4, metadata = $5, expires_at = $6, about_crc = $7, words = $8
	WHERE session = $1::uuid AND version > 0`

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.WellFormed(); err != nil {
		return err
	}
	if err := s.expireOne(ctx, key); err != nil {
		return err
	}
	about = about.Clone()
	p := s.placeOf(key)
	a, err := aboutRowOf(p, key, about)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, &Query{
		Text: describeSession, Must: memory.ErrNotFound,
		Args: []any{p.digest[:], a.title, a.tags, a.prompt, a.metadata, a.expires, a.crc, words(key, about)},
	})
}

// sessionTables are the tables of what belongs to a session.
var sessionTables = [...]string{"messages", "turns", "plan_steps", "jobs", "views"}

// erase deletes a session from every table. Where the first statement finds no row the others delete
// nothing.
func (s *Store) erase(d digest, first *Query) []*Query {
	list := []*Query{first}
	for _, table := range sessionTables {
		list = append(list, &Query{
			Text: `DELETE FROM ` + table + ` WHERE session = $1::uuid AND NOT EXISTS (SELECT 1 FROM sessions WHERE session = $1::uuid)`, Args: []any{d[:]}, Erases: true,
		})
	}
	list = append(list, &Query{Text: `DELETE FROM leases WHERE session = $1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE session = $1::uuid)`, Args: []any{d[:]}})
	if s.db.Numbers() {
		list = append(list, &Query{Text: dropKey, Args: []any{d[:]}, Erases: true})
	}
	return list
}

// Delete implements memory.Admin.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	if err := key.Validate(); err != nil {
		return err
	}
	d := digestOf(key)
	defer s.forget(ctx, d)
	return s.db.Write(ctx, s.erase(d, &Query{
		Text: `DELETE FROM sessions WHERE session = $1::uuid`, Args: []any{d[:]}, Must: memory.ErrNotFound, Erases: true,
	})...)
}

// placeholders are $from to $until.
func placeholders(from, until int) string {
	var b strings.Builder
	for i := from; i <= until; i++ {
		if i > from {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i)
	}
	return b.String()
}
