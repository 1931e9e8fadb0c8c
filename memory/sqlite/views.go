package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

const viewColumns = `s.user_id, s.agent_id, s.session_id, v.session, v.row, v.tier, v.id, v.epoch, v.up_to, v.at, v.data, v.crc`

func viewSum(s *record.Sum, session int64, v *memory.View) int64 {
	return s.Ints(session, v.Epoch, v.UpTo, micros(v.At)).Texts(v.Tier, v.ID, string(v.Data)).CRC()
}

func scanView(s *record.Sum, row []driver.Value) (memory.View, error) {
	data, _ := row[10].([]byte)
	v := memory.View{
		Key:  scanKey(row),
		Tier: asText(row[5]), ID: asText(row[6]), Epoch: asInt(row[7]), UpTo: asInt(row[8]), At: moment(row[9]),
		Data: append([]byte(nil), data...),
	}
	if viewSum(s, asInt(row[3]), &v) != asInt(row[11]) {
		return v, corrupt("views", asInt(row[4]))
	}
	return v, nil
}

const selectViewName = `SELECT epoch, up_to FROM views WHERE session = ? AND tier = ? AND id = ?`

const putView = `INSERT INTO views (session, tier, id, epoch, up_to, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
	ON CONFLICT (session, tier, id) DO UPDATE SET epoch = ?4, up_to = ?5, at = ?6, data = ?7, crc = ?8`

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	var own []memory.View
	for _, v := range views {
		if err := v.Validate(); err != nil {
			return 0, err
		}
		v = v.Clone()
		v.At = memory.Moment(v.At)
		own = append(own, v)
	}
	n := 0
	if err := s.writer.do(ctx, func(w *writer) error {
		n = 0
		for i := range own {
			written, err := w.putView(&own[i])
			if err != nil {
				return err
			}
			if written {
				n++
			}
		}
		return nil
	}); err != nil {
		return 0, err
	}
	return n, nil
}

// putView writes a view unless its session was cleared since, or a newer one is stored.
func (w *writer) putView(v *memory.View) (bool, error) {
	f, err := w.find(v.Key)
	if err != nil || f.counters.Version == 0 || f.counters.Epoch != v.Epoch {
		return false, err
	}
	newer := true
	if err := w.conn.query(selectViewName, func(row []driver.Value) error {
		newer = v.Replaces(&memory.View{Epoch: asInt(row[0]), UpTo: asInt(row[1])})
		return nil
	}, f.id, v.Tier, v.ID); err != nil || !newer {
		return false, err
	}
	data := v.Data
	if data == nil {
		data = []byte{} // no NULL
	}
	_, err = w.exec(putView, f.id, v.Tier, v.ID, v.Epoch, v.UpTo, micros(v.At), data, viewSum(&w.sum, f.id, v))
	failpoint("after_view")
	return err == nil, err
}

const (
	viewNames = ` AND (?4 = '' OR v.tier = ?4) AND substr(v.id, 1, ?6) = ?5`
	viewOrder = ` ORDER BY s.user_id, s.agent_id, s.session_id, v.tier, v.id`
	viewsLast = ` ORDER BY v.at DESC, s.user_id, s.agent_id, s.session_id, v.tier, v.id LIMIT 0 + ?7`
)

// viewScope is a way to find views.
type viewScope struct {
	serves func(q memory.ViewQuery) bool
	where  string
}

// viewScopes are the ways to find views, the narrowest first: a session's cost one lookup,
// a user's one a session of theirs, others read the whole table.
var viewScopes = []viewScope{
	{
		func(q memory.ViewQuery) bool { return q.UserID != "" && q.AgentID != "" && q.SessionID != "" },
		` FROM sessions s JOIN views v ON v.session = s.id WHERE s.user_id = ?1 AND s.agent_id = ?2 AND s.session_id = ?3` + viewNames,
	},
	{
		func(q memory.ViewQuery) bool { return q.UserID != "" },
		` FROM sessions s JOIN views v ON v.session = s.id
			WHERE s.user_id = ?1 AND (?2 = '' OR s.agent_id = ?2) AND (?3 = '' OR s.session_id = ?3)` + viewNames,
	},
	{
		func(memory.ViewQuery) bool { return true },
		` FROM views v JOIN sessions s ON s.id = v.session
			WHERE ?1 = '' AND (?2 = '' OR s.agent_id = ?2) AND (?3 = '' OR s.session_id = ?3)` + viewNames,
	},
}

func scopeOf(q memory.ViewQuery) string {
	i := slices.IndexFunc(viewScopes, func(s viewScope) bool { return s.serves(q) })
	return viewScopes[i].where
}

func viewArgs(q memory.ViewQuery) []driver.Value {
	return []driver.Value{q.UserID, q.AgentID, q.SessionID, q.Tier, q.Prefix, int64(utf8.RuneCountInString(q.Prefix))}
}

// Views implements memory.Views.
func (s *Store) Views(ctx context.Context, q memory.ViewQuery) ([]memory.View, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	order, args := viewOrder, viewArgs(q)
	if q.Newest > 0 {
		order, args = viewsLast, append(args, int64(q.Newest))
	}
	var list []memory.View
	err := s.readers.with(ctx, func(c *conn) error {
		buffer := &record.Sum{}
		return c.query(`SELECT `+viewColumns+scopeOf(q)+order, func(row []driver.Value) error {
			v, err := scanView(buffer, row)
			list = append(list, v)
			return err
		}, args...)
	})
	return list, explain(err)
}

// DropViews implements memory.Views.
func (s *Store) DropViews(ctx context.Context, q memory.ViewQuery) (int, error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	n := int64(0)
	if err := s.writer.do(ctx, func(w *writer) (err error) {
		n, err = w.exec(`DELETE FROM views WHERE row IN (SELECT v.row`+scopeOf(q)+`)`, viewArgs(q)...)
		w.erased = w.erased || n > 0
		return err
	}); err != nil {
		return 0, err
	}
	return int(n), nil
}
