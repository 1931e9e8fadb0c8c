package pgvector

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

const (
	putRows   = 500             // in one statement
	indexRows = 250             // rows of a grown scope that are indexed per transaction
	indexTime = 3 * time.Second // of a put to spend on that
	putTries  = 3               // if the scope's count is dropped between two statements
)

// Put implements recall.Vectors.
func (s *Store) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	if len(rows) == 0 {
		return sanitize("put vectors", ctx.Err())
	}
	if err := s.ensure(ctx, set.Dim); err != nil {
		return sanitize("make the tables", err)
	}
	for from := 0; from < len(rows); from += putRows {
		w, err := columns(set, rows[from:min(from+putRows, len(rows))])
		if err != nil {
			return err
		}
		grown := false
		for range putTries {
			if grown, err = s.put(ctx, set, w); !errors.Is(err, pgx.ErrNoRows) {
				break
			}
		}
		if err == nil && grown {
			err = s.indexScope(ctx, set)
		}
		if err != nil {
			if noTable(err) {
				s.forget()
			}
			return sanitize("put vectors", err)
		}
	}
	return nil
}

// columnar holds rows column by column.
type columnar struct {
	seqs, crcs, ats, importance []int64
	agents                      []bool
	vectors                     []string
}

func columns(set recall.VectorSet, rows []recall.VectorRow) (*columnar, error) {
	var w columnar
	for i := range rows {
		r := &rows[i]
		v, ok := vectorText(r.Vector)
		if !ok || len(r.Vector) != set.Dim {
			return nil, ErrVector
		}
		w.seqs, w.crcs, w.ats = append(w.seqs, r.Seq), append(w.crcs, int64(r.Check)), append(w.ats, r.At)
		w.importance, w.agents, w.vectors = append(w.importance, int64(r.Importance)), append(w.agents, r.Agent), append(w.vectors, v)
	}
	return &w, nil
}

// vectorText writes a vector, scaled to length 1, in the text form of pgvector's types: "[0.6,0.8]".
// A longer vector might not fit into half precision. ok is false for a vector without a direction.
func vectorText(v []float32) (text string, ok bool) {
	unit, ok := vec.Unit(v)
	if !ok {
		return "", false
	}
	out := []byte{'['}
	for i, a := range unit {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(a), 'f', -1, 32)
	}
	return string(append(out, ']')), true
}

// put writes rows in one transaction. grown reports that the scope is large and not all of its rows
// are indexed yet. pgx.ErrNoRows: the scope was dropped meanwhile.
func (s *Store) put(ctx context.Context, set recall.VectorSet, w *columnar) (grown bool, err error) {
	scopes, limit := s.scopes(), int64(math.MaxInt64)
	if s.indexes(set.Dim) {
		limit = s.exactRows(set.Dim)
	}
	scope, model, user := set.Scope.String(), modelID(set.Model), set.User.String()
	const of = " WHERE scope = $1::uuid AND model = $2::uuid AND dim = $3::integer"
	var b pgx.Batch
	b.Queue("INSERT INTO "+scopes+" (scope, model, dim, usr) VALUES ($1::uuid, $2::uuid, $3::integer, $4::uuid) ON CONFLICT DO NOTHING",
		scope, model, set.Dim, user)
	b.Queue("SELECT 1 FROM "+scopes+of+" FOR UPDATE", scope, model, set.Dim)
	var held int64
	var big bool
	b.Queue(`WITH put AS (
	INSERT INTO `+s.rows(set.Dim)+` AS t (scope, model, session, seq, usr, born, epoch, crc, at, agent, importance, big, v)
	SELECT s.scope, s.model, $4::uuid, r.seq, s.usr, $5::bigint, $6::bigint, r.crc, r.at, r.agent, r.importance,
		s.big OR s.held >= $7::bigint, r.v::halfvec
	FROM `+scopes+` s, unnest($8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::boolean[], $13::text[])
		AS r (seq, crc, at, importance, agent, v)
	WHERE s.scope = $1::uuid AND s.model = $2::uuid AND s.dim = $3::integer
	ON CONFLICT (scope, model, session, seq) DO UPDATE SET
		born = EXCLUDED.born, epoch = EXCLUDED.epoch, crc = EXCLUDED.crc, at = EXCLUDED.at, agent = EXCLUDED.agent,
		importance = EXCLUDED.importance, big = t.big OR EXCLUDED.big, v = EXCLUDED.v
	WHERE (t.born, t.epoch) <= (EXCLUDED.born, EXCLUDED.epoch)
	RETURNING t.xmax = 0 AS fresh
) UPDATE `+scopes+` SET held = held + (SELECT count(*) FROM put WHERE fresh)`+of+` RETURNING held, big`,
		scope, model, set.Dim, set.Session.String(), set.Fence.Born, set.Fence.Epoch, limit,
		w.seqs, w.crcs, w.ats, w.importance, w.agents, w.vectors).QueryRow(func(row pgx.Row) error { return row.Scan(&held, &big) })
	err = s.pool.SendBatch(ctx, &b).Close()
	return held >= limit && !big, err
}

// indexScope indexes rows of a scope that has grown, as far as time allows; the next put goes on.
// Until all are indexed, all are compared.
func (s *Store) indexScope(ctx context.Context, set recall.VectorSet) error {
	scope, model := set.Scope.String(), modelID(set.Model)
	table := s.rows(set.Dim)
	for until := time.Now().Add(indexTime); time.Now().Before(until); {
		tag, err := s.pool.Exec(ctx, "UPDATE "+table+" SET big = true WHERE ctid = ANY (ARRAY(SELECT ctid FROM "+table+
			" WHERE scope = $1::uuid AND model = $2::uuid AND NOT big LIMIT $3::integer FOR UPDATE))", scope, model, indexRows)
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			continue
		}
		// Rows written from now on are indexed at once, since the scope is marked as large.
		_, err = s.pool.Exec(ctx, "UPDATE "+s.scopes()+" SET big = true WHERE scope = $1::uuid AND model = $2::uuid AND dim = $3::integer",
			scope, model, set.Dim)
		return err
	}
	return nil
}
