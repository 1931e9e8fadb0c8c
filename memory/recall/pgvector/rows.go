package pgvector

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
)

// Put implements recall.VectorStore. The first put creates the tables.
func (s *Store) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	batch, err := s.inserts(set, rows)
	if err != nil {
		return fmt.Errorf("%w: put vectors: a row cannot be written", ErrDatabase)
	}
	if err = s.pool.SendBatch(ctx, batch).Close(); noTable(err) {
		if err = s.create(ctx); err == nil {
			err = s.pool.SendBatch(ctx, batch).Close()
		}
	}
	return sanitize("put vectors", err)
}

// inserts returns the statements that write rows. They run as one transaction.
func (s *Store) inserts(set recall.VectorSet, rows []recall.VectorRow) (*pgx.Batch, error) {
	batch, table := &pgx.Batch{}, s.table(set.Documents)
	for i := range rows {
		row := &rows[i]
		vector, err := json.Marshal(row.Vector)
		if err != nil {
			return nil, err
		}
		var namespace, docType, content, metadata *string // NULL
		if document := row.Document; document != nil {
			data, err := json.Marshal(document.Metadata)
			if err != nil {
				return nil, err
			}
			text := string(data)
			namespace, docType, content, metadata = &document.Namespace, &document.Type, &document.Text, &text
		}
		batch.Queue(`INSERT INTO `+table+` AS t
	(scope, model, dim, session, seq, usr, born, epoch, crc, at, agent, importance, namespace, doc_type, content, metadata, embedding)
	VALUES ($1::uuid, $2::text, $3::integer, $4::uuid, $5::bigint, $6::uuid, $7::bigint, $8::bigint, $9::bigint, $10::bigint, $11::boolean, $12::smallint,
		$13::text, $14::text, $15::text, $16::text::jsonb, $17::text::halfvec)
	ON CONFLICT (scope, model, dim, session, seq) DO UPDATE SET
		born = EXCLUDED.born, epoch = EXCLUDED.epoch, crc = EXCLUDED.crc, at = EXCLUDED.at, agent = EXCLUDED.agent, importance = EXCLUDED.importance,
		namespace = EXCLUDED.namespace, doc_type = EXCLUDED.doc_type, content = EXCLUDED.content, metadata = EXCLUDED.metadata, embedding = EXCLUDED.embedding
	WHERE (t.born, t.epoch) <= (EXCLUDED.born, EXCLUDED.epoch)`,
			set.Scope.String(), set.Model, set.Dim, set.Session.String(), row.Seq, set.User.String(), set.Fence.Born, set.Fence.Epoch,
			int64(row.Check), row.At, row.Agent, row.Importance, namespace, docType, content, metadata, string(vector))
	}
	if set.Documents { // nothing reads those of another model
		batch.Queue("DELETE FROM "+table+" WHERE scope = $1::uuid AND session = $2::uuid AND (model, dim) <> ($3::text, $4::integer)",
			set.Scope.String(), set.Session.String(), set.Model, set.Dim)
	}
	return batch, nil
}

// conditions collects the conditions of a statement and its arguments.
type conditions struct {
	parts []string
	args  []any
}

// add appends a condition. Each %d in it becomes the number of one of its arguments.
func (c *conditions) add(format string, args ...any) {
	numbers := make([]any, len(args))
	for i := range args {
		numbers[i] = len(c.args) + 1 + i
	}
	c.args = append(c.args, args...)
	c.parts = append(c.parts, fmt.Sprintf(format, numbers...))
}

// is adds the condition that a column has an ID, unless that is the one of none.
func (c *conditions) is(column string, id recall.ID) {
	if id != (recall.ID{}) {
		c.add(column+" = $%d::uuid", id.String())
	}
}

func (c *conditions) where() string { return " WHERE " + strings.Join(c.parts, " AND ") }

