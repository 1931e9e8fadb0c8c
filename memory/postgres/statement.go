package postgres

import (
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// statement is an SQL statement under construction. Its text depends on the parts that a change
// has, never on a value, so that there are few texts and each is prepared once.
type statement struct {
	text strings.Builder
	args []any
	sum  record.Sum
}

// arg adds an argument and writes its placeholder with its type.
func (q *statement) arg(v any, kind string) {
	q.args = append(q.args, v)
	var digits [20]byte
	q.text.WriteByte('$')
	q.text.Write(strconv.AppendInt(digits[:0], int64(len(q.args)), 10))
	q.write(`::`, kind)
}

func (q *statement) write(parts ...string) {
	for _, p := range parts {
		q.text.WriteString(p)
	}
}

// newStatement returns an empty statement with room for a usual turn.
func newStatement() *statement {
	q := &statement{args: make([]any, 0, 64)}
	q.text.Grow(4096)
	return q
}

// column is a list of values, one for each row.
type column struct {
	values any // []int64, []int32, []bool, []string or [][]byte
	kind   string
}

// mostValues is how many rows are written value by value. A turn has no more, usually, and single values
// cost less than lists, here and in the server. Each number of rows makes another statement.
const mostValues = 4

// rows writes columns as a table x.
func (q *statement) rows(names string, n int, columns ...column) {
	if n <= mostValues {
		q.write(`(VALUES `)
		for row := range n {
			for i, c := range columns {
				q.write(separator(row, i))
				q.arg(c.at(row), c.kind)
			}
			q.write(`)`)
		}
		q.write(`) AS x(`, names, `)`)
		return
	}
	q.write(`unnest(`)
	for i, c := range columns {
		if i > 0 {
			q.write(`, `)
		}
		q.arg(c.values, c.kind+"[]")
	}
	q.write(`) AS x(`, names, `)`)
}

// separator stands before a value of a row.
func separator(row, i int) string {
	switch {
	case i > 0:
		return `, `
	case row > 0:
		return `, (`
	}
	return `(`
}

func (c *column) at(i int) any {
	switch list := c.values.(type) {
	case []int64:
		return list[i]
	case []int32:
		return list[i]
	case []bool:
		return list[i]
	case []string:
		return list[i]
	case [][]byte:
		return list[i]
	}
	panic("a column of another type")
}

func valuesOf[R, V any](rows []R, value func(i int, r *R) V) []V {
	out := make([]V, len(rows))
	for i := range rows {
		out[i] = value(i, &rows[i])
	}
	return out
}

// messages writes an INSERT of messages for each row of from, which has a column session.
func (q *statement) messages(from string, d digest, rows []memory.Message, more []record.Extras) {
	sum := &q.sum
	q.write(`INSERT INTO messages (session, `, messageColumns, `) SELECT `, from, `.session, x.* FROM `, from, `, `)
	q.rows(
		messageColumns, len(rows),
		column{valuesOf(rows, func(_ int, m *memory.Message) int64 { return m.Seq }), "bigint"},
		column{valuesOf(rows, func(_ int, m *memory.Message) int64 { return m.Turn }), "bigint"},
		column{valuesOf(rows, func(_ int, m *memory.Message) int64 { return micros(m.Timestamp) }), "bigint"},
		column{valuesOf(rows, func(_ int, m *memory.Message) string { return string(m.Role) }), "text"},
		column{valuesOf(rows, func(_ int, m *memory.Message) []byte { return bytesOf(m.Text) }), "bytea"},
		column{valuesOf(rows, func(_ int, m *memory.Message) []byte { return bytesOf(m.Name) }), "bytea"},
		column{valuesOf(rows, func(_ int, m *memory.Message) []byte { return bytesOf(m.ToolCallID) }), "bytea"},
		column{valuesOf(rows, func(i int, _ *memory.Message) []byte { return bytesOf(more[i].Calls) }), "bytea"},
		column{valuesOf(rows, func(i int, _ *memory.Message) []byte { return bytesOf(more[i].Metadata) }), "bytea"},
		column{valuesOf(rows, func(_ int, m *memory.Message) int64 { return int64(m.Tokens) }), "bigint"},
		column{valuesOf(rows, func(_ int, m *memory.Message) int64 { return int64(m.Importance) }), "bigint"},
		column{valuesOf(rows, func(_ int, m *memory.Message) bool { return m.Retracted }), "boolean"},
		column{valuesOf(rows, func(i int, m *memory.Message) int32 { return messageSum(sum, d, m, more[i]) }), "integer"},
	)
}

// turns writes an INSERT of turns; pasts are their columns past.
func (q *statement) turns(from string, d digest, rows []memory.Turn, pasts []string) {
	sum := &q.sum
	q.write(`INSERT INTO turns (session, `, turnColumns, `) SELECT `, from, `.session, x.* FROM `, from, `, `)
	q.rows(
		turnColumns, len(rows),
		column{valuesOf(rows, func(_ int, t *memory.Turn) int64 { return t.Number }), "bigint"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) []byte { return bytesOf(t.RequestID) }), "bytea"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) int64 { return micros(t.At) }), "bigint"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) []byte { return bytesOf(t.Intent) }), "bytea"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) []byte { return bytesOf(t.Outcome) }), "bytea"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) []byte { return bytesOf(t.Response) }), "bytea"},
		column{valuesOf(rows, func(i int, _ *memory.Turn) []byte { return bytesOf(pasts[i]) }), "bytea"},
		column{valuesOf(rows, func(_ int, t *memory.Turn) bool { return t.Undone }), "boolean"},
		column{valuesOf(rows, func(i int, t *memory.Turn) int32 { return turnSum(sum, d, t, pasts[i]) }), "integer"},
	)
}

