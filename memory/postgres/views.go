package postgres

import (
	"context"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

func viewSum(s *record.Sum, d digest, v *memory.View) int32 {
	return int32(s.Ints(v.Epoch, v.UpTo, micros(v.At)).Texts(d.text(), v.Tier, v.ID, string(v.Data)).CRC())
}

// putView holds the session's row so that it cannot be deleted meanwhile; turns go on.
const putView = `WITH s AS (SELECT session FROM sessions WHERE session = $1 AND version > 0 AND epoch = $2 FOR KEY SHARE)
	INSERT INTO views AS v (session, epoch, tier, id, up_to, at, data, crc)
	SELECT s.session, $2::bigint, $3::text, $4::text, $5::bigint, $6::bigint, $7::bytea, $8::integer FROM s
	ON CONFLICT (session, tier, id) DO UPDATE SET epoch = excluded.epoch, up_to = excluded.up_to, at = excluded.at,
		data = excluded.data, crc = excluded.crc
	WHERE excluded.epoch > v.epoch OR excluded.epoch = v.epoch AND excluded.up_to >= v.up_to`

// PutViews implements memory.Views. It is one round trip.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	for i := range views {
		if err := views[i].Validate(); err != nil {
			return 0, err
		}
	}
	n := 0
	err := s.change(ctx, func(b *pgx.Batch) {
		n = 0
		sum := &record.Sum{}
		for _, v := range views {
			d := digestOf(v.Key)
			v.At = memory.Moment(v.At)
			b.Queue(putView, d, v.Epoch, v.Tier, v.ID, v.UpTo, micros(v.At), bytesOf(v.Data), viewSum(sum, d, &v)).
				Exec(func(tag pgconn.CommandTag) error {
					n += int(tag.RowsAffected())
					return nil
				})
		}
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

const (
	viewNames = ` AND ($3 = '' OR s.session_id = $3) AND ($4 = '' OR v.tier = $4) AND left(v.id, $6) = $5`
	viewOrder = ` ORDER BY s.user_id, s.agent_id, s.session_id, v.tier, v.id`
	viewsLast = ` ORDER BY v.at DESC, s.user_id, s.agent_id, s.session_id, v.tier, v.id LIMIT $8`

	selectViews = `SELECT s.user_id, s.agent_id, s.session_id, v.tier, v.id, v.epoch, v.up_to, v.at, v.data, v.crc
		FROM views v JOIN sessions s ON s.session = v.session WHERE `
	dropViews = `DELETE FROM views v USING sessions s WHERE s.session = v.session AND `
)

// viewScope says where a query looks for views: in one session, in those of a user, or in
// the whole table.
func viewScope(q memory.ViewQuery) string {
	switch {
	case q.UserID != "" && q.AgentID != "" && q.SessionID != "":
		return `v.session = $7 AND s.session = $7 AND s.user_id = $1 AND s.agent_id = $2` + viewNames
	case q.UserID != "":
		return `s.user_id = $1 AND ($2 = '' OR s.agent_id = $2) AND $7::uuid IS NOT NULL` + viewNames
	}
	return `$1::text = '' AND ($2 = '' OR s.agent_id = $2) AND $7::uuid IS NOT NULL` + viewNames
}

func viewArgs(q memory.ViewQuery) []any {
	key := memory.Key{UserID: q.UserID, AgentID: q.AgentID, SessionID: q.SessionID}
	return []any{q.UserID, q.AgentID, q.SessionID, q.Tier, q.Prefix, utf8.RuneCountInString(q.Prefix), digestOf(key)}
}

// Views implements memory.Views.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	order, args := viewOrder, viewArgs(q)
	if q.Newest > 0 {
		order, args = viewsLast, append(args, q.Newest)
	}
	sum := &record.Sum{}
	return readRows(ctx, s, func(row pgx.Row) (memory.View, error) { return scanView(sum, row) }, selectViews+viewScope(q)+order, args...)
}

func scanView(s *record.Sum, row pgx.Row) (memory.View, error) {
	var v memory.View
	var at int64
	var crc int32
	if err := row.Scan(&v.Key.UserID, &v.Key.AgentID, &v.Key.SessionID, &v.Tier, &v.ID, &v.Epoch, &v.UpTo, &at, &v.Data, &crc); err != nil {
		return v, err
	}
	if len(v.Data) == 0 {
		v.Data = nil
	}
	v.At = moment(at)
	d := digestOf(v.Key)
	if viewSum(s, d, &v) != crc {
		return v, corrupt("views", d, v.UpTo)
	}
	return v, nil
}

// DropViews implements memory.Views.
func (s *Store) DropViews(ctx context.Context, q memory.ViewQuery) (int, error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	n := 0
	err := s.change(ctx, func(b *pgx.Batch) {
		b.Queue(dropViews+viewScope(q), viewArgs(q)...).Exec(func(tag pgconn.CommandTag) error {
			n = int(tag.RowsAffected())
			return nil
		})
	})
	return n, err
}
