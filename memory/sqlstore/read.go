package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
)

const (
	selectSession = `SELECT ` + sessionColumns + `, expires_at FROM sessions WHERE session = $1::uuid`
	selectSteps   = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = $1::uuid ORDER BY place`
	selectStarted = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = $1::uuid AND status = 'started' ORDER BY place`
	selectStated  = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1::uuid AND turn = (SELECT stated FROM sessions WHERE session = $1::uuid)`
	selectReplay  = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1::uuid AND request_id = $2 AND length(request_id) > 0`

	// The n newest active messages are among those from the window's begin on (memory.Counters.Window).
	selectWindow = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1::uuid AND seq >= (
		SELECT CASE WHEN floor_seq > next_seq - gone - $2 THEN floor_seq ELSE next_seq - gone - $2 END FROM sessions WHERE session = $1::uuid) ORDER BY seq`

	// A session without a row has no messages, or has lost its row.
	selectLost = `SELECT 1 FROM messages WHERE session = $1::uuid
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE session = $1::uuid AND version > 0) LIMIT 1`
)

// sessionQuery reads the row of a session into r; nil: there is none.
func sessionQuery(d digest, r **sessionRow) *Query {
	*r = nil
	return &Query{Text: selectSession, Args: []any{d[:]}, Row: func(scan func(into ...any) error) error {
		*r = &sessionRow{digest: d}
		return (*r).scan(scan)
	}}
}

// session reads and verifies the row of a session; nil: there is none.
func (s *Store) session(ctx context.Context, key memory.Key) (r *sessionRow, err error) {
	p := s.placeOf(key)
	if err := s.db.Read(ctx, sessionQuery(p.digest, &r)); err != nil {
		return nil, err
	}
	return r, r.check(p, key)
}

// check verifies and opens a row that was found under a key, or not at all.
func (r *sessionRow) check(p place, key memory.Key) error {
	if r == nil {
		return nil
	}
	if r.key != key {
		return corrupt("sessions", r.digest, r.counters.Version)
	}
	if err := r.verify(); err != nil {
		return err
	}
	return r.show(p)
}

// Load implements memory.Store. It reads one moment: the session's row, its open journal rows, the
// window, and the turn that is asked for.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	snap, err := s.load(ctx, key, opts)
	isExpired := err == nil && s.rules.Now != nil && !snap.ExpiresAt.IsZero() && !snap.ExpiresAt.After(s.rules.Now())
	if !isExpired {
		return snap, err
	}
	if err := s.expireOne(ctx, key); err != nil {
		return nil, err
	}
	return s.load(ctx, key, opts)
}

func (s *Store) load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if snap, err := s.current(ctx, digestOf(key), opts); snap != nil || err != nil {
		return snap, err
	}
	if snap, err := s.loadShared(ctx, key, opts); snap != nil || err != nil {
		return snap, err
	}
	l := &loading{place: s.placeOf(key), key: key, recent: int64(max(opts.Recent, 0)), request: opts.RequestID}
	snap, err := s.read(ctx, l)
	if err == nil && len(snap.Damaged) == 0 {
		s.setShared(ctx, s.keepLoaded(l, snap))
	}
	return snap, err
}

// read runs the queries of a load.
func (s *Store) read(ctx context.Context, l *loading) (*memory.Snapshot, error) {
	if err := s.db.Read(ctx, l.queries()...); err != nil {
		return nil, err
	}
	snap, err := l.snapshot()
	if err == nil && l.request != "" && (snap.Replay != nil || len(snap.OpenSteps) > 0) { // a turn acts on them without a commit of its own
		err = s.db.Confirm(ctx)
	}
	return snap, err
}

// loading is a session that is being read.
type loading struct {
	place

	key     memory.Key
	recent  int64
	request string

	row      *sessionRow
	damage   []error // of all rows but the session's own
	messages []memory.Message
	steps    []memory.Step
	broken   []string // idempotency keys of steps that cannot be read
	replay   *memory.Turn
	newest   *turnRow // has the state, if the row of the session has not
	unstated error    // why it cannot be read
	lost     error    // of the row of the session
}

// queries read the session. A damaged row is noted: what it means is decided when all is read.
func (l *loading) queries() []*Query {
	list := []*Query{sessionQuery(l.digest, &l.row), lostQuery(l.digest, &l.row, &l.lost)}
	list = append(list, &Query{Text: selectStarted, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error {
		p, err := scanStep(&l.place, scan)
		if seal.Damaged(err) {
			l.broken = append(l.broken, p.IdempotencyKey)
			return l.note(err)
		}
		l.steps = append(l.steps, p)
		return err
	}})
	list = append(list, &Query{Text: selectStated, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error {
		t, err := scanTurnRow(&l.place, scan)
		if seal.Damaged(err) { // as if it was missing
			l.unstated = err
			return nil
		}
		l.newest = &t
		return err
	}})
	if l.recent > 0 {
		list = append(list, &Query{Text: selectWindow, Args: []any{l.digest[:], l.recent}, Row: func(scan func(into ...any) error) error {
			m, err := scanMessage(&l.place, scan)
			if seal.Damaged(err) {
				l.messages = append(l.messages, memory.DamagedMessage(m.Seq))
				return l.note(err)
			}
			l.messages = append(l.messages, m)
			return err
		}})
	}
	if l.request != "" {
		list = append(list, &Query{Text: selectReplay, Args: []any{l.digest[:], []byte(l.request)}, Row: func(scan func(into ...any) error) error {
			t, err := scanTurn(&l.place, scan)
			t.Snapshot = nil
			if l.replay = &t; seal.Damaged(err) {
				l.replay = &memory.Turn{RequestID: l.request}
				return l.note(err)
			}
			return err
		}})
	}
	for _, q := range list[2:] { // most sessions are new
		q.Needless = func() bool { return l.row == nil && l.lost == nil }
	}
	return list
}

func (l *loading) note(err error) error {
	l.damage = append(l.damage, err)
	return nil
}

// stated completes the row of the session with the state that the row of its newest turn has.
func (l *loading) stated() error {
	if l.row == nil || l.row.stated == 0 {
		return nil
	}
	if l.newest == nil || l.newest.Snapshot == nil || l.newest.Snapshot.Counters != l.row.counters {
		return cmp.Or(l.unstated, corrupt("turns", l.digest, l.row.stated))
	}
	l.row.state, l.row.params = l.newest.Snapshot.State, l.newest.params
	return nil
}

// snapshot is the session, without what is damaged. An error: its state cannot be read.
func (l *loading) snapshot() (*memory.Snapshot, error) {
	if err := cmp.Or(l.lost, l.row.check(l.place, l.key)); err != nil {
		return nil, err
	}
	if err := l.stated(); err != nil {
		return nil, err
	}
	snap := memory.NewSnapshot(l.key)
	snap.OpenSteps, snap.LostSteps = l.steps, l.broken
	if l.row.begun() {
		l.row.describe(snap)
		snap.Replay, snap.Recent = l.replay, l.window()
	}
	for _, err := range l.damage {
		snap.Damaged = append(snap.Damaged, err.Error())
	}
	return snap, nil
}

// window are the newest active messages, of those behind the last that is damaged or missing.
func (l *loading) window() []memory.Message {
	if l.recent <= 0 {
		return nil
	}
	next, sound := l.row.counters.NextSeq, 0
	list := filled(l.messages, l.row.counters.Window(l.recent), next)
	for i := range list {
		if list[i].Damaged() || list[i].Seq >= next {
			sound = i + 1
		}
	}
	if missing := len(list) - len(l.messages); missing > 0 {
		_ = l.note(fmt.Errorf("%w: table messages, session %s: %d rows are missing", memory.ErrCorrupt, l.digest, missing))
	}
	if sound > 0 && list[sound-1].Seq >= next {
		_ = l.note(corrupt("messages", l.digest, list[sound-1].Seq))
	}
	return newest(list[sound:], int(l.recent))
}

// newest returns the n newest active and sound messages; nil for none.
func newest(list []memory.Message, n int) []memory.Message {
	var out []memory.Message
	for _, m := range list {
		if m.Retracted {
			continue
		}
		if out == nil {
			out = make([]memory.Message, 0, len(list)+4) // a turn appends a few
		}
		out = append(out, m)
	}
	return out[max(0, len(out)-n):]
}

// lostQuery finds messages without the row of their session, where none was found.
func lostQuery(d digest, r **sessionRow, damage *error) *Query {
	return &Query{
		Text: selectLost, Args: []any{d[:]}, Needless: func() bool { return (*r).begun() },
		Row: func(func(into ...any) error) error {
			*damage = corrupt("sessions", d, 0)
			return nil
		},
	}
}

// page reads a page of rows of a session, oldest first, whichever end it reads from.
func page[T any](
	ctx context.Context, s *Store, key memory.Key, p memory.Page, text, order string, row func(*place, func(into ...any) error) (T, error),
) (r *sessionRow, list []T, err error) {
	if err := key.Validate(); err != nil {
		return nil, nil, err
	}
	at := s.placeOf(key)
	d := at.digest
	if p.Last {
		order += " DESC"
	}
	var session *sessionRow
	var lost error
	if err := s.db.Read(ctx, sessionQuery(d, &session), lostQuery(d, &session, &lost), &Query{
		Text: text + ` ORDER BY ` + order + ` LIMIT $4`, Args: []any{d[:], max(p.After, 0), p.Inactive, int64(p.Size())},
		Row: func(scan func(into ...any) error) error {
			v, err := row(&at, scan)
			if errors.Is(err, errSkip) {
				return nil
			}
			list = append(list, v)
			return err
		},
	}); err != nil {
		return nil, nil, err
	}
	if err := session.check(at, key); err != nil {
		return nil, nil, err
	}
	if !session.begun() {
		return nil, nil, cmp.Or(lost, memory.ErrNotFound)
	}
	if p.Last {
		slices.Reverse(list)
	}
	return session, list, nil
}

// errSkip makes a scan leave a row out.
var errSkip = errors.New("row is left out")

const selectMessages = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1::uuid AND seq > $2
	AND ($3::boolean OR NOT retracted AND seq >= (SELECT floor_seq FROM sessions WHERE session = $1::uuid))`

