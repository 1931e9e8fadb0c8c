package pgvector

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
)

var _ recall.Documents = (*Store)(nil)

// documents is the name of the table of documents: the configured one.
func (s *Store) documents() string { return s.opts.Collection }

// PutDocuments implements recall.Documents.
func (s *Store) PutDocuments(ctx context.Context, set recall.VectorSet, docs []recall.DocumentRow) error {
	if len(docs) == 0 {
		return sanitize("put documents", ctx.Err())
	}
	if err := s.ensure(ctx, set.Dim); err != nil {
		return sanitize("make the tables", err)
	}
	var b pgx.Batch
	for i := range docs {
		d := &docs[i]
		v, ok := vectorText(d.Vector)
		if !ok || len(d.Vector) != set.Dim {
			return ErrVector
		}
		metadata, err := json.Marshal(d.Metadata)
		if err != nil {
			return sanitize("put documents", err)
		}
		b.Queue(`INSERT INTO `+s.documents()+` AS t
	(scope, model, session, seq, usr, born, epoch, crc, at, dim, namespace, doc_type, content, metadata, embedding)
	VALUES ($1::uuid, $2::uuid, $3::uuid, $4::bigint, $5::uuid, $6::bigint, $7::bigint, $8::bigint, $9::bigint, $10::integer, $11::text, $12::text, $13::text, $14::text::jsonb, $15::text::halfvec)
	ON CONFLICT (scope, model, session, seq) DO UPDATE SET
		born = EXCLUDED.born, epoch = EXCLUDED.epoch, crc = EXCLUDED.crc, at = EXCLUDED.at, dim = EXCLUDED.dim, namespace = EXCLUDED.namespace,
		doc_type = EXCLUDED.doc_type, content = EXCLUDED.content, metadata = EXCLUDED.metadata, embedding = EXCLUDED.embedding
	WHERE (t.born, t.epoch) <= (EXCLUDED.born, EXCLUDED.epoch)`,
			set.Scope.String(), modelID(set.Model), set.Session.String(), d.Seq, set.User.String(), set.Fence.Born, set.Fence.Epoch, int64(d.Check), d.At,
			set.Dim, withoutNUL(d.Namespace), d.Type, withoutNUL(d.Text), withoutNUL(string(metadata)), v)
	}
	// Rows of another model of this session are not needed any more.
	b.Queue("DELETE FROM "+s.documents()+" WHERE scope = $1::uuid AND session = $2::uuid AND (model <> $3::uuid OR dim <> $4::integer)",
		set.Scope.String(), set.Session.String(), modelID(set.Model), set.Dim)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return tx.SendBatch(ctx, &b).Close() })
	if noTable(err) {
		s.forget()
	}
	return sanitize("put documents", err)
}

// withoutNUL replaces characters that PostgreSQL's text type cannot hold.
func withoutNUL(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\x00", " "), `\u0000`, " ")
}

// NearestDocuments implements recall.Documents.
func (s *Store) NearestDocuments(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	vector, ok := vectorText(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	args := []any{q.Scope.String(), modelID(q.Model), len(q.Vector), vector, q.K}
	without := ""
	if q.Exclude != (recall.ID{}) {
		args = append(args, q.Exclude.String())
		without = " AND session <> $6::uuid"
	}
	rows, err := s.pool.Query(ctx, `WITH own AS MATERIALIZED (
	SELECT session, seq, crc, at, embedding FROM `+s.documents()+` WHERE scope = $1::uuid AND model = $2::uuid AND dim = $3::integer`+without+`
) SELECT session::text, seq, crc, at, 1 - (embedding <=> $4::text::halfvec) FROM own ORDER BY 5 DESC, at, session, seq LIMIT $5::integer`, args...)
	var near []recall.VectorMatch
	if err == nil {
		near, err = pgx.CollectRows(rows, scanNear)
	}
	if noTable(err) {
		return nil, nil
	}
	return near, sanitize("find the nearest documents", err)
}

// DropDocuments implements recall.Documents.
func (s *Store) DropDocuments(ctx context.Context, d recall.VectorDrop) error {
	c := ownedBy(&d)
	c.rowsOf(&d)
	_, err := s.pool.Exec(ctx, "DELETE FROM "+s.documents()+c.where(), c.args...)
	if noTable(err) {
		return nil
	}
	return sanitize("drop documents", err)
}
