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
		Key:  memory.Key{UserID: asText(row[0]), AgentID: asText(row[1]), SessionID: asText(row[2])},
		Tier: asText(row[5]), ID: asText(row[6]), Epoch: asInt(row[7]), UpTo: asInt(row[8]), At: moment(row[9]),
		Data: append([]byte(nil), data...),
	}
	if viewSum(s, asInt(row[3]), &v) != asInt(row[11]) {
		return v, corrupt("views", asInt(row[4]))
	}
	return v, nil
}

// viewsChange writes views.
type viewsChange struct {
	views []memory.View
	n     int
}

// PutViews implements memory.Views.
func (s *Store) PutViews(ctx context.Context, views []memory.View) (int, error) {
	c := &viewsChange{}
	for _, v := range views {
		if err := v.Validate(); err != nil {
			return 0, err
		}
		v = v.Clone()
		v.At = memory.Moment(v.At)
		c.views = append(c.views, v)
	}
	err := s.writer.do(ctx, c)
	return c.n, err
}

const selectViewName = `SELECT epoch, up_to FROM views WHERE session = ? AND tier = ? AND id = ?`

const putView = `INSERT INTO views (session, tier, id, epoch, up_to, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
	ON CONFLICT (session, tier, id) DO UPDATE SET epoch = ?4, up_to = ?5, at = ?6, data = ?7, crc = ?8`

// apply implements change.
func (c *viewsChange) apply(w *writer) error {
	c.n = 0
	for i := range c.views {
		v := &c.views[i]
		f, err := w.find(v.Key)
		if err != nil {
			return err
		}
		if f.counters.Version == 0 || f.counters.Epoch != v.Epoch {
			continue
		}
		session := f.id
		newer := true
		if err := w.conn.query(selectViewName, func(row []driver.Value) error {
			newer = v.Replaces(&memory.View{Epoch: asInt(row[0]), UpTo: asInt(row[1])})
			return nil
		}, session, v.Tier, v.ID); err != nil {
			return err
		}
		if !newer {
			continue
		}
		data := v.Data
		if data == nil {
			data = []byte{} // no NULL
		}
		if _, err := w.exec(putView, session, v.Tier, v.ID, v.Epoch, v.UpTo, micros(v.At), data, viewSum(&w.sum, session, v)); err != nil {
			return err
		}
		failpoint("after_view")
		c.n++
	}
	return nil
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

// dropChange deletes views.
type dropChange struct {
	query memory.ViewQuery
	n     int64
}

// apply implements change.
func (c *dropChange) apply(w *writer) (err error) {
	c.n, err = w.exec(`DELETE FROM views WHERE row IN (SELECT v.row`+scopeOf(c.query)+`)`, viewArgs(c.query)...)
	w.erased = w.erased || c.n > 0
	return err
}

// DropViews implements memory.Views.
func (s *Store) DropViews(ctx context.Context, q memory.ViewQuery) (int, error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	c := &dropChange{query: q}
	err := s.writer.do(ctx, c)
	return int(c.n), err
}