// Nearest implements recall.VectorStore.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	vector, err := json.Marshal(q.Vector)
	if err != nil {
		return nil, fmt.Errorf("%w: find the nearest: the vector cannot be written", ErrDatabase)
	}
	sessions, seqs := make([]string, len(q.Include)), make([]int64, len(q.Include))
	for i, key := range q.Include {
		sessions[i], seqs[i] = key.Session.String(), key.Seq
	}
	only := &conditions{args: []any{string(vector), q.K, sessions, seqs}}
	only.add("scope = $%d::uuid AND model = $%d::text AND dim = $%d::integer", q.Scope.String(), q.Model, len(q.Vector))
	const distance = "embedding <=> $1::text::halfvec"
	selected := "SELECT session, seq, crc, at, (1 - (" + distance + "))::real AS cosine FROM " + s.messages
	included := selected + " JOIN unnest($3::uuid[], $4::bigint[]) AS p (s, n) ON session = s AND seq = n" + only.where()
	limit(only, &q)
	rows, err := s.pool.Query(ctx, "("+selected+only.where()+" ORDER BY "+distance+", at, session, seq LIMIT $2::bigint) UNION ("+included+
		") ORDER BY cosine DESC, at, session, seq", only.args...)
	var near []recall.VectorMatch
	if err == nil {
		near, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (match recall.VectorMatch, err error) {
			err = row.Scan((*[16]byte)(&match.Session), &match.Seq, &match.Check, &match.At, &match.Cosine)
			match.Cosine = min(max(match.Cosine, -1), 1)
			return match, err
		})
	}
	return near, sanitize("find the nearest", err)
}

// limit adds the limits of a query.
func limit(only *conditions, q *recall.VectorQuery) {
	only.is("session", q.Session)
	if q.Exclude != (recall.ID{}) {
		only.add("session <> $%d::uuid", q.Exclude.String())
	}
	if q.Recent != (recall.ID{}) {
		only.add("(session <> $%d::uuid OR seq >= $%d::bigint AND seq < $%d::bigint)", q.Recent.String(), q.RecentFrom, q.RecentBefore)
	}
	if q.NoUser {
		only.add("agent")
	}
	if q.NoAgent {
		only.add("NOT agent")
	}
	if q.Since != nil {
		only.add("at >= $%d::bigint", *q.Since)
	}
	if q.Until != nil {
		only.add("at < $%d::bigint", *q.Until)
	}
	if q.MinImportance > 0 {
		only.add("importance >= $%d::integer", q.MinImportance)
	}
}

// Drop implements recall.VectorStore.
func (s *Store) Drop(ctx context.Context, d recall.VectorDrop) error {
	only := &conditions{}
	only.add("usr = $%d::uuid", d.User.String())
	only.is("scope", d.Scope)
	only.is("session", d.Session)
	tables := []string{s.messages, s.documents}
	if d.Model != "" {
		only.add("model = $%d::text", d.Model)
		tables = []string{s.table(d.Documents)}
	}
	if d.Seqs != nil {
		only.add("seq = ANY ($%d::bigint[])", d.Seqs)
	}
	if d.Before != nil {
		only.add("(born, epoch) < ($%d::bigint, $%d::bigint)", d.Before.Born, d.Before.Epoch)
	}
	for _, table := range tables {
		// Rows are locked in the order in which a put locks them, so that the two never wait for
		// each other.
		_, err := s.pool.Exec(ctx, "DELETE FROM "+table+" WHERE (scope, model, dim, session, seq) IN (SELECT scope, model, dim, session, seq FROM "+
			table+only.where()+" ORDER BY scope, model, dim, session, seq FOR UPDATE)", only.args...)
		if err = sanitize("drop vectors", err); err != nil {
			return err
		}
	}
	return nil
}

// Stored implements recall.VectorStore.
func (s *Store) Stored(ctx context.Context, set recall.VectorSet) ([]recall.StoredRow, error) {
	rows, err := s.pool.Query(ctx, "SELECT seq, crc, born, epoch FROM "+s.table(set.Documents)+
		" WHERE scope = $1::uuid AND session = $2::uuid AND model = $3::text AND dim = $4::integer ORDER BY seq",
		set.Scope.String(), set.Session.String(), set.Model, set.Dim)
	var stored []recall.StoredRow
	if err == nil {
		stored, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r recall.StoredRow, err error) {
			err = row.Scan(&r.Seq, &r.Check, &r.Fence.Born, &r.Fence.Epoch)
			return r, err
		})
	}
	return stored, sanitize("list vectors", err)
}

// Owners implements recall.VectorStore.
func (s *Store) Owners(ctx context.Context) ([]recall.Owner, error) {
	rows, err := s.pool.Query(ctx, "SELECT usr, scope, session FROM "+s.messages+
		" UNION SELECT usr, scope, session FROM "+s.documents)
	var owners []recall.Owner
	if err == nil {
		owners, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (o recall.Owner, err error) {
			err = row.Scan((*[16]byte)(&o.User), (*[16]byte)(&o.Scope), (*[16]byte)(&o.Session))
			return o, err
		})
	}
	return owners, sanitize("list sessions", err)
}
