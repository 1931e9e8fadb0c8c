package sqlstore

import (
	"errors"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
)

// Table says how all rows of a table are read back and verified.
type Table struct {
	Name   string
	Text   string // reads the rows, in the order of the table itself
	Verify func(scan func(into ...any) error) (Row, error)
}

// Row names a row: the digest of its session, and its number within it.
type Row struct {
	Session []byte
	Number  int64
}

// Why describes in a few words what is wrong with a row; the rest says where.
func Why(err error) string {
	if errors.Is(err, errSum) {
		return "checksum does not match"
	}
	return "not JSON"
}

// Tables are all that hold anything of a session or of the program. memory.ErrCorrupt: a row is damaged.
var Tables = []Table{
	{"sessions", `SELECT session::uuid, ` + sessionColumns + `, expires_at, title, tags, system_prompt, metadata, about_crc FROM sessions ORDER BY session`, verifySession},
	{"messages", `SELECT session::uuid, ` + messageColumns + ` FROM messages ORDER BY session, seq`, verifyRow(scanMessage, func(m *memory.Message) int64 { return m.Seq })},
	{"turns", `SELECT session::uuid, ` + turnColumns + ` FROM turns ORDER BY session, turn`, verifyRow(scanTurn, func(t *memory.Turn) int64 { return t.Number })},
	{"plan_steps", `SELECT session::uuid, ` + stepColumns + ` FROM plan_steps ORDER BY session, idempotency_key`, verifyRow(scanStep, func(p *memory.Step) int64 { return p.Turn })},
	{"views", `SELECT session::uuid, tier, id, epoch, up_to, at, data, crc FROM views ORDER BY session, tier, id`, verifyView},
	{"jobs", `SELECT session::uuid FROM jobs ORDER BY session, kind`, func(scan func(into ...any) error) (Row, error) {
		var d digest
		err := behind(&d, scan)()
		return Row{Session: d[:]}, err
	}},
	{"meta", `SELECT name, value, crc FROM meta ORDER BY name`, verifyOwn(scanMeta)},
	{"inbox", `SELECT ` + inboxColumns + ` FROM inbox ORDER BY conversation, id`, verifyOwn(scanInbox)},
}

func verifyOwn[T any](read func(place, func(into ...any) error) (T, error)) func(scan func(into ...any) error) (Row, error) {
	return func(scan func(into ...any) error) (Row, error) {
		_, err := read(place{}, scan)
		return Row{}, unsealed(err)
	}
}

// unsealed takes a seal for sound: it is verified without a key.
func unsealed(err error) error {
	if errors.Is(err, seal.ErrNoKey) {
		return nil
	}
	return err
}

func verifyRow[T any](read func(*place, func(into ...any) error) (T, error), number func(*T) int64) func(scan func(into ...any) error) (Row, error) {
	return func(scan func(into ...any) error) (Row, error) {
		var p place
		v, err := read(&p, behind(&p.digest, scan))
		return Row{p.digest[:], number(&v)}, unsealed(err)
	}
}

func verifySession(scan func(into ...any) error) (Row, error) {
	var r sessionRow
	var p place
	var a aboutRow
	if err := r.scan(behind(&p.digest, scan), &a.title, &a.tags, &a.prompt, &a.metadata, &a.crc); err != nil {
		return Row{Session: p.digest[:]}, err
	}
	r.digest, a.key, a.expires = p.digest, r.key, r.expires
	err := unsealed(r.check(p, r.key))
	if err == nil {
		_, err = a.about(p)
	}
	return Row{p.digest[:], r.counters.Version}, unsealed(err)
}

func verifyView(scan func(into ...any) error) (Row, error) {
	var d digest
	var v memory.View
	var at, crc int64
	err := behind(&d, scan)(&v.Tier, &v.ID, &v.Epoch, &v.UpTo, &at, &v.Data, &crc)
	v.At = moment(at)
	if err == nil && crcOf(viewSum(d, &v)) != crc {
		err = corrupt("views", d, v.UpTo)
	}
	return Row{d[:], v.UpTo}, err
}
