package sqlstore

import (
	"context"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

func viewSum(d digest, v *memory.View) func(*record.Sum) {
	return func(s *record.Sum) {
		s.Ints(v.Epoch, v.UpTo, micros(v.At)).Texts(string(d[:]), v.Tier, v.ID, string(v.Data))
	}
}

// selectEpoch holds the session's row so that it cannot be deleted meanwhile; turns go on.
const selectEpoch = `SELECT 1 FROM sessions WHERE session = $1::uuid AND version > 0 AND epoch = $2 FOR KEY SHARE`

const putView = `INSERT INTO views (session, epoch, tier, id, up_to, at, data, crc) VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8)
	ON CONFLICT (session, tier, id) DO UPDATE SET epoch = excluded.epoch, up_to = excluded.up_to, at = excluded.at,
		data = excluded.data, crc = excluded.crc
	WHERE excluded.epoch > views.epoch OR excluded.epoch = views.epoch AND excluded.up_to >= views.up_to`

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (n int, err error) {
	var statements []*Query
	for _, v := range views {
		if err := v.Validate(); err != nil {
			return 0, err
		}
		p := s.placeOf(v.Key)
		d, sum := p.digest, viewSum(p.digest, &v)
		v.At = memory.Moment(v.At)
		if err := p.hide("view", sum, &v.Data); err != nil {
			return 0, err
		}
		statements = append(statements, &Query{
			Text: putView, Args: []any{d[:], v.Epoch, v.Tier, v.ID, v.UpTo, micros(v.At), bytesOf(v.Data), crcOf(sum)},
			Done: func(changed int64) { n += int(changed) },
		})
	}
	if len(statements) == 0 {
		return 0, nil
	}
	err = s.db.Change(ctx, func(run Run) error {
		n = 0
		for _, put := range statements {
			there := false
			find := &Query{Text: selectEpoch, Args: put.Args[:2], Row: func(scan func(into ...any) error) error {
				there = true
				return scan(new(int64))
			}}
			if err := run(find); err != nil {
				return err
			}
			if !there {
				continue
			}
			if err := run(put); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

const selectViews = `SELECT s.user_id, s.agent_id, s.session_id, v.tier, v.id, v.epoch, v.up_to, v.at, v.data, v.crc
	FROM views v JOIN sessions s ON s.session = v.session WHERE true`

// named adds the conditions on the names of views.
func (f *filter) named(q memory.ViewQuery) {
	f.equal("v.tier", q.Tier)
	if q.Prefix != "" {
		f.and("substr(v.id, 1, "+f.arg(int64(utf8.RuneCountInString(q.Prefix)))+"::integer) = ?", q.Prefix)
	}
}

// Views implements memory.Views. It skips and reports a view that does not open: it can be made again,
// and those of other sessions are not affected.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) (list []memory.View, err error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	f := &filter{}
	f.key(q.UserID, q.AgentID, q.SessionID)
	f.named(q)
	order := ` ORDER BY s.user_id, s.agent_id, s.session_id, v.tier, v.id`
	if q.Newest > 0 {
		order = ` ORDER BY v.at DESC, s.user_id, s.agent_id, s.session_id, v.tier, v.id LIMIT ` + f.arg(int64(q.Newest))
	}
	err = s.db.Read(ctx, &Query{Text: selectViews + f.text.String() + order, Args: f.args, Row: func(scan func(into ...any) error) error {
		v, err := scanView(scan)
		if err != nil {
			return err
		}
		p := s.placeOf(v.Key)
		if err := p.show("view", viewSum(p.digest, &v), &v.Data); err != nil {
			s.keys.Skipped(v.Key, err)
			return nil
		}
		list = append(list, v)
		return nil
	}})
	return list, err
}

func scanView(scan func(into ...any) error) (memory.View, error) {
	var v memory.View
	var at, crc int64
	if err := scan(&v.Key.UserID, &v.Key.AgentID, &v.Key.SessionID, &v.Tier, &v.ID, &v.Epoch, &v.UpTo, &at, &v.Data, &crc); err != nil {
		return v, err
	}
	if len(v.Data) == 0 {
		v.Data = nil
	}
	v.At = moment(at)
	d := digestOf(v.Key)
	if crcOf(viewSum(d, &v)) != crc {
		return v, corrupt("views", d, v.UpTo)
	}
	return v, nil
}

// DropViews implements memory.Views.
func (s *Store) DropViews(ctx context.Context, q memory.ViewQuery) (n int, err error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	f := &filter{}
	f.named(q)
	if key := (memory.Key{UserID: q.UserID, AgentID: q.AgentID, SessionID: q.SessionID}); key.Validate() == nil {
		d := digestOf(key)
		f.and("v.session = ?::uuid", d[:])
	}
	names := f.text.String()
	f.text.Reset()
	f.key(q.UserID, q.AgentID, q.SessionID)
	err = s.db.Write(ctx, &Query{
		Text: `DELETE FROM views AS v WHERE v.session IN (SELECT s.session FROM sessions s WHERE true` + f.text.String() + `)` + names,
		Args: f.args, Erases: true, Done: func(changed int64) { n = int(changed) },
	})
	return n, err
}
