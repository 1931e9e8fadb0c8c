package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// digest is the first column of every primary key.
type digest [16]byte

// digestOf makes a session's digest: 8 bytes of the SHA-256 of its user and agent, so that the
// sessions of a person lie together, and 8 of that of its whole key. It takes 16 bytes in each row
// and index entry where the key takes up to 600. Readers compare the key all the same.
func digestOf(k memory.Key) (d digest) {
	buf := make([]byte, 0, 3*4+len(k.UserID)+len(k.AgentID)+len(k.SessionID))
	for _, part := range [...]string{k.UserID, k.AgentID} {
		buf = append(binary.BigEndian.AppendUint32(buf, uint32(len(part))), part...)
	}
	person := sha256.Sum256(buf)
	buf = append(binary.BigEndian.AppendUint32(buf, uint32(len(k.SessionID))), k.SessionID...)
	whole := sha256.Sum256(buf)
	copy(d[:8], person[:])
	copy(d[8:], whole[:])
	return d
}

// String is the form of a UUID, which databases print.
func (d digest) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", d[0:4], d[4:6], d[6:8], d[8:10], d[10:])
}

// sums are for reuse: each grows to the size of a row.
var sums = sync.Pool{New: func() any { return &record.Sum{} }}

// crcOf is the checksum of what add adds.
func crcOf(add func(s *record.Sum)) int64 {
	s := sums.Get().(*record.Sum)
	defer sums.Put(s)
	add(s)
	return int64(int32(s.CRC()))
}

// errSum is why most rows are corrupt.
var errSum = errors.New("checksum does not match")

func corrupt(table string, d digest, row any) error {
	return fmt.Errorf("%w: table %s, session %s, row %v: %w", memory.ErrCorrupt, table, d, row, errSum)
}

