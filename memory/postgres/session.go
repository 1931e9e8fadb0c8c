package postgres

import (
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// assignExcluded lists the columns that the first commit sets in a row made for a journal.
const assignExcluded = `version = excluded.version, epoch = excluded.epoch, next_seq = excluded.next_seq, floor_seq = excluded.floor_seq,
	turns = excluded.turns, gone = excluded.gone, created_at = excluded.created_at, updated_at = excluded.updated_at,
	waiting_for_param = excluded.waiting_for_param, last_intent_id = excluded.last_intent_id, params = excluded.params,
	last_result = excluded.last_result, plan_execution = excluded.plan_execution, crc = excluded.crc`

// insertSession writes an INSERT of a whole row.
func (q *statement) insertSession(r *sessionRow, crc int32, about memory.About) {
	h, st := r.counters, &r.state
	q.write(`INSERT INTO sessions (session, `, sessionColumns, `, `, aboutColumns, `, `, saidColumns, `) VALUES (`)
	q.arg(digestOf(r.key), "uuid")
	for _, c := range []column{
		{r.key.UserID, "text"},
		{r.key.AgentID, "text"},
		{r.key.SessionID, "text"},
		{h.Version, "bigint"},
		{h.Epoch, "bigint"},
		{h.NextSeq, "bigint"},
		{h.Floor, "bigint"},
		{h.Turns, "bigint"},
		{h.Gone, "bigint"},
		{r.created, "bigint"},
		{r.updated, "bigint"},
		{bytesOf(st.WaitingForParam), "bytea"},
		{bytesOf(st.LastIntentID), "bytea"},
		{bytesOf(r.params), "bytea"},
		{bytesOf(st.LastResult), "bytea"},
		{bytesOf(st.PlanExecution), "bytea"},
		{crc, "integer"},
		{bytesOf(about.Title), "bytea"},
		{tagsOf(about), "bytea[]"},
		{wordsOf(r.key, about), "bytea"},
		{aboutSum(r.key, about), "integer"},
		{bytesOf(about.SystemPrompt), "bytea"},
		{bytesOf(about.Metadata), "bytea"},
		{expiryOf(about), "bigint"},
	} {
		q.write(`, `)
		q.arg(c.values, c.kind)
	}
	q.write(`)`)
}

// updateSession writes the compare-and-swap on all counters: those of a session that was
// deleted and begun anew can have the same version.
func (q *statement) updateSession(before baseline, r *sessionRow, crc int32) {
	h, st, b := r.counters, &r.state, before.counters
	q.write(`UPDATE sessions SET version = `)
	q.arg(h.Version, "bigint")
	for _, c := range []struct {
		name   string
		values any
		kind   string
	}{
		{"epoch", h.Epoch, "bigint"},
		{"next_seq", h.NextSeq, "bigint"},
		{"floor_seq", h.Floor, "bigint"},
		{"turns", h.Turns, "bigint"},
		{"gone", h.Gone, "bigint"},
		{"updated_at", r.updated, "bigint"},
		{"waiting_for_param", bytesOf(st.WaitingForParam), "bytea"},
		{"last_intent_id", bytesOf(st.LastIntentID), "bytea"},
		{"params", bytesOf(r.params), "bytea"},
		{"last_result", bytesOf(st.LastResult), "bytea"},
		{"plan_execution", bytesOf(st.PlanExecution), "bytea"},
		{"crc", crc, "integer"},
	} {
		q.write(`, `, c.name, ` = `)
		q.arg(c.values, c.kind)
	}
	q.write(` WHERE session = `)
	q.arg(digestOf(r.key), "uuid")
	for _, c := range []struct {
		name  string
		value int64
	}{
		{"version", b.Version},
		{"epoch", b.Epoch},
		{"next_seq", b.NextSeq},
		{"floor_seq", b.Floor},
		{"turns", b.Turns},
		{"gone", b.Gone},
		{"created_at", before.created},
	} {
		q.write(` AND `, c.name, ` = `)
		q.arg(c.value, "bigint")
	}
}

// A row has always had the first; the others have defaults.
const (
	aboutColumns = `title, tags, words, about_crc`
	saidColumns  = `system_prompt, metadata, expires_at`
)

func tagsOf(about memory.About) [][]byte {
	return valuesOf(about.Tags, func(_ int, t *string) []byte { return bytesOf(*t) })
}

// wordsOf is the text that memory.Query.Text searches.
func wordsOf(key memory.Key, about memory.About) []byte {
	return bytesOf(strings.ToLower(strings.Join(append([]string{about.Title, key.SessionID}, about.Tags...), "\n")))
}

// expiryOf is 0 for never.
func expiryOf(about memory.About) int64 {
	if about.ExpiresAt.IsZero() {
		return 0
	}
	return micros(about.ExpiresAt)
}

func aboutSum(key memory.Key, about memory.About) int32 {
	return int32(new(record.Sum).Texts(key.UserID, key.AgentID, key.SessionID, about.Title).Texts(about.Tags...).
		Texts(about.SystemPrompt, string(about.Metadata)).Ints(int64(len(about.Tags)), expiryOf(about)).CRC())
}

// aboutRow holds the scanned description of a session.
type aboutRow struct {
	title            []byte
	tags             [][]byte
	crc              int32
	prompt, metadata []byte
	expires          int64
}

// selectedAbout are the columns of an aboutRow.
const selectedAbout = `title, tags, about_crc, system_prompt, metadata, expires_at`

func (r *aboutRow) into() []any {
	return []any{&r.title, &r.tags, &r.crc, &r.prompt, &r.metadata, &r.expires}
}

func (r *aboutRow) about(key memory.Key) (memory.About, error) {
	a := memory.About{Title: string(r.title), SystemPrompt: string(r.prompt), Metadata: record.Raw(string(r.metadata))}
	for _, t := range r.tags {
		a.Tags = append(a.Tags, string(t))
	}
	if r.expires != 0 {
		a.ExpiresAt = moment(r.expires)
	}
	if aboutSum(key, a) != r.crc {
		return a, corrupt("sessions", digestOf(key), 0)
	}
	return a, nil
}
