package sqlstore

import (
	"cmp"
	"context"
	"errors"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// The program's own rows belong to no session: they have no digest, and are sealed for no user.

func (s *Store) ownPlace() place { return place{box: s.keys.Box("$slotway")} }

// metaRow is a value by its name. An empty one is not sealed.
type metaRow struct {
	name  string
	value []byte
}

func (m *metaRow) sum(s *record.Sum) { s.Texts(m.name, string(m.value)) }

const (
	insertMeta = `INSERT INTO meta (name, value, crc) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`
	selectMeta = `SELECT name, value, crc FROM meta WHERE substr(name, 1, $1::integer) = $2 ORDER BY name`
)

// scanMeta reads and verifies a row of meta.
func scanMeta(p place, scan func(into ...any) error) (m metaRow, err error) {
	var crc int64
	if err := scan(&m.name, &m.value, &crc); err != nil {
		return m, err
	}
	if crcOf(m.sum) != crc {
		return m, corrupt("meta", p.digest, m.name)
	}
	if len(m.value) > 0 {
		err = p.show("meta", m.sum, &m.value)
	}
	return m, err
}

// Meta implements memory.Own.
func (s *Store) Meta(ctx context.Context, prefix string) (map[string][]byte, error) {
	values := map[string][]byte{}
	var damage error
	err := s.db.Read(ctx, &Query{Text: selectMeta, Args: []any{int64(len(prefix)), prefix}, Row: func(scan func(into ...any) error) error {
		m, err := scanMeta(s.ownPlace(), scan)
		if errors.Is(err, memory.ErrCorrupt) { // another key may open it
			damage = err
			return nil
		}
		values[m.name] = m.value
		return err
	}})
	return values, cmp.Or(err, damage)
}

// AddMeta implements memory.Own.
func (s *Store) AddMeta(ctx context.Context, name string, value []byte) error {
	m, p := &metaRow{name, bytesOf(value)}, s.ownPlace()
	if len(value) > 0 {
		if err := p.hide("meta", m.sum, &m.value); err != nil {
			return err
		}
	}
	return s.db.Write(ctx, &Query{Text: insertMeta, Args: []any{name, m.value, crcOf(m.sum)}})
}

// inboxRow is a message that is not handled yet.
type inboxRow struct{ memory.Received }

func (m *inboxRow) sum(s *record.Sum) {
	s.Ints(micros(m.At)).Texts(m.Agent, m.Conversation, m.ID, string(m.Data))
}

const (
	inboxColumns  = `conversation, id, agent_id, received_at, data, crc`
	insertInbox   = `INSERT INTO inbox (` + inboxColumns + `) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (conversation, id) DO NOTHING`
	selectInbox   = `SELECT ` + inboxColumns + ` FROM inbox WHERE agent_id = $1`
	deleteHandled = `DELETE FROM inbox WHERE conversation = $1 AND id = $2 AND agent_id = $3`
)

func scanInbox(p place, scan func(into ...any) error) (m inboxRow, err error) {
	var at, crc int64
	if err := scan(&m.Conversation, &m.ID, &m.Agent, &at, &m.Data, &crc); err != nil {
		return m, err
	}
	m.At = moment(at)
	if crcOf(m.sum) != crc {
		return m, corrupt("inbox", p.digest, at)
	}
	return m, p.show("inbox", m.sum, &m.Data)
}

// Receive implements memory.Own.
func (s *Store) Receive(ctx context.Context, received *memory.Received) error {
	m := &inboxRow{*received}
	m.At, m.Data = memory.Moment(m.At), bytesOf(m.Data)
	p := s.ownPlace()
	if err := p.hide("inbox", m.sum, &m.Data); err != nil {
		return err
	}
	return s.db.Write(ctx, &Query{Text: insertInbox, Args: []any{m.Conversation, m.ID, m.Agent, micros(m.At), m.Data, crcOf(m.sum)}})
}

// Inbox implements memory.Own.
func (s *Store) Inbox(ctx context.Context, agent, conversation string) (list []memory.Received, err error) {
	f := &filter{args: []any{agent}}
	f.equal("conversation", conversation)
	var damage error
	err = s.db.Read(ctx, &Query{Text: selectInbox + f.text.String() + ` ORDER BY conversation, id`, Args: f.args, Row: func(scan func(into ...any) error) error {
		m, err := scanInbox(s.ownPlace(), scan)
		if errors.Is(err, memory.ErrCorrupt) { // another key may open it
			damage = err
			return nil
		}
		list = append(list, m.Received)
		return err
	}})
	return list, cmp.Or(err, damage)
}

// Handled implements memory.Own.
func (s *Store) Handled(ctx context.Context, m *memory.Received) error {
	return s.db.Write(ctx, &Query{Text: deleteHandled, Args: []any{m.Conversation, m.ID, m.Agent}, Erases: true})
}
