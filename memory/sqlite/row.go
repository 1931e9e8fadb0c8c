package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// seqBits is the width of a message's number within its rowid, so that the messages of a
// session lie together in the table's tree and a window is one range.
const (
	seqBits = 24 // as in selectIdle
	maxSeq  = 1<<seqBits - 1
	maxID   = 1<<(63-seqBits) - 1
)

func messageID(session, seq int64) int64 { return session<<seqBits | seq }

// errSum is why most rows are corrupt.
var errSum = errors.New("checksum does not match")

func corrupt(table string, id int64) error {
	return fmt.Errorf("%w: table %s, row %d: %w", memory.ErrCorrupt, table, id, errSum)
}

func unreadable(table string, id int64) error {
	return fmt.Errorf("%w: table %s, row %d: not JSON", memory.ErrCorrupt, table, id)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func moment(v driver.Value) time.Time { return time.UnixMicro(asInt(v)).UTC() }

// scanKey reads user_id, agent_id and session_id.
func scanKey(row []driver.Value) memory.Key {
	return memory.Key{UserID: asText(row[0]), AgentID: asText(row[1]), SessionID: asText(row[2])}
}

// aboutRow is the description of a session as it is stored in its row of sessions.
type aboutRow struct {
	title, tags, prompt, metadata string
	expires                       int64
}

const aboutColumns = `title, tags, crc, system_prompt, metadata, expires_at`

func scanAbout(row []driver.Value) aboutRow {
	return aboutRow{asText(row[0]), asText(row[1]), asText(row[3]), asText(row[4]), asInt(row[5])}
}

// sum covers the key, too. It leaves out the number: that is given after the row is made, and the
// rows of state and of the journal cover it with the key.
func (a *aboutRow) sum(s *record.Sum, key memory.Key) int64 {
	return s.Texts(key.UserID, key.AgentID, key.SessionID, a.title, a.tags, a.prompt, a.metadata).Ints(a.expires).CRC()
}

// stateRow is a row of state with the key that its checksum covers.
type stateRow struct {
	id               int64
	key              memory.Key
	counters         memory.Counters
	created, updated int64
	waiting, intent  string
	params           string
	result, plan     string
}

const stateColumns = `st.session, st.version, st.epoch, st.next_seq, st.floor_seq, st.turns,
	st.created_at, st.updated_at, st.waiting_for_param, st.last_intent_id, st.params,
	st.last_result, st.plan_execution, st.crc, st.gone`

func (r *stateRow) checksum(s *record.Sum) int64 {
	h := r.counters
	return s.Texts(r.key.UserID, r.key.AgentID, r.key.SessionID).
		Ints(r.id, h.Version, h.Epoch, h.NextSeq, h.Floor, h.Turns, h.Gone, r.created, r.updated).
		Texts(r.waiting, r.intent, r.params, r.result, r.plan).CRC()
}

func scanState(key memory.Key, row []driver.Value) (*stateRow, error) {
	r := &stateRow{
		id: asInt(row[0]), key: key,
		counters: memory.Counters{
			Version: asInt(row[1]), Epoch: asInt(row[2]), NextSeq: asInt(row[3]), Floor: asInt(row[4]), Turns: asInt(row[5]),
			Gone: asInt(row[14]),
		},
		created: asInt(row[6]), updated: asInt(row[7]), waiting: asText(row[8]), intent: asText(row[9]),
		params: asText(row[10]), result: asText(row[11]), plan: asText(row[12]),
	}
	if r.checksum(&record.Sum{}) != asInt(row[13]) {
		return nil, corrupt("state", r.id)
	}
	return r, nil
}

func (r *stateRow) state() (memory.State, error) {
	s := memory.State{
		Params: map[string]any{}, WaitingForParam: r.waiting, LastIntentID: r.intent,
		LastResult: record.Raw(r.result), PlanExecution: record.Raw(r.plan), Version: r.counters.Version,
	}
	if err := json.Unmarshal([]byte(r.params), &s.Params); err != nil {
		return s, unreadable("state", r.id)
	}
	return s, nil
}

func messageSum(s *record.Sum, id int64, m *memory.Message, x record.Extras) int64 {
	return s.Ints(id, m.Turn, micros(m.Timestamp), int64(m.Tokens), int64(m.Importance), flag(m.Retracted)).
		Texts(string(m.Role), m.Text, m.Name, m.ToolCallID, x.Calls, x.Metadata).CRC()
}

const messageColumns = `id, turn, created_at, role, content, name, tool_call_id, tool_calls, metadata, tokens, importance, crc, retracted`

func scanMessage(s *record.Sum, row []driver.Value) (memory.Message, error) {
	id := asInt(row[0])
	m := memory.Message{
		Seq: id & maxSeq, Turn: asInt(row[1]), Timestamp: moment(row[2]), Role: memory.Role(asText(row[3])),
		Text: asText(row[4]), Name: asText(row[5]), ToolCallID: asText(row[6]),
		Tokens: int(asInt(row[9])), Importance: int(asInt(row[10])), Retracted: asInt(row[12]) != 0,
	}
	x := record.Extras{Calls: asText(row[7]), Metadata: asText(row[8])}
	if messageSum(s, id, &m, x) != asInt(row[11]) {
		return m, corrupt("messages", id)
	}
	if !x.Apply(&m) {
		return m, unreadable("messages", id)
	}
	return m, nil
}

// turnSum covers past as it is stored.
func turnSum(s *record.Sum, session int64, t *memory.Turn, past string) int64 {
	return s.Ints(session, t.Number, micros(t.At), flag(t.Undone)).
		Texts(t.RequestID, t.Intent, t.Outcome, textOf(t.Response), past).CRC()
}

const turnColumns = `id, session, request_id, turn, created_at, intent, outcome, response, crc, past, undone`

func scanTurn(row []driver.Value) (memory.Turn, error) {
	t := memory.Turn{
		RequestID: asText(row[2]), Number: asInt(row[3]), At: moment(row[4]),
		Intent: asText(row[5]), Outcome: asText(row[6]), Response: record.Raw(asText(row[7])), Undone: asInt(row[10]) != 0,
	}
	past := asText(row[9])
	if turnSum(&record.Sum{}, asInt(row[1]), &t, past) != asInt(row[8]) {
		return t, corrupt("turns", asInt(row[0]))
	}
	var err error
	if t.Snapshot, err = record.ParseSnapshot(past); err != nil {
		return t, unreadable("turns", asInt(row[0]))
	}
	return t, nil
}

func stepSum(s *record.Sum, session int64, p *memory.Step) int64 {
	return s.Ints(session, p.Turn, int64(p.Attempts), micros(p.StartedAt), micros(p.EndedAt)).
		Texts(p.IdempotencyKey, p.Origin, p.Plan, p.Step, p.Tool, string(p.Args), string(p.Status), string(p.Result), p.ErrorCode).CRC()
}

const stepColumns = `id, session, idempotency_key, turn, plan, step, tool, args, status, attempts, result, error_code, started_at, ended_at, crc, origin`

func scanStep(row []driver.Value) (memory.Step, error) {
	p := memory.Step{
		IdempotencyKey: asText(row[2]), Turn: asInt(row[3]), Plan: asText(row[4]), Step: asText(row[5]),
		Tool: asText(row[6]), Args: record.Raw(asText(row[7])), Status: memory.StepStatus(asText(row[8])),
		Attempts: int(asInt(row[9])), Result: record.Raw(asText(row[10])), ErrorCode: asText(row[11]),
		StartedAt: moment(row[12]), EndedAt: moment(row[13]), Origin: asText(row[15]),
	}
	if stepSum(&record.Sum{}, asInt(row[1]), &p) != asInt(row[14]) {
		return p, corrupt("plan_steps", asInt(row[0]))
	}
	return p, nil
}
