package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// seqBits is the width of a message's number within its rowid, so that the messages of a
// session lie together in the table's tree and a window is one range.
const (
	seqBits = 24
	maxSeq  = 1<<seqBits - 1
	maxID   = 1<<(63-seqBits) - 1
)

func messageID(session, seq int64) int64 { return session<<seqBits | seq }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum gathers a row's values for its checksum: integers as 8 bytes, texts with their
// length in front. CRC32C is stored as a signed 32-bit number (4 bytes in the file).
type sum struct{ buf []byte }

func (s *sum) ints(list ...int64) *sum {
	for _, v := range list {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(v))
	}
	return s
}

func (s *sum) texts(list ...string) *sum {
	for _, v := range list {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, uint64(len(v)))
		s.buf = append(s.buf, v...)
	}
	return s
}

func (s *sum) crc() int64 {
	c := crc32.Checksum(s.buf, castagnoli)
	s.buf = s.buf[:0]
	return int64(int32(c))
}

// errSum is the reason of most corrupt rows.
var errSum = errors.New("checksum does not match")

func corrupt(table string, id int64) error {
	return fmt.Errorf("%w: table %s, row %d: %w", memory.ErrCorrupt, table, id, errSum)
}

func unreadable(table string, id int64) error {
	return fmt.Errorf("%w: table %s, row %d: not JSON", memory.ErrCorrupt, table, id)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func moment(v driver.Value) time.Time { return time.UnixMicro(asInt(v)).UTC() }

func rawJSON(v driver.Value) json.RawMessage {
	if s := asText(v); s != "" {
		return json.RawMessage(s)
	}
	return nil
}

// jsonText encodes a value. < and & stay as they are: raw JSON inside comes back as it was given.
func jsonText(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// sessionSum covers what a session is called, too. The number is left out: it is given
// after the row is made, and the rows of state and of the journal cover it with the key.
func sessionSum(s *sum, key memory.Key, title, tags string) int64 {
	return s.texts(key.UserID, key.AgentID, key.SessionID, title, tags).crc()
}

// fits compares a checksum with a stored one. NULL is a row of a release that had none.
func fits(sum int64, stored driver.Value) bool { return stored == nil || sum == asInt(stored) }

// stateRow is a row of state together with the key that its checksum covers.
type stateRow struct {
	id               int64
	key              memory.Key
	head             memory.Head
	created, updated int64
	waiting, intent  string
	params           string
	result, plan     string
}

const stateColumns = `st.session, st.version, st.epoch, st.next_seq, st.floor_seq, st.turns,
	st.created_at, st.updated_at, st.waiting_for_param, st.last_intent_id, st.params,
	st.last_result, st.plan_execution, st.crc, st.gone`

func (r *stateRow) checksum(s *sum) int64 {
	h := r.head
	s.texts(r.key.UserID, r.key.AgentID, r.key.SessionID).
		ints(r.id, h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, r.created, r.updated).
		texts(r.waiting, r.intent, r.params, r.result, r.plan)
	if h.Gone != 0 { // rows of releases without undo have none
		s.ints(h.Gone)
	}
	return s.crc()
}

func scanState(key memory.Key, row []driver.Value) (*stateRow, error) {
	r := &stateRow{
		id: asInt(row[0]), key: key,
		head: memory.Head{
			Version: asInt(row[1]), Epoch: asInt(row[2]), NextSeq: asInt(row[3]), Floor: asInt(row[4]), Turns: asInt(row[5]),
			Gone: asInt(row[14]),
		},
		created: asInt(row[6]), updated: asInt(row[7]), waiting: asText(row[8]), intent: asText(row[9]),
		params: asText(row[10]), result: asText(row[11]), plan: asText(row[12]),
	}
	if r.checksum(&sum{}) != asInt(row[13]) {
		return nil, corrupt("state", r.id)
	}
	return r, nil
}

func (r *stateRow) state() (memory.State, error) {
	s := memory.State{
		Params: map[string]any{}, WaitingForParam: r.waiting, LastIntentID: r.intent,
		LastResult: rawJSON(r.result), PlanExecution: rawJSON(r.plan), Version: r.head.Version,
	}
	if err := json.Unmarshal([]byte(r.params), &s.Params); err != nil {
		return s, unreadable("state", r.id)
	}
	return s, nil
}

// messageExtras is what few messages have, as JSON texts or "".
func messageExtras(m *memory.Message) (calls, metadata string, err error) {
	if len(m.ToolCalls) > 0 {
		if calls, err = jsonText(m.ToolCalls); err != nil {
			return "", "", fmt.Errorf("%w: tool calls of message %d are not JSON", memory.ErrBadDelta, m.Seq)
		}
	}
	if len(m.Metadata) > 0 {
		if metadata, err = jsonText(m.Metadata); err != nil { // unreachable: a map of strings always encodes
			return "", "", err
		}
	}
	return calls, metadata, nil
}

func messageSum(s *sum, id int64, m *memory.Message, calls, metadata string) int64 {
	s.ints(id, m.Turn, micros(m.Timestamp), int64(m.Tokens), int64(m.Importance)).
		texts(string(m.Role), m.Text, m.Name, m.ToolCallID, calls, metadata)
	if m.Retracted {
		s.ints(1)
	}
	return s.crc()
}

const messageColumns = `id, turn, created_at, role, content, name, tool_call_id, tool_calls, metadata, tokens, importance, crc, retracted`

func scanMessage(s *sum, row []driver.Value) (memory.Message, error) {
	id := asInt(row[0])
	m := memory.Message{
		Seq: id & maxSeq, Turn: asInt(row[1]), Timestamp: moment(row[2]), Role: memory.Role(asText(row[3])),
		Text: asText(row[4]), Name: asText(row[5]), ToolCallID: asText(row[6]),
		Tokens: int(asInt(row[9])), Importance: int(asInt(row[10])), Retracted: asInt(row[12]) != 0,
	}
	calls, metadata := asText(row[7]), asText(row[8])
	if messageSum(s, id, &m, calls, metadata) != asInt(row[11]) {
		return m, corrupt("messages", id)
	}
	if calls != "" && json.Unmarshal([]byte(calls), &m.ToolCalls) != nil {
		return m, unreadable("messages", id)
	}
	if metadata != "" && json.Unmarshal([]byte(metadata), &m.Metadata) != nil {
		return m, unreadable("messages", id)
	}
	return m, nil
}

// turnSum covers past as it is stored.
func turnSum(s *sum, session int64, t *memory.Turn, past string) int64 {
	s.ints(session, t.Number, micros(t.At)).
		texts(t.RequestID, t.Intent, t.Outcome, string(t.Response))
	if past != "" { // rows of releases without undo have none
		s.texts(past)
	}
	if t.Undone {
		s.ints(1)
	}
	return s.crc()
}

const turnColumns = `id, session, request_id, turn, created_at, intent, outcome, response, crc, past, undone`

func scanTurn(row []driver.Value) (memory.Turn, error) {
	t := memory.Turn{
		RequestID: asText(row[2]), Number: asInt(row[3]), At: moment(row[4]),
		Intent: asText(row[5]), Outcome: asText(row[6]), Response: rawJSON(row[7]), Undone: asInt(row[10]) != 0,
	}
	past := asText(row[9])
	if turnSum(&sum{}, asInt(row[1]), &t, past) != asInt(row[8]) {
		return t, corrupt("turns", asInt(row[0]))
	}
	if past != "" {
		if err := json.Unmarshal([]byte(past), &t.Past); err != nil {
			return t, unreadable("turns", asInt(row[0]))
		}
		t.Past.State = t.Past.State.Clone() // its Params are not nil
	}
	return t, nil
}

// pastRow is a memory.Past in the form of its JSON, of what is encoded already.
type pastRow struct {
	Head  memory.Head `json:"head"`
	State pastState   `json:"state"`
}

type pastState struct {
	Params          json.RawMessage `json:"params"`
	WaitingForParam string          `json:"waiting_for_param,omitempty"`
	LastIntentID    string          `json:"last_intent_id,omitempty"`
	LastResult      json.RawMessage `json:"last_result,omitempty"`
	PlanExecution   json.RawMessage `json:"plan_execution,omitempty"`
	Version         int64           `json:"version"`
}

// past is how the session stands with this row, as JSON.
func (r *stateRow) past() (string, error) {
	return jsonText(pastRow{r.head, pastState{
		json.RawMessage(r.params), r.waiting, r.intent, rawJSON(r.result), rawJSON(r.plan), r.head.Version,
	}})
}

func stepSum(s *sum, session int64, p *memory.Step) int64 {
	return s.ints(session, p.Turn, int64(p.Attempts), micros(p.StartedAt), micros(p.EndedAt)).
		texts(p.IdempotencyKey, p.Plan, p.Step, p.Tool, string(p.Args), string(p.Status), string(p.Result), p.ErrorCode).crc()
}

const stepColumns = `id, session, idempotency_key, turn, plan, step, tool, args, status, attempts, result, error_code, started_at, ended_at, crc`

func scanStep(row []driver.Value) (memory.Step, error) {
	p := memory.Step{
		IdempotencyKey: asText(row[2]), Turn: asInt(row[3]), Plan: asText(row[4]), Step: asText(row[5]),
		Tool: asText(row[6]), Args: rawJSON(row[7]), Status: memory.StepStatus(asText(row[8])),
		Attempts: int(asInt(row[9])), Result: rawJSON(row[10]), ErrorCode: asText(row[11]),
		StartedAt: moment(row[12]), EndedAt: moment(row[13]),
	}
	if stepSum(&sum{}, asInt(row[1]), &p) != asInt(row[14]) {
		return p, corrupt("plan_steps", asInt(row[0]))
	}
	return p, nil
}
