package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// checkedTable is how the rows of a table are read back.
type checkedTable struct {
	name   string
	text   string                                        // the rows, in the order of the table itself and without any index
	verify func(s *record.Sum, row []driver.Value) error // ErrCorrupt
	key    func(row []driver.Value) (id, session int64)
}

const sessionName = ` COALESCE(s.user_id, ''), COALESCE(s.agent_id, ''), COALESCE(s.session_id, '')`

// checkedTables are all tables that hold anything of a session.
var checkedTables = []checkedTable{
	{
		"sessions", `SELECT id, user_id, agent_id, session_id, ` + aboutColumns + ` FROM sessions NOT INDEXED ORDER BY id`,
		func(_ *record.Sum, row []driver.Value) error {
			_, err := about(scanKey(row[1:]), row[4:])
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[0]), asInt(row[0]) },
	},
	{
		"state", `SELECT` + sessionName + `, ` + stateColumns + ` FROM state st LEFT JOIN sessions s NOT INDEXED ON s.id = st.session ORDER BY st.session`,
		func(_ *record.Sum, row []driver.Value) error {
			r, err := scanState(scanKey(row), row[3:])
			if err == nil {
				_, err = r.state()
			}
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[3]), asInt(row[3]) },
	},
	{
		"messages", `SELECT ` + messageColumns + ` FROM messages ORDER BY id`,
		func(s *record.Sum, row []driver.Value) error {
			_, err := scanMessage(s, row)
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[0]), asInt(row[0]) >> seqBits },
	},
	{
		"turns", `SELECT ` + turnColumns + ` FROM turns NOT INDEXED ORDER BY id`,
		func(_ *record.Sum, row []driver.Value) error {
			_, err := scanTurn(row)
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[0]), asInt(row[1]) },
	},
	{
		"plan_steps", `SELECT ` + stepColumns + ` FROM plan_steps NOT INDEXED ORDER BY id`,
		func(_ *record.Sum, row []driver.Value) error {
			_, err := scanStep(row)
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[0]), asInt(row[1]) },
	},
	{
		"views", `SELECT '', '', '', v.session, v.row, v.tier, v.id, v.epoch, v.up_to, v.at, v.data, v.crc FROM views v NOT INDEXED ORDER BY v.row`,
		func(s *record.Sum, row []driver.Value) error {
			_, err := scanView(s, row)
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[4]), asInt(row[3]) },
	},
	{
		"jobs", `SELECT '', '', '', j.session, j.kind, j.epoch, j.target_seq, j.run_at, j.attempts, j.dead, j.code, j.token, j.until, j.crc
			FROM jobs j ORDER BY j.session, j.kind`,
		func(_ *record.Sum, row []driver.Value) error {
			_, err := scanJob(row)
			return err
		},
		func(row []driver.Value) (int64, int64) { return asInt(row[3]), asInt(row[3]) },
	},
}

// progressEvery is how many rows are read between two reports.
const progressEvery = 1000