// steps writes an INSERT of journal rows behind the place of the last one.
func (q *statement) steps(from string, d digest, rows []memory.Step, last int64) {
	sum := &q.sum
	q.write(`INSERT INTO plan_steps (session, `, stepColumns, `) SELECT `, from, `.session, x.* FROM `, from, `, `)
	q.rows(
		stepColumns, len(rows),
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.IdempotencyKey) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return p.Turn }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Plan) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Step) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Tool) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Args) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) string { return string(p.Status) }), "text"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return int64(p.Attempts) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Result) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.ErrorCode) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return micros(p.StartedAt) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return micros(p.EndedAt) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int32 { return stepSum(sum, d, p) }), "integer"},
		column{valuesOf(rows, func(i int, _ *memory.Step) int64 { return last + 1 + int64(i) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Origin) }), "bytea"},
	)
}

// unchanged adds to a condition that the rows of calls are as they are remembered. Their checksums cover
// all they hold.
func (q *statement) unchanged(d digest, known *journal, outcomes []memory.Step) {
	if !known.remembered {
		return
	}
	for i := range outcomes {
		p := known.rows[outcomes[i].IdempotencyKey]
		q.write(` AND EXISTS (SELECT 1 FROM plan_steps WHERE session = `)
		q.arg(d, "uuid")
		q.write(` AND idempotency_key = `)
		q.arg(bytesOf(p.IdempotencyKey), "bytea")
		q.write(` AND crc = `)
		q.arg(stepSum(&q.sum, d, &p), "integer")
		q.write(`)`)
	}
}

// outcomes writes an UPDATE of journal rows that were read before.
func (q *statement) outcomes(from string, d digest, rows []memory.Step) {
	sum := &q.sum
	q.write(`UPDATE plan_steps p SET status = x.status, attempts = x.attempts, result = x.result, error_code = x.error_code,
		ended_at = x.ended_at, crc = x.crc FROM `, from, `, `)
	q.rows(
		`idempotency_key, status, attempts, result, error_code, ended_at, crc`, len(rows),
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.IdempotencyKey) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) string { return string(p.Status) }), "text"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return int64(p.Attempts) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.Result) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) []byte { return bytesOf(p.ErrorCode) }), "bytea"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int64 { return micros(p.EndedAt) }), "bigint"},
		column{valuesOf(rows, func(_ int, p *memory.Step) int32 { return stepSum(sum, d, p) }), "integer"},
	)
	q.write(` WHERE p.session = `, from, `.session AND p.idempotency_key = x.idempotency_key`)
}

// jobs writes the jobs that a turn asks for, as memory.Job.Requested does: a failed job keeps its
// pause, a dead one is revived, a waiting one moves its target.
func (q *statement) jobs(from string, wanted []memory.WantedJob, h memory.Counters) {
	q.write(`INSERT INTO jobs AS j (session, kind, epoch, target_seq, run_at, attempts, dead, code, token, until)
		SELECT `, from, `.session, x.kind, `)
	q.arg(h.Epoch, "bigint")
	q.write(`, `)
	q.arg(h.NextSeq-1, "bigint")
	q.write(`, x.run_at, 0, false, '', '', 0 FROM `, from, `, `)
	q.rows(
		`kind, run_at`, len(wanted),
		column{valuesOf(wanted, func(_ int, w *memory.WantedJob) string { return w.Kind }), "text"},
		column{valuesOf(wanted, func(_ int, w *memory.WantedJob) int64 {
			if w.RunAt.IsZero() {
				return 0
			}
			return micros(w.RunAt)
		}), "bigint"},
	)
	q.write(` ON CONFLICT (session, kind) DO UPDATE SET epoch = excluded.epoch, target_seq = excluded.target_seq, dead = false,
		run_at = CASE WHEN j.dead THEN excluded.run_at WHEN j.attempts = 0 THEN least(j.run_at, excluded.run_at) ELSE j.run_at END,
		attempts = CASE WHEN j.dead THEN 0 ELSE j.attempts END, code = CASE WHEN j.dead THEN '' ELSE j.code END`)
}
