package pgvector

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// Stored implements recall.Vectors.
func (s *Store) Stored(ctx context.Context, set recall.VectorSet, after int64, limit int) ([]recall.StoredRow, error) {
	rows, err := s.pool.Query(ctx, "SELECT seq, crc, born, epoch FROM "+s.rows(set.Dim)+
		" WHERE scope = $1::uuid AND model = $2::uuid AND session = $3::uuid AND seq > $4::bigint ORDER BY seq LIMIT $5::bigint",
		set.Scope.String(), modelID(set.Model), set.Session.String(), after, limit)
	var out []recall.StoredRow
	if err == nil {
		out, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (r recall.StoredRow, err error) {
			var check int64
			err = row.Scan(&r.Seq, &check, &r.Fence.Born, &r.Fence.Epoch)
			r.Check = uint32(check)
			return r, err
		})
	}
	if noTable(err) {
		return nil, nil
	}
	return out, sanitize("list vectors", err)
}

// Drop implements recall.Vectors.
func (s *Store) Drop(ctx context.Context, d recall.VectorDrop) error {
	if d.Model == "" && len(d.Keep) == 0 && d.Seqs == nil {
		if err := s.DropDocuments(ctx, d); err != nil {
			return err
		}
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		counts := counted(&d)
		// Counts are locked before rows and in a fixed order, as a put does.
		rows, err := tx.Query(ctx, "SELECT dim FROM "+s.scopes()+counts.where()+" ORDER BY scope, model, dim FOR UPDATE", counts.args...)
		if err != nil {
			return err
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if err != nil {
			return err
		}
		dims := map[int]bool{}
		for _, dim := range list {
			dims[dim] = true
		}
		for dim := range dims {
			if err := s.drop(ctx, tx, &d, dim); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "DELETE FROM "+s.scopes()+counts.where()+" AND held = 0", counts.args...)
		return err
	})
	if noTable(err) {
		return nil
	}
	return sanitize("drop vectors", err)
}

// counted selects the counts of what is dropped.
func counted(d *recall.VectorDrop) *conditions {
	c := ownedBy(d)
	if d.Model != "" {
		c.add("model = $%d::uuid AND dim = $%d::integer", modelID(d.Model), d.Dim)
	}
	if len(d.Keep) > 0 {
		kept := make([]string, len(d.Keep))
		for i, name := range d.Keep {
			kept[i] = modelID(name)
		}
		c.add("model <> ALL ($%d::uuid[])", kept)
	}
	return c
}

// drop deletes the rows of one vector length. The caller has locked their counts.
func (s *Store) drop(ctx context.Context, tx pgx.Tx, d *recall.VectorDrop, dim int) error {
	counts := counted(d)
	counts.add("dim = $%d::integer", dim)
	rows := conditions{parts: []string{"t.scope = c.scope", "t.model = c.model"}, args: counts.args}
	rows.rowsOf(d)
	_, err := tx.Exec(ctx, fmt.Sprintf(`WITH gone AS (
	DELETE FROM %s t USING (SELECT scope, model FROM %s%s) c%s RETURNING t.scope, t.model
), n AS (SELECT scope, model, count(*) AS gone FROM gone GROUP BY scope, model)
UPDATE %[2]s s SET held = greatest(s.held - n.gone, 0) FROM n WHERE s.scope = n.scope AND s.model = n.model AND s.dim = $%[5]d::integer`,
		s.rows(dim), s.scopes(), counts.where(), rows.where(), len(counts.args)), rows.args...)
	return err
}

// errCallback marks errors of the callback of Owners.
var errCallback = errors.New("ended")

// Owners implements recall.Vectors.
func (s *Store) Owners(ctx context.Context, each func(recall.Owner) error) error {
	rows, err := s.pool.Query(ctx, "SELECT DISTINCT dim FROM "+s.scopes())
	var dims []int
	if err == nil {
		dims, err = pgx.CollectRows(rows, pgx.RowTo[int])
	}
	if noTable(err) {
		return nil
	}
	for _, dim := range dims {
		if err == nil {
			err = s.ownersIn(ctx, s.rows(dim), each)
		}
	}
	if err == nil {
		if err = s.ownersIn(ctx, s.documents(), each); noTable(err) {
			err = nil
		}
	}
	return sanitize("list sessions", err)
}

func (s *Store) ownersIn(ctx context.Context, table string, each func(recall.Owner) error) error {
	rows, err := s.pool.Query(ctx, "SELECT DISTINCT usr::text, scope::text, session::text FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var ids [3]string
		if err := rows.Scan(&ids[0], &ids[1], &ids[2]); err != nil {
			return err
		}
		o, err := vec.ParseOwner(ids[0], ids[1], ids[2])
		if err != nil {
			return err
		}
		if err := each(o); err != nil {
			return fmt.Errorf("%w: %w", errCallback, err)
		}
	}
	return rows.Err()
}