// Messages implements memory.Reader.
func (s *Store) Messages(ctx context.Context, key memory.Key, p memory.Page) ([]memory.Message, error) {
	r, list, err := page(ctx, s, key, p, selectMessages, "seq", func(at *place, scan func(into ...any) error) (memory.Message, error) {
		m, err := scanMessage(at, scan)
		if seal.Damaged(err) {
			return memory.DamagedMessage(m.Seq), nil
		}
		return m, err
	})
	if err != nil {
		return nil, err
	}
	if first, until, known := extent(r, p); known {
		list = filled(list, first, until)
	}
	return list, nil
}

// extent returns which messages a page has, without a gap. Where some are retracted, missing ones
// cannot be told from those left out: known is false.
func extent(r *sessionRow, p memory.Page) (first, until int64, known bool) {
	first = max(p.After, 0) + 1
	if !p.Inactive {
		if r.counters.Gone > 0 {
			return 0, 0, false
		}
		first = max(first, r.counters.Floor)
	}
	until = min(r.counters.NextSeq, first+int64(p.Size()))
	if p.Last {
		first, until = max(first, r.counters.NextSeq-int64(p.Size())), r.counters.NextSeq
	}
	return first, until, true
}

// filled puts placeholders in the place of messages that are missing from one number up to, not
// including, another.
func filled(list []memory.Message, first, until int64) []memory.Message {
	out, next := list[:0:0], first
	for _, m := range list {
		for ; next < min(m.Seq, until); next++ {
			out = append(out, memory.DamagedMessage(next))
		}
		out, next = append(out, m), m.Seq+1
	}
	for ; next < until; next++ {
		out = append(out, memory.DamagedMessage(next))
	}
	return out
}

