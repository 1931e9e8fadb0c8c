package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Messages implements memory.Reader.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	return paged(ctx, s, key, page, readPage)
}

// paged reads a page of a session's rows, at one moment.
func paged[T any](
	ctx context.Context, s *Store, key memory.Key, page memory.Page, read func(*conn, *entry, memory.Page) ([]T, error),
) (list []T, err error) {
	err = s.at(ctx, key, func(c *conn, e *entry) (err error) {
		if e == nil || e.counters.Version == 0 {
			return memory.ErrNotFound
		}
		list, err = read(c, e, page)
		return err
	})
	return list, err
}

// at reads from a session at one moment; its entry is nil when there is none.
func (s *Store) at(ctx context.Context, key memory.Key, read func(*conn, *entry) error) error {
	if err := key.Validate(); err != nil {
		return err
	}
	return explain(s.readers.with(ctx, func(c *conn) error {
		return c.read(func() error {
			e, err := readState(c, key)
			if err != nil {
				return err
			}
			return read(c, e)
		})
	}))
}

// readPage reads in steps until the page is full: some messages may be retracted.
func readPage(c *conn, e *entry, page memory.Page) ([]memory.Message, error) {
	size := int64(page.Size())
	first := max(page.After+1, 1)
	if !page.Inactive {
		first = max(first, e.counters.Floor)
	}
	if page.Last {
		before := e.counters.NextSeq - size
		if !page.Inactive {
			before -= e.counters.Gone
		}
		first = max(first, before)
	}
	var out []memory.Message
	for first < e.counters.NextSeq && (page.Last || int64(len(out)) < size) {
		until := min(e.counters.NextSeq, first+size)
		list, err := readMessages(c, e.id, first, until, page.Salvage)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if page.Inactive || !m.Retracted || page.Salvage && m.Damaged() {
				out = append(out, m)
			}
		}
		first = until
	}
	if extra := int64(len(out)) - size; extra > 0 && page.Last {
		out = out[extra:]
	}
	return out[:min(int64(len(out)), size)], nil
}

const selectInfo = `SELECT s.user_id, s.agent_id, s.session_id, st.turns, st.next_seq - st.floor_seq - st.gone,
	st.waiting_for_param, st.version, st.created_at, st.updated_at, s.title, s.tags, s.crc, s.system_prompt, s.metadata, s.expires_at `

// listings list sessions. There is no index by time: every turn would pay for it. Listing a user
// reads that user's sessions; listing all reads the table of states once.
var listings = map[[2]bool]string{
	{false, false}: selectInfo + `FROM state st JOIN sessions s ON s.id = st.session WHERE ?1 = '' AND ?2 = ''` + listAbout + listOrder,
	{false, true}:  selectInfo + `FROM state st JOIN sessions s ON s.id = st.session WHERE ?1 = '' AND s.agent_id = ?2` + listAbout + listOrder,
	{true, false}:  selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.user_id = ?1 AND ?2 = ''` + listAbout + listOrder,
	{true, true}:   selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.user_id = ?1 AND s.agent_id = ?2` + listAbout + listOrder,
}

// listOne lists one session: its cost must not grow with the sessions of the user.
const listOne = selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.user_id = ?1 AND s.agent_id = ?2 AND s.session_id = ?7` + listAbout + listOrder

func listingOf(q memory.Query) string {
	if q.UserID != "" && q.AgentID != "" && q.SessionID != "" {
		return listOne
	}
	return listings[[2]bool{q.UserID != "", q.AgentID != ""}]
}

// listExpired uses an index of the few sessions that expire.
const listExpired = selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.expires_at > 0 AND s.expires_at <= ?8
	AND (?1 = '' OR s.user_id = ?1) AND (?2 = '' OR s.agent_id = ?2)` + listAbout + listOrder

const listAbout = ` AND (?7 = '' OR s.session_id = ?7) AND (?5 = '' OR EXISTS (SELECT 1 FROM json_each(iif(s.tags = '', '[]', s.tags)) WHERE value = ?5))
	AND (?6 = '' OR instr(lower(s.title || char(10) || s.session_id || char(10) || s.tags), ?6) > 0)`

// SQLite compiles a statement anew each time it runs with a parameter alone as LIMIT: the planner
// looks at its value (sqlite3ExprIsInteger).
const listOrder = ` ORDER BY st.updated_at DESC, s.user_id, s.agent_id, s.session_id LIMIT 0 + ?3 OFFSET 0 + ?4`

// Sessions implements memory.Reader.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	var list []memory.Info
	text, args := listingOf(q), []driver.Value{q.UserID, q.AgentID, int64(q.Size()), int64(max(q.Offset, 0)), q.Tag, strings.ToLower(q.Text), q.SessionID}
	if !q.Expired.IsZero() {
		text, args = listExpired, append(args, micros(q.Expired))
	}
	err := s.readers.with(ctx, func(c *conn) error {
		err := c.query(text, func(row []driver.Value) error {
			info := memory.Info{
				Key:   scanKey(row),
				Turns: asInt(row[3]), History: asInt(row[4]), Waiting: asText(row[5]), Version: asInt(row[6]),
				CreatedAt: moment(row[7]), UpdatedAt: moment(row[8]),
			}
			var err error
			if info.About, err = about(info.Key, row[9:]); errors.Is(err, memory.ErrCorrupt) { // the others are listed
				info.About, info.Damaged, err = memory.About{}, true, nil
			}
			list = append(list, info)
			return err
		}, args...)
		if err != nil || q.UserID == "" {
			return err
		}
		list, err = onlyOwned(c, list)
		return err
	})
	return list, explain(err)
}

// Steps implements memory.Reader.
func (s *Store) Steps(ctx context.Context, key memory.Key) ([]memory.Step, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	var list []memory.Step
	err := s.readers.with(ctx, func(c *conn) error {
		return c.read(func() error {
			id, err := verifiedID(c, key)
			if err != nil || id == 0 {
				return err
			}
			list, err = readSteps(c, selectSteps, id)
			return err
		})
	})
	return list, explain(err)
}
