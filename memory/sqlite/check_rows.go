package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// progressEvery is how many rows are read between two reports.
const progressEvery = 1000

// tables verifies each row of each table.
func (r *Report) tables(ctx context.Context, c *conn, progress Progress) error {
	var total int64
	for _, t := range sqlstore.Tables {
		if progress == nil {
			break
		}
		// A table that cannot be counted is met again below.
		_ = c.query(`SELECT count(*) FROM `+t.Name, func(row []any) error {
			total += asInt(row[0])
			return nil
		})
	}
	done := int64(0)
	for _, t := range sqlstore.Tables {
		r.Rows[t.Name] = 0
		_, err := c.run(&sqlstore.Query{Text: t.Text, Row: func(scan func(into ...any) error) error {
			r.Rows[t.Name]++
			if done++; done%progressEvery == 0 {
				if progress != nil {
					progress(done, total)
				}
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			row, err := t.Verify(scan)
			if errors.Is(err, memory.ErrCorrupt) {
				r.add(Problem{Kind: ProblemChecksum, Table: t.Name, Row: row.Number, Key: keyOf(c, row.Session), Text: sqlstore.Why(err)})
				return nil
			}
			return err
		}})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.unreadable(t.Name, err)
		}
	}
	if progress != nil {
		progress(done, total)
	}
	return nil
}

// keyOf finds whose a row is; nil when that cannot be said.
func keyOf(c *conn, session []byte) *memory.Key {
	var key *memory.Key
	if err := c.query(`SELECT user_id, agent_id, session_id FROM sessions WHERE session = (SELECT id FROM keys WHERE digest = ?)`, func(row []any) error {
		key = &memory.Key{UserID: asText(row[0]), AgentID: asText(row[1]), SessionID: asText(row[2])}
		return nil
	}, session); err != nil {
		return nil
	}
	return key
}

// A relation is a query for rows that do not belong together: the digest of the session and, if
// the text has room for them, two counts.
var relations = []struct{ kind, table, query, text string }{
	{ProblemOrphan, "messages", orphans("messages"), "messages of no session"},
	{ProblemOrphan, "turns", orphans("turns"), "turns of no session"},
	{ProblemOrphan, "views", orphans("views"), "views of no session"},
	{ProblemOrphan, "jobs", orphans("jobs"), "jobs of no session"},
	{ProblemOrphan, "plan_steps", `SELECT DISTINCT session::uuid FROM plan_steps WHERE session NOT IN (SELECT session FROM sessions)`, "journal of no session"},
	{
		ProblemOrphan, "sessions",
		`SELECT session::uuid FROM sessions WHERE version = 0 AND session NOT IN (SELECT session FROM plan_steps)`,
		"a session with neither state nor journal",
	},
	{
		ProblemGap, "messages",
		`SELECT s.session::uuid, count(m.seq), s.next_seq - 1 FROM sessions s LEFT JOIN messages m ON m.session = s.session WHERE s.version > 0
			GROUP BY s.session HAVING count(m.seq) <> s.next_seq - 1 OR count(m.seq) > 0 AND (min(m.seq) <> 1 OR max(m.seq) <> s.next_seq - 1)`,
		"%d messages, not the %d that the state counts",
	},
	{
		ProblemGap, "turns",
		`SELECT s.session::uuid, count(t.turn), s.turns FROM sessions s LEFT JOIN turns t ON t.session = s.session WHERE s.version > 0
			GROUP BY s.session HAVING count(t.turn) <> s.turns OR coalesce(max(t.turn), 0) <> s.turns`,
		"%d turns, not the %d that the state counts",
	},
	{
		ProblemGap, "plan_steps",
		`SELECT session::uuid FROM plan_steps GROUP BY session HAVING 2 * sum(place) <> count(*) * (count(*) + 1)`,
		"calls of the journal are missing, or their order is",
	},
}

func orphans(table string) string {
	return `SELECT DISTINCT session::uuid FROM ` + table + ` WHERE session NOT IN (SELECT session FROM sessions WHERE version > 0)`
}

// relations verifies how rows of several tables belong together.
func (r *Report) relations(c *conn) {
	for _, rel := range relations {
		if err := c.query(sqlstore.Plain(rel.query), func(row []any) error {
			session, _ := row[0].([]byte)
			p := Problem{Kind: rel.kind, Table: rel.table, Key: keyOf(c, session), Text: rel.text}
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
