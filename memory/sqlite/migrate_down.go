package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/pressly/goose/v3"

	"github.com/slotway/slotway/memory/migration"
	"github.com/slotway/slotway/memory/record"
)

var losses = migration.Losses{
	1: {{Count: `SELECT count(*) FROM sessions`, Text: "%d sessions with all that was said in them"}},
	2: {
		{Count: `SELECT count(*) FROM turns WHERE undone <> 0`, Text: "%d turns that were taken back, which come back"},
		{Count: `SELECT count(*) FROM turns WHERE past <> ''`, Text: "how the session stood after %d turns, for undo and fork"},
		{Count: `SELECT count(*) FROM sessions WHERE title <> '' OR tags <> ''`, Text: "title and tags of %d sessions"},
		{Count: `SELECT count(*) FROM views`, Text: "%d views of sessions, summaries among them"},
		{Count: `SELECT count(*) FROM jobs`, Text: "%d jobs"},
	},
	3: {}, // checksums: a row has one again when it is written next
	4: {}, // an index
	5: {{Count: `SELECT count(*) FROM plan_steps WHERE origin <> ''`, Text: "the messages of %d calls, which may make them again"}},
	6: {{Count: `SELECT count(*) FROM sessions WHERE system_prompt <> '' OR metadata <> '' OR expires_at <> 0`, Text: "system prompt, metadata and expiry of %d sessions"}},
}

// beforeDown changes the rows before the step down from a migration: checksums of the older schema
// do not cover the columns that it lacks.
var beforeDown = map[int64]func(*conn) error{2: rewriteChecksums(checksumRewrites...), 6: rewriteChecksums(aboutRewrite)}

// down takes back the newest migration. What would be lost is an error unless lose is set.
func down(ctx context.Context, file string, p *goose.Provider, version int64, lose bool) error {
	if version == 0 {
		return nil
	}
	c, err := openConn(file, busyPragma(defaultBusy), "synchronous(FULL)")
	if err != nil {
		return err
	}
	err = c.prepareDown(version, lose)
	if err = errors.Join(err, c.close()); err != nil {
		return err
	}
	_, err = p.Down(ctx)
	return err
}

// prepareDown checks what would be lost and changes the rows for the older schema.
func (c *conn) prepareDown(version int64, lose bool) error {
	err := losses.Check(version, lose, "'slotway db backup FILE'", func(query string) (n int64, err error) {
		err = c.query(query, func(row []driver.Value) error {
			n = asInt(row[0])
			return nil
		})
		return n, err
	})
	if err != nil {
		return err
	}
	if change := beforeDown[version]; change != nil {
		return change(c)
	}
	return nil
}

// checksumRewrite rewrites the rows of a table whose checksums cover what a migration brought.
type checksumRewrite struct {
	read  string
	sum   func(row []driver.Value) (id, crc int64, err error)
	write string
}

var checksumRewrites = []checksumRewrite{
	{
		`SELECT s.user_id, s.agent_id, s.session_id, ` + stateColumns + ` FROM state st JOIN sessions s ON s.id = st.session WHERE st.gone <> 0`,
		func(row []driver.Value) (int64, int64, error) {
			r, err := scanState(scanKey(row), row[3:])
			if err != nil {
				return 0, 0, err
			}
			r.counters.Gone = 0
			return r.id, r.checksum(&record.Sum{}), nil
		},
		`UPDATE state SET gone = 0, crc = ? WHERE session = ?`,
	},
	{
		`SELECT ` + messageColumns + ` FROM messages WHERE retracted <> 0`,
		func(row []driver.Value) (int64, int64, error) {
			m, err := scanMessage(&record.Sum{}, row)
			m.Retracted = false
			x := record.Extras{Calls: asText(row[7]), Metadata: asText(row[8])}
			return asInt(row[0]), messageSum(&record.Sum{}, asInt(row[0]), &m, x), err
		},
		`UPDATE messages SET retracted = 0, crc = ? WHERE id = ?`,
	},
	{
		`SELECT ` + turnColumns + ` FROM turns WHERE undone <> 0 OR past <> ''`,
		func(row []driver.Value) (int64, int64, error) {
			t, err := scanTurn(row)
			t.Undone = false
			return asInt(row[0]), turnSum(&record.Sum{}, asInt(row[1]), &t, ""), err
		},
		`UPDATE turns SET undone = 0, past = '', crc = ? WHERE id = ?`,
	},
}

var aboutRewrite = checksumRewrite{
	`SELECT id, user_id, agent_id, session_id, ` + aboutColumns + ` FROM sessions WHERE system_prompt <> '' OR metadata <> '' OR expires_at <> 0`,
	func(row []driver.Value) (int64, int64, error) {
		key := scanKey(row[1:])
		_, err := about(key, row[4:])
		r := scanAbout(row[4:])
		r.prompt, r.metadata, r.expires = "", "", 0
		return asInt(row[0]), r.sum(&record.Sum{}, key), err
	},
	`UPDATE sessions SET system_prompt = '', metadata = '', expires_at = 0, crc = ? WHERE id = ?`,
}

// rewriteChecksums empties columns that checksums cover, and computes the checksums anew. A
// damaged row ends it: a new checksum would hide the damage.
func rewriteChecksums(tables ...checksumRewrite) func(*conn) error {
	return func(c *conn) (err error) {
		if _, err := c.exec("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				_, _ = c.exec("ROLLBACK")
			}
		}()
		for _, table := range tables {
			if err := table.rewrite(c); err != nil {
				return err
			}
		}
		_, err = c.exec("COMMIT")
		return err
	}
}

func (t *checksumRewrite) rewrite(c *conn) error {
	var sums [][2]int64
	if err := c.query(t.read, func(row []driver.Value) error {
		id, crc, err := t.sum(row)
		sums = append(sums, [2]int64{id, crc})
		return err
	}); err != nil {
		return err
	}
	for _, row := range sums {
		if _, err := c.exec(t.write, row[1], row[0]); err != nil {
			return err
		}
	}
	return nil
}