const selectTurns = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1::uuid AND turn > $2 AND ($3::boolean OR NOT undone)`

// Turns implements memory.Reader.
func (s *Store) Turns(ctx context.Context, key memory.Key, p memory.Page) ([]memory.Turn, error) {
	_, list, err := page(ctx, s, key, p, selectTurns, "turn", func(at *place, scan func(into ...any) error) (memory.Turn, error) {
		t, err := scanTurn(at, scan)
		if seal.Damaged(err) {
			return t, errSkip
		}
		return t, err
	})
	return list, err
}

// Steps implements memory.Reader.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	at := s.placeOf(key)
	var list []memory.Step
	var damage error
	err := s.db.Read(ctx, &Query{Text: selectSteps, Args: []any{at.digest[:]}, Row: func(scan func(into ...any) error) error {
		p, err := scanStep(&at, scan)
		if errors.Is(err, memory.ErrCorrupt) {
			damage = cmp.Or(damage, err)
			return nil
		}
		list = append(list, p)
		return err
	}})
	return list, cmp.Or(err, damage)
}

const selectInfo = `SELECT s.session::uuid, s.user_id, s.agent_id, s.session_id, s.turns, s.next_seq - s.floor_seq - s.gone, s.waiting_for_param, s.version,
	s.created_at, s.updated_at, s.session, ` + aboutColumns + ` FROM sessions s WHERE s.version > 0`

// Sessions implements memory.Reader. There is no index by time, because every turn would pay for it.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	if q.Expired.IsZero() && q.After == nil {
		if _, err := s.expire(ctx, q); err != nil {
			return nil, err
		}
	}
	return s.list(ctx, q)
}

func (s *Store) list(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	f := &filter{}
	f.key(q.UserID, q.AgentID, q.SessionID)
	if !q.Expired.IsZero() {
		f.text.WriteString(" AND s.expires_at > 0")
		f.and("s.expires_at <= ?", micros(q.Expired))
	}
	if q.Tag != "" {
		line, err := tagLine(q.Tag)
		if err != nil {
			return nil, err
		}
		f.and(s.db.Position("?", "s.tags")+" > 0", []byte(line))
	}
	if q.Text != "" {
		f.and(s.db.Position("?", "s.words")+" > 0", []byte(strings.ToLower(q.Text)))
	}
	order := ` ORDER BY s.updated_at DESC, s.user_id, s.agent_id, s.session_id`
	if q.Walk {
		order, q.Offset = ` ORDER BY s.session`, 0
	}
	if q.After != nil {
		f.and("s.session > ?", q.After)
	}
	order += ` LIMIT ` + f.arg(int64(q.Size())) + ` OFFSET ` + f.arg(int64(max(q.Offset, 0)))
	var list []memory.Info
	err := s.db.Read(ctx, &Query{Text: selectInfo + f.text.String() + order, Args: f.args, Row: func(scan func(into ...any) error) error {
		info, owned, err := s.scanInfo(scan)
		if !q.Walk {
			info.Place = nil
		}
		if err == nil && (owned || q.UserID == "") {
			list = append(list, info)
		}
		return err
	}})
	return list, err
}

// scanInfo also reports whether the digest proves the key that the row has.
func (s *Store) scanInfo(scan func(into ...any) error) (i memory.Info, owned bool, err error) {
	var (
		d                digest
		waiting          []byte
		created, updated int64
		about            aboutRow
	)
	into := []any{&i.Key.UserID, &i.Key.AgentID, &i.Key.SessionID, &i.Turns, &i.History, &waiting, &i.Version, &created, &updated, &i.Place}
	if err := behind(&d, scan)(append(into, about.into()...)...); err != nil {
		return i, false, err
	}
	i.Waiting, i.CreatedAt, i.UpdatedAt = string(waiting), moment(created), moment(updated)
	p := s.placeOf(i.Key)
	about.key = i.Key
	if i.About, err = about.about(p); seal.Damaged(err) { // the others are listed
		i.About, i.Damaged, err = memory.About{}, true, nil
	}
	return i, p.digest == d, err
}
