package postgres

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// digest is the first column of every primary key.
type digest [16]byte

// digestOf makes a session's digest: the first 16 bytes of the SHA-256 of the parts of its key,
// each behind its length, as a UUID of version 8 (RFC 9562, 5.8 and B.2). It takes 16 bytes in
// each row and index entry where the parts take up to 600, spreads sessions evenly over shards
// whatever their names, and cannot be chosen: two keys with one digest take some 2^61 tries.
// Readers compare the key all the same.
func digestOf(k memory.Key) digest {
	buf := make([]byte, 0, 3*4+len(k.UserID)+len(k.AgentID)+len(k.SessionID))
	for _, part := range [...]string{k.UserID, k.AgentID, k.SessionID} {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(part)))
		buf = append(buf, part...)
	}
	sum := sha256.Sum256(buf)
	d := digest(sum[:16])
	d[6] = d[6]&0x0f | 0x80
	d[8] = d[8]&0x3f | 0x80
	return d
}

// String is the form that PostgreSQL prints.
func (d digest) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", d[0:4], d[4:6], d[6:8], d[8:10], d[10:])
}

// text is the digest as checksums cover it.
func (d digest) text() string { return string(d[:]) }

// sums are for reuse: each grows to the size of a row.
var sums = sync.Pool{New: func() any { return &record.Sum{} }}

var errSum = errors.New("checksum does not match")

func corrupt(table string, d digest, number int64) error {
	return fmt.Errorf("%w: table %s, session %s, row %d: %w", memory.ErrCorrupt, table, d, number, errSum)
}

func unreadable(table string, d digest, number int64) error {
	return fmt.Errorf("%w: table %s, session %s, row %d: not JSON", memory.ErrCorrupt, table, d, number)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func moment(v int64) time.Time { return time.UnixMicro(v).UTC() }

// bytesOf never returns nil, which would be NULL.
func bytesOf[T string | json.RawMessage | []byte](v T) []byte {
	if len(v) == 0 {
		return []byte{}
	}
	return []byte(v)
}

func raw(v []byte) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	return v
}

// sessionRow is a row of sessions.
type sessionRow struct {
	key              memory.Key
	counters         memory.Counters
	created, updated int64
	expires          int64 // as in aboutRow
	state            memory.State
	params           string // JSON of state.Params
	crc              int32
}

const sessionColumns = `user_id, agent_id, session_id, version, epoch, next_seq, floor_seq, turns, gone, created_at, updated_at,
	waiting_for_param, last_intent_id, params, last_result, plan_execution, crc`

func (r *sessionRow) checksum(s *record.Sum) int32 {
	h, st := r.counters, &r.state
	return int32(s.Texts(r.key.UserID, r.key.AgentID, r.key.SessionID).
		Ints(h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, h.Gone, r.created, r.updated).
		Texts(st.WaitingForParam, st.LastIntentID, r.params, string(st.LastResult), string(st.PlanExecution)).CRC())
}

// scanSession reads a row of selectSession.
func scanSession(key memory.Key, row pgx.Row) (*sessionRow, error) {
	r, err := scanRow(row)
	if err != nil {
		return nil, err
	}
	if r.key != key || !r.sound() {
		return nil, corrupt("sessions", digestOf(key), r.counters.Version)
	}
	if r.counters.Version > 0 && json.Unmarshal([]byte(r.params), &r.state.Params) != nil {
		return nil, unreadable("sessions", digestOf(key), r.counters.Version)
	}
	return r, nil
}

// sound compares the checksum; a row of a session that has only a journal has none.
func (r *sessionRow) sound() bool {
	if r.counters.Version == 0 {
		return true
	}
	sum := sums.Get().(*record.Sum)
	defer sums.Put(sum)
	return r.checksum(sum) == r.crc
}

// scanRow reads sessionColumns, expires_at and more, unverified. Params stay as they are stored.
func scanRow(row pgx.Row, more ...any) (*sessionRow, error) {
	var (
		r                                     sessionRow
		waiting, intent, params, result, plan []byte
	)
	h := &r.counters
	into := []any{
		&r.key.UserID, &r.key.AgentID, &r.key.SessionID, &h.Version, &h.Epoch, &h.NextSeq, &h.Floor, &h.Turns, &h.Gone,
		&r.created, &r.updated, &waiting, &intent, &params, &result, &plan, &r.crc, &r.expires,
	}
	if err := row.Scan(append(into, more...)...); err != nil {
		return nil, err
	}
	r.params = string(params)
	r.state = memory.State{
		WaitingForParam: string(waiting), LastIntentID: string(intent), LastResult: raw(result), PlanExecution: raw(plan),
		Params: map[string]any{}, Version: h.Version,
	}
	return &r, nil
}

// describe copies the row into a snapshot.
func (r *sessionRow) describe(snap *memory.Snapshot) {
	snap.Counters, snap.State = r.counters, r.state
	snap.CreatedAt, snap.UpdatedAt = moment(r.created), moment(r.updated)
	if r.expires != 0 {
		snap.ExpiresAt = moment(r.expires)
	}
}