func unreadable(table string, d digest, row any) error {
	return fmt.Errorf("%w: table %s, session %s, row %v: not JSON", memory.ErrCorrupt, table, d, row)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func moment(v int64) time.Time { return time.UnixMicro(v).UTC() }

// behind is scan for rows whose first column is the digest of their session.
func behind(d *digest, scan func(into ...any) error) func(into ...any) error {
	return func(into ...any) error {
		var first []byte
		err := scan(append([]any{&first}, into...)...)
		copy(d[:], first)
		return err
	}
}

// bytesOf never returns nil, which would be NULL.
func bytesOf[T ~string | ~[]byte](v T) []byte {
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
	digest           digest
	key              memory.Key
	counters         memory.Counters
	created, updated int64
	stated           int64 // the turn whose row has the state; 0: it is in this one
	state            memory.State
	params           []byte // JSON of state.Params
	crc              int64
	expires          int64
}

const sessionColumns = `user_id, agent_id, session_id, version, epoch, next_seq, floor_seq, turns, gone, created_at, updated_at,
	stated, waiting_for_param, last_intent_id, params, last_result, plan_execution, crc`

func (r *sessionRow) sum(s *record.Sum) {
	h, st := r.counters, &r.state
	s.Texts(r.key.UserID, r.key.AgentID, r.key.SessionID).
		Ints(h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, h.Gone, r.created, r.updated, r.stated).
		Texts(st.WaitingForParam, st.LastIntentID, string(r.params), string(st.LastResult), string(st.PlanExecution))
}

func (r *sessionRow) checksum() int64 { return crcOf(r.sum) }

// hidden are the columns that are sealed.
func (r *sessionRow) hidden() []*[]byte {
	return []*[]byte{&r.params, (*[]byte)(&r.state.LastResult), (*[]byte)(&r.state.PlanExecution)}
}

func (r *sessionRow) hide(p place) error { return p.hide("state", r.sum, r.hidden()...) }

// show opens a verified row and decodes its params.
func (r *sessionRow) show(p place) error {
	if !r.begun() {
		return nil
	}
	if err := p.show("state", r.sum, r.hidden()...); err != nil {
		return err
	}
	if r.stated == 0 && json.Unmarshal(r.params, &r.state.Params) != nil {
		return unreadable("sessions", r.digest, r.counters.Version)
	}
	return nil
}

// values are those of sessionColumns.
func (r *sessionRow) values() []any {
	h, st := r.counters, &r.state
	return []any{
		r.key.UserID, r.key.AgentID, r.key.SessionID, h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, h.Gone, r.created, r.updated, r.stated,
		bytesOf(st.WaitingForParam), bytesOf(st.LastIntentID), bytesOf(r.params), bytesOf(st.LastResult), bytesOf(st.PlanExecution), r.checksum(),
	}
}

// scan reads sessionColumns, expires_at and more, unverified. Params stay as they are stored.
func (r *sessionRow) scan(scan func(into ...any) error, more ...any) error {
	var waiting, intent, result, plan []byte
	*r = sessionRow{digest: r.digest}
	h := &r.counters
	into := []any{
		&r.key.UserID, &r.key.AgentID, &r.key.SessionID, &h.Version, &h.Epoch, &h.NextSeq, &h.Floor, &h.Turns, &h.Gone,
		&r.created, &r.updated, &r.stated, &waiting, &intent, &r.params, &result, &plan, &r.crc, &r.expires,
	}
	if err := scan(append(into, more...)...); err != nil {
		return err
	}
	r.state = memory.State{
		WaitingForParam: string(waiting), LastIntentID: string(intent), LastResult: raw(result), PlanExecution: raw(plan),
		Params: map[string]any{}, Version: h.Version,
	}
	return nil
}

// begun reports whether the session has a commit; else it has a journal alone: a call was started
// before its first one.
func (r *sessionRow) begun() bool { return r != nil && r.counters.Version > 0 }

// owned reports whether the digest proves the key.
func (r *sessionRow) owned() bool { return digestOf(r.key) == r.digest }

// verify reports what is wrong with the row. One without a commit has no checksum.
func (r *sessionRow) verify() error {
	switch {
	case !r.owned():
		return corrupt("sessions", r.digest, r.counters.Version)
	case r.counters.Version == 0:
		return nil
	case r.checksum() != r.crc:
		return corrupt("sessions", r.digest, r.counters.Version)
	}
	return nil
}

// describe copies the row into a snapshot.
func (r *sessionRow) describe(snap *memory.Snapshot) {
	snap.Counters, snap.State = r.counters, r.state
	snap.CreatedAt, snap.UpdatedAt = moment(r.created), moment(r.updated)
	if r.expires != 0 {
		snap.ExpiresAt = moment(r.expires)
	}
}

// The lowest bit of a checksum says whether the row was undone, so that a statement can undo rows that
// it does not read.
const undoneCRC = `crc = crc - 2 * (crc & 1) + 1`

func undone(crc int64, is bool) int64 {
	if is {
		crc ^= 1
	}
	return crc
}

// messageRow is a row of messages.
type messageRow struct {
	memory.Message
	digest            digest
	text, calls, meta []byte // as they are stored
}

func (m *messageRow) sum(s *record.Sum) {
	s.Ints(m.Seq, m.Turn, micros(m.Timestamp), int64(m.Tokens), int64(m.Importance)).
		Texts(string(m.digest[:]), string(m.Role), string(m.text), m.Name, m.ToolCallID, string(m.calls), string(m.meta))
}

func (m *messageRow) checksum() int64 { return undone(crcOf(m.sum), m.Retracted) }

const messageColumns = `seq, turn, created_at, role, content, name, tool_call_id, tool_calls, metadata, tokens, importance, retracted, crc`

const insertMessage = `INSERT INTO messages (session, ` + messageColumns + `) VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`

func putMessage(p place, message *memory.Message, x record.Extras) (*Query, error) {
	m := &messageRow{*message, p.digest, []byte(message.Text), []byte(x.Calls), []byte(x.Metadata)}
	if err := p.hide("message", m.sum, &m.text, &m.calls, &m.meta); err != nil {
		return nil, err
	}
	return &Query{Text: insertMessage, Args: []any{
		p.digest[:], m.Seq, m.Turn, micros(m.Timestamp), string(m.Role), bytesOf(m.text), bytesOf(m.Name), bytesOf(m.ToolCallID),
		bytesOf(m.calls), bytesOf(m.meta), int64(m.Tokens), int64(m.Importance), m.Retracted, m.checksum(),
	}}, nil
}

// scanMessage reads messageColumns. The number is there even if the row is damaged.
func scanMessage(p *place, scan func(into ...any) error) (memory.Message, error) {
	var (
		m          messageRow
		at, crc    int64
		role       string
		name, call []byte
	)
	if err := scan(&m.Seq, &m.Turn, &at, &role, &m.text, &name, &call, &m.calls, &m.meta, &m.Tokens, &m.Importance, &m.Retracted, &crc); err != nil {
		return m.Message, err
	}
	m.digest, m.Timestamp, m.Role, m.Name, m.ToolCallID = p.digest, moment(at), memory.Role(role), string(name), string(call)
	if m.checksum() != crc {
		return m.Message, corrupt("messages", p.digest, m.Seq)
	}
	if err := p.show("message", m.sum, &m.text, &m.calls, &m.meta); err != nil {
		return m.Message, err
	}
	m.Text = string(m.text)
	x := record.Extras{Calls: string(m.calls), Metadata: string(m.meta)}
	if !x.Apply(&m.Message) {
		return m.Message, unreadable("messages", p.digest, m.Seq)
	}
	return m.Message, nil
}

// turnRow is a row of turns: a turn, and how the session stood after it.
type turnRow struct {
	memory.Turn
	digest                 digest
	params                 []byte // JSON of the state's
	response, result, plan []byte // of the turn and of the state, as they are stored
	crc                    int64
}

func newTurnRow(p place, turn memory.Turn, params string) (*turnRow, error) {
	t := &turnRow{Turn: turn, digest: p.digest, params: []byte(params)}
	st := t.after().State
	t.response, t.result, t.plan = record.Pack(turn.Response), record.Pack(st.LastResult), record.Pack(st.PlanExecution)
	return t, p.hide("turn", t.sum, t.hidden()...)
}

// hidden are the columns that are sealed.
func (t *turnRow) hidden() []*[]byte { return []*[]byte{&t.response, &t.params, &t.result, &t.plan} }

// after is how the session stood, all zero where that is not known.
func (t *turnRow) after() memory.TurnSnapshot {
	if t.Snapshot == nil {
		return memory.TurnSnapshot{}
	}
	return *t.Snapshot
}

func (t *turnRow) sum(s *record.Sum) {
	p := t.after()
	h, st := p.Counters, &p.State
	s.Ints(t.Number, micros(t.At), h.Version, h.Epoch, h.NextSeq, h.Floor, h.Gone).
		Texts(string(t.digest[:]), t.RequestID, t.Intent, t.Outcome, string(t.response)).
		Texts(st.WaitingForParam, st.LastIntentID, string(t.params), string(t.result), string(t.plan))
}

func (t *turnRow) checksum() int64 { return undone(crcOf(t.sum), t.Undone) }

const turnColumns = `turn, request_id, created_at, intent, outcome, response, version, epoch, next_seq, floor_seq, gone,
	waiting_for_param, last_intent_id, params, last_result, plan_execution, undone, crc`

var insertTurn = `INSERT INTO turns (session, ` + turnColumns + `) VALUES ($1::uuid, ` + placeholders(2, 19) + `)`

func (t *turnRow) put() *Query {
	p := t.after()
	h, st := p.Counters, &p.State
	return &Query{Text: insertTurn, Args: []any{
		t.digest[:], t.Number, bytesOf(t.RequestID), micros(t.At), bytesOf(t.Intent), bytesOf(t.Outcome), bytesOf(t.response),
		h.Version, h.Epoch, h.NextSeq, h.Floor, h.Gone,
		bytesOf(st.WaitingForParam), bytesOf(st.LastIntentID), bytesOf(t.params), bytesOf(t.result), bytesOf(t.plan),
		t.Undone, t.checksum(),
	}}
}

func scanTurn(p *place, scan func(into ...any) error) (memory.Turn, error) {
	t, err := scanTurnRow(p, scan)
	return t.Turn, err
}

func scanTurnRow(p *place, scan func(into ...any) error) (t turnRow, err error) {
	var (
		at                                      int64
		h                                       memory.Counters
		request, intent, outcome, waiting, last []byte
	)
	if err := scan(&t.Number, &request, &at, &intent, &outcome, &t.response, &h.Version, &h.Epoch, &h.NextSeq, &h.Floor, &h.Gone,
		&waiting, &last, &t.params, &t.result, &t.plan, &t.Undone, &t.crc); err != nil {
		return t, err
	}
	t.digest, t.RequestID, t.At, t.Intent, t.Outcome = p.digest, string(request), moment(at), string(intent), string(outcome)
	if h.Version != 0 {
		h.Turns = t.Number
		t.Snapshot = &memory.TurnSnapshot{Counters: h, State: memory.State{
			WaitingForParam: string(waiting), LastIntentID: string(last), Params: map[string]any{}, Version: h.Version,
		}}
	}
	if t.checksum() != t.crc {
		return t, corrupt("turns", p.digest, t.Number)
	}
	if err := p.show("turn", t.sum, t.hidden()...); err != nil {
		return t, err
	}
	if t.unpack() != nil {
		return t, unreadable("turns", p.digest, t.Number)
	}
	return t, nil
}

// unpack reads the JSON of a row whose checksum is right.
func (t *turnRow) unpack() (err error) {
	if t.Response, err = record.Unpack(t.response); err != nil || t.Snapshot == nil {
		return err
	}
	st := &t.Snapshot.State
	if st.LastResult, err = record.Unpack(t.result); err != nil {
		return err
	}
	if st.PlanExecution, err = record.Unpack(t.plan); err != nil {
		return err
	}
	return json.Unmarshal(t.params, &st.Params)
}

// A journal row has two checksums: of the call, which never changes, and of its outcome. So an outcome is
// written without reading the call.
type stepRow struct {
	memory.Step
	digest digest
}

func (p *stepRow) call(s *record.Sum) {
	s.Ints(p.Turn, micros(p.StartedAt)).Texts(string(p.digest[:]), p.IdempotencyKey, p.Origin, p.Plan, p.Step.Step, p.Tool, string(p.Args))
}

func (p *stepRow) outcome(s *record.Sum) {
	s.Ints(micros(p.EndedAt)).Texts(string(p.digest[:]), p.IdempotencyKey, string(p.Status), string(p.Result), p.ErrorCode)
}

const stepColumns = `idempotency_key, origin, turn, plan, step, tool, args, status, attempts, result, error_code, started_at, ended_at, crc, outcome_crc`

const (
	insertStep = `INSERT INTO plan_steps (session, ` + stepColumns + `, place)
		VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
			(SELECT coalesce(max(place), 0) + 1 FROM plan_steps WHERE session = $1::uuid))`
	// The call itself stays as it was written before it was made (memory.Step.WithOutcome).
	finishStep = insertStep + ` ON CONFLICT (session, idempotency_key) DO UPDATE SET status = excluded.status, result = excluded.result,
		attempts = CASE WHEN excluded.attempts > plan_steps.attempts THEN excluded.attempts ELSE plan_steps.attempts END,
		error_code = excluded.error_code, ended_at = excluded.ended_at, outcome_crc = excluded.outcome_crc`
)

func putStep(text string, at place, step *memory.Step) (*Query, error) {
	p := &stepRow{*step, at.digest}
	err := at.hide("call", p.call, (*[]byte)(&p.Args))
	if err == nil {
		err = at.hide("outcome", p.outcome, (*[]byte)(&p.Result))
	}
	return &Query{Text: text, Args: []any{
		at.digest[:], bytesOf(p.IdempotencyKey), bytesOf(p.Origin), p.Turn, bytesOf(p.Plan), bytesOf(p.Step.Step), bytesOf(p.Tool), bytesOf(p.Args),
		string(p.Status), int64(p.Attempts), bytesOf(p.Result), bytesOf(p.ErrorCode), micros(p.StartedAt), micros(p.EndedAt),
		crcOf(p.call), crcOf(p.outcome),
	}}, err
}

func scanStep(at *place, scan func(into ...any) error) (memory.Step, error) {
	var (
		p                                                  stepRow
		key, origin, plan, step, tool, args, result, ecode []byte
		status                                             string
		started, ended, crc, outcome                       int64
	)
	if err := scan(&key, &origin, &p.Turn, &plan, &step, &tool, &args, &status, &p.Attempts, &result, &ecode, &started, &ended, &crc, &outcome); err != nil {
		return p.Step, err
	}
	p.digest, p.IdempotencyKey, p.Origin, p.Plan, p.Step.Step, p.Tool = at.digest, string(key), string(origin), string(plan), string(step), string(tool)
	p.Args, p.Result, p.Status, p.ErrorCode = raw(args), raw(result), memory.StepStatus(status), string(ecode)
	p.StartedAt, p.EndedAt = moment(started), moment(ended)
	if crcOf(p.call) != crc || crcOf(p.outcome) != outcome {
		return p.Step, corrupt("plan_steps", at.digest, p.Turn)
	}
	err := at.show("call", p.call, (*[]byte)(&p.Args))
	if err == nil {
		err = at.show("outcome", p.outcome, (*[]byte)(&p.Result))
	}
	return p.Step, err
}

// aboutRow is the description of a session as it is stored.
type aboutRow struct {
	key                           memory.Key
	title, tags, prompt, metadata []byte
	expires, crc                  int64
}

const aboutColumns = `title, tags, system_prompt, metadata, expires_at, about_crc`

func aboutRowOf(p place, key memory.Key, a memory.About) (r aboutRow, err error) {
	r = aboutRow{key: key, title: bytesOf(a.Title), tags: []byte{}, prompt: bytesOf(a.SystemPrompt), metadata: bytesOf(a.Metadata)}
	for i, tag := range a.Tags {
		line, err := tagLine(tag)
		if err != nil {
			return r, err
		}
		r.tags = append(r.tags, line[min(i, 1):]...)
	}
	if !a.ExpiresAt.IsZero() {
		r.expires = micros(a.ExpiresAt)
	}
	if r.hides() {
		err = p.hide("about", r.sum, &r.prompt, &r.metadata)
	}
	r.prompt, r.metadata, r.crc = bytesOf(r.prompt), bytesOf(r.metadata), crcOf(r.sum)
	return r, err
}

// tagLine is a tag as it is stored, and found: JSON has no line feed within a text.
func tagLine(tag string) (string, error) {
	text, err := record.JSON(tag)
	return "\n" + text + "\n", err
}

func (r *aboutRow) sum(s *record.Sum) {
	s.Texts(r.key.UserID, r.key.AgentID, r.key.SessionID, string(r.title), string(r.tags), string(r.prompt), string(r.metadata)).Ints(r.expires)
}

// hides reports whether there is more than stores find sessions by.
func (r *aboutRow) hides() bool { return len(r.prompt)+len(r.metadata) > 0 }

// words are the text that memory.Query.Text searches.
func words(key memory.Key, a memory.About) []byte {
	return bytesOf(strings.ToLower(strings.Join(append([]string{a.Title, key.SessionID}, a.Tags...), "\n")))
}

func (r *aboutRow) into() []any {
	return []any{&r.title, &r.tags, &r.prompt, &r.metadata, &r.expires, &r.crc}
}

func (r *aboutRow) about(p place) (a memory.About, err error) {
	if crcOf(r.sum) != r.crc {
		return a, corrupt("sessions", p.digest, "of its description")
	}
	if r.hides() {
		err = p.show("about", r.sum, &r.prompt, &r.metadata)
	}
	if err != nil {
		return a, err
	}
	a = memory.About{Title: string(r.title), SystemPrompt: string(r.prompt), Metadata: raw(r.metadata)}
	if r.expires != 0 {
		a.ExpiresAt = moment(r.expires)
	}
	for line := range strings.FieldsFuncSeq(string(r.tags), func(c rune) bool { return c == '\n' }) {
		var tag string
		if json.Unmarshal([]byte(line), &tag) != nil {
			return a, unreadable("sessions", p.digest, "of its description")
		}
		a.Tags = append(a.Tags, tag)
	}
	return a, nil
}
