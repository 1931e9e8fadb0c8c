package sqlite

import (
	"context"
	"database/sql/driver"

	"github.com/slotway/slotway/memory"
)

// Messages implements memory.Store.
func (s *Store) Messages(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	var list []memory.Message
	err := s.readers.with(ctx, func(c *conn) error {
		return c.read(func() error {
			e, err := readState(c, key)
			if err != nil {
				return err
			}
			if e == nil || e.head.Version == 0 {
				return memory.ErrNotFound
			}
			from := max(page.After+1, 1)
			if !page.Inactive {
				from = max(from, e.head.Floor)
			}
			until := min(e.head.NextSeq, from+int64(page.Size()))
			list, err = readMessages(c, e.id, from, until)
			return err
		})
	})
	return list, explain(err)
}

const selectInfo = `SELECT s.user_id, s.agent_id, s.session_id, st.turns, st.next_seq - st.floor_seq,
	st.waiting_for_param, st.version, st.created_at, st.updated_at `

// listings are the ways to list sessions. There is no index by time: every turn would
// have to pay for it. Listing a user reads that user's sessions; listing all reads the
// table of states once.
var listings = map[[2]bool]string{
	{false, false}: selectInfo + `FROM state st JOIN sessions s ON s.id = st.session WHERE ?1 = '' AND ?2 = ''` + listOrder,
	{false, true}:  selectInfo + `FROM state st JOIN sessions s ON s.id = st.session WHERE ?1 = '' AND s.agent_id = ?2` + listOrder,
	{true, false}:  selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.user_id = ?1 AND ?2 = ''` + listOrder,
	{true, true}:   selectInfo + `FROM sessions s JOIN state st ON st.session = s.id WHERE s.user_id = ?1 AND s.agent_id = ?2` + listOrder,
}

const listOrder = ` ORDER BY st.updated_at DESC, s.user_id, s.agent_id, s.session_id LIMIT ?3 OFFSET ?4`

// Sessions implements memory.Store.
func (s *Store) Sessions(ctx context.Context, q memory.Query) ([]memory.Info, error) {
	var list []memory.Info
	err := s.readers.with(ctx, func(c *conn) error {
		return c.query(listings[[2]bool{q.UserID != "", q.AgentID != ""}], func(row []driver.Value) error {
			list = append(list, memory.Info{
				Key:   memory.Key{UserID: asText(row[0]), AgentID: asText(row[1]), SessionID: asText(row[2])},
				Turns: asInt(row[3]), History: asInt(row[4]), Waiting: asText(row[5]), Version: asInt(row[6]),
				CreatedAt: moment(row[7]), UpdatedAt: moment(row[8]),
			})
			return nil
		}, q.UserID, q.AgentID, int64(q.Size()), int64(max(q.Offset, 0)))
	})
	return list, explain(err)
}