// tables verifies each row of each table.
func (r *Report) tables(ctx context.Context, c *conn, progress Progress) error {
	var total int64
	for _, t := range checkedTables {
		if progress == nil {
			break
		}
		// A table that cannot be counted is met again below.
		_ = c.query(`SELECT count(*) FROM `+t.name, func(row []driver.Value) error {
			total += asInt(row[0])
			return nil
		})
	}
	done := int64(0)
	s := &record.Sum{}
	for _, t := range checkedTables {
		r.Rows[t.name] = 0
		err := c.query(t.text, func(row []driver.Value) error {
			r.Rows[t.name]++
			if done++; done%progressEvery == 0 {
				if progress != nil {
					progress(done, total)
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			err := t.verify(s, row)
			if err == nil {
				return nil
			}
			id, session := t.key(row)
			r.add(Problem{Kind: ProblemChecksum, Table: t.name, Row: id, Key: keyOf(c, session), Text: plain(err)})
			return nil
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.unreadable(t.name, err)
		}
	}
	if progress != nil {
		progress(done, total)
	}
	return nil
}

// plain says in a few words what is wrong with a row; the rest of a problem says where.
func plain(err error) string {
	if errors.Is(err, errSum) {
		return "checksum does not match"
	}
	return "not JSON"
}

// keyOf finds whose a row is; nil when that cannot be said.
func keyOf(c *conn, session int64) *memory.Key {
	var key *memory.Key
	if err := c.query(`SELECT user_id, agent_id, session_id FROM sessions WHERE id = ?`, func(row []driver.Value) error {
		found := scanKey(row)
		key = &found
		return nil
	}, session); err != nil {
		return nil
	}
	return key
}

// A relation is a query for rows that do not belong together: the session's number and, if
// the text has room for them, two counts.
var relations = []struct{ kind, table, query, text string }{
	{ProblemOrphan, "state", `SELECT session FROM state WHERE session NOT IN (SELECT id FROM sessions)`, "a state of no session"},
	{ProblemOrphan, "messages", `SELECT DISTINCT id >> 24 FROM messages WHERE id >> 24 NOT IN (SELECT session FROM state)`, "messages of no session"},
	{ProblemOrphan, "turns", `SELECT DISTINCT session FROM turns WHERE session NOT IN (SELECT session FROM state)`, "turns of no session"},
	{ProblemOrphan, "views", `SELECT DISTINCT session FROM views WHERE session NOT IN (SELECT session FROM state)`, "views of no session"},
	{ProblemOrphan, "jobs", `SELECT DISTINCT session FROM jobs WHERE session NOT IN (SELECT session FROM state)`, "jobs of no session"},
	{ProblemOrphan, "plan_steps", `SELECT DISTINCT session FROM plan_steps WHERE session NOT IN (SELECT id FROM sessions)`, "journal of no session"},
	{
		ProblemOrphan, "sessions",
		`SELECT id FROM sessions WHERE id NOT IN (SELECT session FROM state) AND id NOT IN (SELECT session FROM plan_steps)`,
		"a session with neither state nor journal",
	},
	{
		ProblemGap, "messages",
		`SELECT st.session, count(m.id), st.next_seq - 1 FROM state st LEFT JOIN messages m ON m.id >= st.session << 24 AND m.id < (st.session + 1) << 24
			GROUP BY st.session HAVING count(m.id) <> st.next_seq - 1 OR (count(m.id) > 0 AND (min(m.id) & 16777215 <> 1 OR max(m.id) & 16777215 <> st.next_seq - 1))`,
		"%d messages, not the %d that the state counts",
	},
	{
		ProblemGap, "turns",
		`SELECT st.session, coalesce(t.n, 0), st.turns FROM state st
			LEFT JOIN (SELECT session, count(*) AS n, count(DISTINCT turn) AS d, max(turn) AS top FROM turns GROUP BY session) t ON t.session = st.session
			WHERE coalesce(t.n, 0) <> st.turns OR coalesce(t.d, 0) <> st.turns OR coalesce(t.top, 0) <> st.turns`,
		"%d turns, not the %d that the state counts",
	},
	{
		ProblemGap, "sqlite_sequence",
		`SELECT 0 FROM (SELECT max(seq) AS seq, count(*) AS n FROM sqlite_sequence WHERE name = 'sessions') q
			WHERE q.n > 1 OR coalesce(q.seq, 0) < (SELECT coalesce(max(id), 0) FROM sessions) OR q.seq > 549755813887`,
		"the counter of sessions does not fit: numbers of deleted sessions may be given again",
	},
}

// relations verifies how rows of several tables belong together.
func (r *Report) relations(c *conn) {
	for _, rel := range relations {
		if err := c.query(rel.query, func(row []driver.Value) error {
			p := Problem{Kind: rel.kind, Table: rel.table, Row: asInt(row[0]), Key: keyOf(c, asInt(row[0])), Text: rel.text}
			if len(row) == 3 {
				p.Text = fmt.Sprintf(rel.text, asInt(row[1]), asInt(row[2]))
			}
			r.add(p)
			return nil
		}); err != nil {
			r.unreadable(rel.table, err)
		}
	}
}
