package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

func flag(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

const (
	retractMessage = `UPDATE messages SET retracted = 1, crc = ? WHERE id = ?`
	selectNumber   = `SELECT ` + turnColumns + ` FROM turns WHERE session = ? AND turn = ?`
	undoTurn       = `UPDATE turns SET undone = 1, crc = ? WHERE id = ?`
	countGone      = `SELECT count(*) FROM messages WHERE id >= ? AND id < ? AND retracted = 1`
)

// undo marks a turn as undone and its messages as retracted.
func (w *writer) undo(session int64, u *memory.Undo) error {
	list, err := readMessages(w.conn, session, u.From, u.Until, false)
	if err != nil {
		return err
	}
	for i := range list {
		m := &list[i]
		m.Retracted = true
		x, err := record.ExtrasOf(m)
		if err != nil {
			return err
		}
		id := messageID(session, m.Seq)
		if _, err := w.exec(retractMessage, messageSum(&w.sum, id, m, x), id); err != nil {
			return err
		}
	}
	var id, crc int64
	if err := w.conn.query(selectNumber, func(row []driver.Value) error {
		t, err := scanTurn(row)
		if err != nil {
			return err
		}
		t.Undone = true
		id, crc = asInt(row[0]), turnSum(&record.Sum{}, session, &t, asText(row[9]))
		return nil
	}, session, u.Turn); err != nil {
		return err
	}
	if id == 0 {
		return fmt.Errorf("%w: there is no turn %d", memory.ErrBadDelta, u.Turn)
	}
	_, err = w.exec(undoTurn, crc, id)
	return err
}

// gone counts the retracted messages from the floor on.
func (w *writer) gone(session int64, h memory.Counters) (n int64, err error) {
	err = w.conn.query(countGone, func(row []driver.Value) error {
		n = asInt(row[0])
		return nil
	}, messageID(session, h.Floor), messageID(session, h.NextSeq))
	return n, err
}

// Describe implements memory.Admin.
func (s *Store) Describe(ctx context.Context, key memory.Key, about memory.About) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if err := about.WellFormed(); err != nil {
		return err
	}
	about = about.Clone()
	return s.writer.do(ctx, func(w *writer) error {
		f, err := w.find(key)
		if err != nil {
			return err
		}
		if f.counters.Version == 0 {
			return memory.ErrNotFound
		}
		if _, err := verifiedID(w.conn, key); err != nil { // a new checksum would prove the key
			return notOwned(err)
		}
		return w.describe(f.id, key, about)
	})
}

func (w *writer) describe(session int64, key memory.Key, about memory.About) error {
	row := aboutRow{title: about.Title, prompt: about.SystemPrompt, metadata: string(about.Metadata)}
	if len(about.Tags) > 0 {
		var err error
		if row.tags, err = record.JSON(about.Tags); err != nil { // unreachable: strings always encode
			return err
		}
	}
	if !about.ExpiresAt.IsZero() {
		row.expires = micros(about.ExpiresAt)
	}
	w.changed[key] = nil
	_, err := w.exec(`UPDATE sessions SET title = ?, tags = ?, system_prompt = ?, metadata = ?, expires_at = ?, crc = ? WHERE id = ?`,
		row.title, row.tags, row.prompt, row.metadata, row.expires, row.sum(&w.sum, key), session)
	return err
}

// about reads the description of a session from aboutColumns.
func about(key memory.Key, row []driver.Value) (memory.About, error) {
	r := scanAbout(row)
	a := memory.About{Title: r.title, SystemPrompt: r.prompt, Metadata: record.Raw(r.metadata)}
	if r.sum(&record.Sum{}, key) != asInt(row[2]) {
		return a, fmt.Errorf("%w: table sessions, session %q: %w", memory.ErrCorrupt, key.SessionID, errSum)
	}
	if r.expires != 0 {
		a.ExpiresAt = moment(r.expires)
	}
	if r.tags != "" && json.Unmarshal([]byte(r.tags), &a.Tags) != nil {
		return a, fmt.Errorf("%w: tags of a session are not JSON", memory.ErrCorrupt)
	}
	return a, nil
}