// undoneSum flips a bit of the checksum of a row that was undone; the statements that undo
// (undo.go) do the same.
func undoneSum(crc int64, is bool) int32 {
	if is {
		crc ^= 1
	}
	return int32(crc)
}

func messageSum(s *record.Sum, d digest, m *memory.Message, x record.Extras) int32 {
	return undoneSum(s.Ints(m.Seq, m.Turn, micros(m.Timestamp), int64(m.Tokens), int64(m.Importance)).
		Texts(d.text(), string(m.Role), m.Text, m.Name, m.ToolCallID, x.Calls, x.Metadata).CRC(), m.Retracted)
}

const messageColumns = `seq, turn, created_at, role, content, name, tool_call_id, tool_calls, metadata, tokens, importance, retracted, crc`

// messageScanner reads messages of one session. It keeps what the driver writes to, or each row would have
// all that anew.
type messageScanner struct {
	digest   digest
	sum      record.Sum
	m        memory.Message
	at       int64
	role     string
	crc      int32
	text     pgtype.DriverBytes // the driver's, until the next row
	name     pgtype.DriverBytes
	call     pgtype.DriverBytes
	calls    pgtype.DriverBytes
	metadata pgtype.DriverBytes
	into     []any
}

func newMessageScanner(d digest) *messageScanner {
	s := &messageScanner{digest: d}
	m := &s.m
	s.into = []any{
		&m.Seq, &m.Turn, &s.at, &s.role, &s.text, &s.name, &s.call, &s.calls, &s.metadata, &m.Tokens, &m.Importance, &m.Retracted, &s.crc,
	}
	return s
}

// scan reads messageColumns. The row must be one of several: the driver takes that of QueryRow back.
func (s *messageScanner) scan(row pgx.Row) (memory.Message, error) {
	s.m = memory.Message{}
	if err := row.Scan(s.into...); err != nil {
		return s.m, err
	}
	m := s.m
	m.Timestamp, m.Role = moment(s.at), memory.Role(s.role)
	m.Text, m.Name, m.ToolCallID = string(s.text), string(s.name), string(s.call)
	x := record.Extras{Calls: string(s.calls), Metadata: string(s.metadata)}
	if messageSum(&s.sum, s.digest, &m, x) != s.crc {
		return m, corrupt("messages", s.digest, m.Seq)
	}
	if !x.Apply(&m) {
		return m, unreadable("messages", s.digest, m.Seq)
	}
	return m, nil
}

func turnSum(s *record.Sum, d digest, t *memory.Turn, past string) int32 {
	return undoneSum(s.Ints(t.Number, micros(t.At)).
		Texts(d.text(), t.RequestID, t.Intent, t.Outcome, string(t.Response), past).CRC(), t.Undone)
}

const turnColumns = `turn, request_id, created_at, intent, outcome, response, past, undone, crc`

func scanTurn(d digest, row pgx.Row) (memory.Turn, error) {
	var (
		t                                        memory.Turn
		at                                       int64
		request, intent, outcome, response, past []byte
		crc                                      int32
	)
	if err := row.Scan(&t.Number, &request, &at, &intent, &outcome, &response, &past, &t.Undone, &crc); err != nil {
		return t, err
	}
	t.RequestID, t.At, t.Intent, t.Outcome, t.Response = string(request), moment(at), string(intent), string(outcome), raw(response)
	if turnSum(&record.Sum{}, d, &t, string(past)) != crc {
		return t, corrupt("turns", d, t.Number)
	}
	var err error
	if t.Snapshot, err = record.ParseSnapshot(string(past)); err != nil {
		return t, unreadable("turns", d, t.Number)
	}
	return t, nil
}

func stepSum(s *record.Sum, d digest, p *memory.Step) int32 {
	return int32(s.Ints(p.Turn, int64(p.Attempts), micros(p.StartedAt), micros(p.EndedAt)).
		Texts(d.text(), p.IdempotencyKey, p.Origin, p.Plan, p.Step, p.Tool, string(p.Args), string(p.Status), string(p.Result), p.ErrorCode).CRC())
}

const stepColumns = `idempotency_key, turn, plan, step, tool, args, status, attempts, result, error_code, started_at, ended_at, crc, place, origin`

func scanStep(d digest, row pgx.Row) (memory.Step, error) {
	var (
		p                                                  memory.Step
		key, plan, step, tool, args, result, ecode, origin []byte
		status                                             string
		started, ended, place                              int64
		crc                                                int32
	)
	if err := row.Scan(&key, &p.Turn, &plan, &step, &tool, &args, &status, &p.Attempts, &result, &ecode, &started, &ended, &crc, &place, &origin); err != nil {
		return p, err
	}
	p.IdempotencyKey, p.Plan, p.Step, p.Tool = string(key), string(plan), string(step), string(tool)
	p.Args, p.Result, p.Status, p.ErrorCode = raw(args), raw(result), memory.StepStatus(status), string(ecode)
	p.StartedAt, p.EndedAt, p.Origin = moment(started), moment(ended), string(origin)
	if stepSum(&record.Sum{}, d, &p) != crc {
		return p, corrupt("plan_steps", d, place)
	}
	return p, nil
}
