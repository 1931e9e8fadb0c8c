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

// How far the index is read: hnsw.ef_search for each wanted row, at least and at most; how
// many times the wanted rows it gives, of which the nearest are kept, for where limits leave
// rows out it gives the first that pass; and how many rows are looked at before it gives up,
// which is told by there being too few. Of 20,000 rows of 128 numbers that finds 0.99 of the
// true ten nearest, 0.98 where every fourth row passes the limits, 0.99 and 1.00 where a tenth
// and a fortieth do; an effort of 200 finds 0.94 and 0.89, and without readOn a fortieth 0.93
// (TestRecall).
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

// search is one query under way.
type search struct {
	*Store
	conditions

	q            *recall.VectorQuery
	table        string
	big          bool // the scope is in the index
	ranked, also []recall.VectorMatch
}

// selected begins a statement that gives rows; $3 is the vector.
const selected = "SELECT session::text, seq, crc, at, 1 - (v <=> $3::halfvec) FROM "

// run asks in one round trip; in a second one where the index gave up.
func (x *search) run(ctx context.Context) error {
	var b pgx.Batch
	x.prepare(ctx, &b)
	indexed := x.q.Session == recall.ID{} // a session is compared
	switch {
	case x.q.K <= 0:
	case indexed:
		// Only one of the two is run: the other's condition is known to be false before.
		large := fmt.Sprintf("(SELECT big FROM %s WHERE scope = $1::uuid AND model = $2::uuid AND dim = %d)", x.scopes(), len(x.q.Vector))
		wide := slices.Clone(x.args)
		wide[3] = x.q.K * readOn
		b.Queue(selected+x.table+x.where+" AND big AND "+large+" ORDER BY v <=> $3::halfvec LIMIT $4::bigint", wide...).Query(into(&x.ranked))
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
	// Nothing: there is none, or the scope got into the index between the statements.
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

// compare is the statement that compares all rows that pass the limits and one more.
func (x *search) compare(more string) string {
	return selected + x.table + x.where + more + " ORDER BY v <=> $3::halfvec, at, session, seq LIMIT $4::bigint"
}

// prepare queues what holds for the statements after it: how long they may take, and how the
// index is read. Older versions of the extension refuse the latter, but have no large scopes.
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

// into appends what is found to a list.
func into(list *[]recall.VectorMatch) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		near, err := pgx.CollectRows(rows, scanNear)
		*list = append(*list, near...)
		return err
	}
}

// remainingMillis is what a statement may take, in milliseconds: what is left of the context's time.
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
	if err := row.Scan(&session, &n.Seq, &check, &n.At, &cosine); err != nil {
		return n, err
	}
	n.Check, n.Cosine = uint32(check), float32(min(max(cosine, -1), 1))
	return n, parseID(&n.Session, session)
}

// conditions are those of a query; its first arguments are the scope, the model, the vector
// and how many rows are wanted.
type conditions struct {
	where string
	args  []any
}

// limits translates those of a query.
func limits(q *recall.VectorQuery, vector string) conditions {
	c := conditions{args: []any{q.Scope.String(), modelID(q.Model), vector, q.K}}
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
	if q.Exclude != none {
		add("session <> $%d::uuid", q.Exclude.String())
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
