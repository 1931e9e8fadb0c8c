package pgvector

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// How far the index is read: hnsw.ef_search for each wanted row, at least and at most; how many
// times the wanted rows to fetch, of which the nearest are kept, since with limits the index
// returns the first rows that pass; and how many rows to scan before giving up, which shows in too
// few results. Of 20,000 rows of 128 numbers this finds 0.99 of the true ten nearest, 0.98 where
// every fourth row passes the limits, 0.99 and 1.00 where a tenth and a fortieth do. An effort of
// 200 finds 0.94 and 0.89, and without readOn a fortieth finds 0.93 (TestRecall).
const (
	effortEach  = 16
	effortLeast = 500
	effortMost  = 1000
	readOn      = 8
	scanRows    = 40_000
)

// Nearest implements recall.Vectors.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	vector, ok := vectorText(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	x := search{Store: s, q: &q, conditions: limits(&q, vector), table: s.rows(len(q.Vector))}
	err := x.run(ctx)
	if noTable(err) {
		return nil, nil
	}
	if err != nil {
		return nil, sanitize("find the nearest", err)
	}
	slices.SortFunc(x.ranked, nearer)
	near := append(x.ranked[:min(q.K, len(x.ranked))], x.also...)
	slices.SortFunc(near, nearer)
	return slices.CompactFunc(near, func(a, b recall.VectorMatch) bool { return a.VectorKey == b.VectorKey }), nil
}

func nearer(a, b recall.VectorMatch) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At), slices.Compare(a.Session[:], b.Session[:]), cmp.Compare(a.Seq, b.Seq))
}

// search is one search in progress.
type search struct {
	*Store
	conditions

	q            *recall.VectorQuery
	table        string
	big          bool // the scope is in the index
	ranked, also []recall.VectorMatch
}

// selected begins a statement that returns rows; $3 is the vector.
const selected = "SELECT session::text, seq, crc, at, 1 - (v <=> $3::halfvec) FROM "

// run searches in one round trip, or in a second one if the index gave up.
func (x *search) run(ctx context.Context) error {
	var b pgx.Batch
	x.prepare(ctx, &b)
	indexed := x.q.Session == recall.ID{} // one session is always compared row by row
	switch {
	case x.q.K <= 0:
	case indexed:
		// Only one of the two statements does work: the other's condition is false from the start.
		large := fmt.Sprintf("(SELECT big FROM %s WHERE scope = $1::uuid AND model = $2::uuid AND dim = %d)", x.scopes(), len(x.q.Vector))
		wide := slices.Clone(x.args)
		wide[3] = x.q.K * readOn
		b.Queue(selected+x.table+x.where()+" AND big AND "+large+" ORDER BY v <=> $3::halfvec LIMIT $4::bigint", wide...).Query(into(&x.ranked))
		b.Queue(x.compare(" AND "+large+" IS NOT TRUE"), x.args...).Query(into(&x.ranked))
	default:
		b.Queue(x.compare(""), x.args...).Query(into(&x.ranked))
	}
	if len(x.q.Include) > 0 {
		sessions, seqs := make([]string, len(x.q.Include)), make([]int64, len(x.q.Include))
		for i, p := range x.q.Include {
			sessions[i], seqs[i] = p.Session.String(), p.Seq
		}
		b.Queue(selected+x.table+" JOIN unnest($4::uuid[], $5::bigint[]) AS p (s, n) ON session = p.s AND seq = p.n"+
			" WHERE scope = $1::uuid AND model = $2::uuid", x.args[0], x.args[1], x.args[2], sessions, seqs).Query(into(&x.also))
	}
	if err := x.pool.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	// No rows: there are none, or the scope was indexed between the statements.
	if !indexed || len(x.ranked) >= x.q.K || !x.big && len(x.ranked) > 0 {
		return nil
	}
	rows, err := x.pool.Query(ctx, x.compare(""), x.args...)
	if err != nil {
		return err
	}
	x.ranked = nil
	return into(&x.ranked)(rows)
}

// compare is the statement that compares all rows that pass the limits and one more condition.
func (x *search) compare(more string) string {
	return selected + x.table + x.where() + more + " ORDER BY v <=> $3::halfvec, at, session, seq LIMIT $4::bigint"
}

// prepare queues the settings of the statements that follow: their time limit, and how the index is
// read. Older versions of the extension do not know the latter, but have no large scopes.
func (x *search) prepare(ctx context.Context, b *pgx.Batch) {
	effort := min(max(effortEach*x.q.K, effortLeast), effortMost)
	b.Queue("SELECT coalesce(big, false), set_config('statement_timeout', $4::text, true), CASE WHEN big THEN "+
		"set_config('hnsw.iterative_scan', 'relaxed_order', true) || set_config('hnsw.ef_search', $5::text, true) || "+
		"set_config('hnsw.max_scan_tuples', $6::text, true) ELSE '' END FROM "+
		"(SELECT (SELECT big FROM "+x.scopes()+" WHERE scope = $1::uuid AND model = $2::uuid AND dim = $3::integer) AS big) s",
		x.args[0], x.args[1], len(x.q.Vector), remainingMillis(ctx), fmt.Sprint(effort), fmt.Sprint(scanRows),
	).QueryRow(func(row pgx.Row) error {
		var ignored [2]string
		return row.Scan(&x.big, &ignored[0], &ignored[1])
	})
}

// into appends the found rows to a list.
func into(list *[]recall.VectorMatch) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		near, err := pgx.CollectRows(rows, scanNear)
		*list = append(*list, near...)
		return err
	}
}

// remainingMillis returns what is left of the context's time, in milliseconds.
func remainingMillis(ctx context.Context) string {
	deadline, ok := ctx.Deadline()
	if !ok {
		return "0" // no limit
	}
	return fmt.Sprint(max(time.Until(deadline).Milliseconds(), 1))
}

func scanNear(row pgx.CollectableRow) (recall.VectorMatch, error) {
	var n recall.VectorMatch
	var session string
	var check int64
	var cosine float64
	err := row.Scan(&session, &n.Seq, &check, &n.At, &cosine)
	if err != nil {
		return n, err
	}
	n.Check, n.Cosine = uint32(check), float32(min(max(cosine, -1), 1))
	n.Session, err = vec.ParseID(session)
	return n, err
}
