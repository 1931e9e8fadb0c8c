package pgvector

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
)

// How far the index is read: hnsw.ef_search for each wanted row, at least and at most; and
// how many rows are looked at before it gives up, which is told by there being too few. Of
// 20,000 rows of 128 numbers an effort of 200 finds 0.94 of the true ten nearest (0.89 where
// a limit lets every fourth row through), 400 finds 0.985 (0.97), 600 0.997 (TestRecall).
const (
	effortEach  = 16
	effortLeast = 500
	effortMost  = 1000
	scanRows    = 40_000
)

// Nearest implements recall.Vectors.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.Near, error) {
	near, err := s.nearest(ctx, &q)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, told("find the nearest", err)
	}
	slices.SortFunc(near, func(a, b recall.Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At), slices.Compare(a.Session[:], b.Session[:]), cmp.Compare(a.Seq, b.Seq))
	})
	return slices.CompactFunc(near, func(a, b recall.Near) bool { return a.VectorPlace == b.VectorPlace }), nil
}

// nearest asks in one round trip; in a second one where the index gave up.
func (s *Store) nearest(ctx context.Context, q *recall.VectorQuery) ([]recall.Near, error) {
	vector, ok := text(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	c := conditions(q, vector)
	table := s.rows(len(q.Vector))
	var near []recall.Near
	collect := func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, scanNear)
		near = append(near, found...)
		return err
	}
	const columns = "SELECT session::text, seq, crc, at, 1 - (v <=> $3::halfvec) FROM "
	compared := columns + table + c.where + " ORDER BY v <=> $3::halfvec, at, session, seq LIMIT $4::bigint"
	var b pgx.Batch
	big := false
	// Older versions of the extension refuse the settings, but have no large scopes.
	b.Queue("SELECT coalesce(big, false), set_config('statement_timeout', $4::text, true), CASE WHEN big THEN "+
		"set_config('hnsw.iterative_scan', 'relaxed_order', true) || set_config('hnsw.ef_search', $5::text, true) || "+
		"set_config('hnsw.max_scan_tuples', $6::text, true) ELSE '' END FROM "+
		"(SELECT (SELECT big FROM "+s.scopes()+" WHERE scope = $1::uuid AND model = $2::uuid AND dim = $3::integer) AS big) s",
		c.args[0], c.args[1], len(q.Vector), left(ctx), fmt.Sprint(min(max(effortEach*q.K, effortLeast), effortMost)), fmt.Sprint(scanRows),
	).QueryRow(func(row pgx.Row) error {
		var ignored [2]string
		return row.Scan(&big, &ignored[0], &ignored[1])
	})
	indexed := q.K > 0 && q.Session == recall.ID{} // a session is compared
	if indexed {
		// Only one of the two is run: the other's condition is known to be false before.
		large := fmt.Sprintf("(SELECT big FROM %s WHERE scope = $1::uuid AND model = $2::uuid AND dim = %d)", s.scopes(), len(q.Vector))
		b.Queue(columns+table+c.where+" AND big AND "+large+" ORDER BY v <=> $3::halfvec LIMIT $4::bigint", c.args...).Query(collect)
		b.Queue(columns+table+c.where+" AND "+large+" IS NOT TRUE ORDER BY v <=> $3::halfvec, at, session, seq LIMIT $4::bigint", c.args...).Query(collect)
	} else if q.K > 0 {
		b.Queue(compared, c.args...).Query(collect)
	}
	also := 0
	if len(q.Also) > 0 {
		sessions, seqs := make([]string, len(q.Also)), make([]int64, len(q.Also))
		for i, p := range q.Also {
			sessions[i], seqs[i] = p.Session.String(), p.Seq
		}
		b.Queue(columns+table+" JOIN unnest($4::uuid[], $5::bigint[]) AS p (s, n) ON session = p.s AND seq = p.n"+
			" WHERE scope = $1::uuid AND model = $2::uuid", c.args[0], c.args[1], vector, sessions, seqs).Query(func(rows pgx.Rows) error {
			before := len(near)
			err := collect(rows)
			also = len(near) - before
			return err
		})
	}
	if err := s.pool.SendBatch(ctx, &b).Close(); err != nil {
		return nil, err
	}
	if indexed && big && len(near)-also < q.K {
		rows, err := s.pool.Query(ctx, compared, c.args...)
		if err != nil {
			return nil, err
		}
		return near, collect(rows)
	}
	return near, nil
}

// left is what a statement may take, in milliseconds: what is left of the context's time.
func left(ctx context.Context) string {
	deadline, ok := ctx.Deadline()
	if !ok {
		return "0" // no limit
	}
	return fmt.Sprint(max(time.Until(deadline).Milliseconds(), 1))
}

func scanNear(row pgx.CollectableRow) (recall.Near, error) {
	var n recall.Near
	var session string
	var check int64
	var cosine float64
	if err := row.Scan(&session, &n.Seq, &check, &n.At, &cosine); err != nil {
		return n, err
	}
	n.Check, n.Cosine = uint32(check), float32(min(max(cosine, -1), 1))
	return n, parse(&n.Session, session)
}

// clause is the condition of a query; its first arguments are the scope, the model, the
// vector and how many rows are wanted.
type clause struct {
	where string
	args  []any
}

// conditions translates the limits of a query.
func conditions(q *recall.VectorQuery, vector string) clause {
	c := clause{args: []any{q.Scope.String(), modelID(q.Model), vector, q.K}}
	parts := []string{"scope = $1::uuid", "model = $2::uuid"}
	add := func(format string, args ...any) {
		numbers := make([]any, len(args))
		for i := range args {
			numbers[i] = len(c.args) + 1 + i
		}
		c.args = append(c.args, args...)
		parts = append(parts, fmt.Sprintf(format, numbers...))
	}
	none := recall.ID{}
	if q.Session != none {
		add("session = $%d::uuid", q.Session.String())
	}
	if q.Without != none {
		add("session <> $%d::uuid", q.Without.String())
	}
	if q.Recent != none {
		add("(session <> $%d::uuid OR seq >= $%d::bigint AND seq < $%d::bigint)", q.Recent.String(), q.RecentFrom, q.RecentBefore)
	}
	if q.NoUser {
		add("agent")
	}
	if q.NoAgent {
		add("NOT agent")
	}
	if q.Since != nil {
		add("at >= $%d::bigint", *q.Since)
	}
	if q.Until != nil {
		add("at < $%d::bigint", *q.Until)
	}
	if q.MinImportance > 0 {
		add("importance >= $%d::smallint", min(q.MinImportance, 1<<15-1))
	}
	c.where = " WHERE " + strings.Join(parts, " AND ")
	return c
}
