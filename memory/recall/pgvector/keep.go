package pgvector

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory/recall"
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
		counts, args := s.counted(&d)
		// Counts are locked before rows, in one order, as a put does.
		rows, err := tx.Query(ctx, "SELECT dim FROM "+s.scopes()+counts+" ORDER BY scope, model, dim FOR UPDATE", args...)
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
		_, err = tx.Exec(ctx, "DELETE FROM "+s.scopes()+counts+" AND held = 0", args...)
		return err
	})
	if noTable(err) {
		return nil
	}
	return sanitize("drop vectors", err)
}

// counted is the condition for the counts of what is dropped.
func (*Store) counted(d *recall.VectorDrop) (where string, args []any) {
	where, args = " WHERE usr = $1::uuid", []any{d.User.String()}
	if none := (recall.ID{}); d.Scope != none {
		args = append(args, d.Scope.String())
		where += fmt.Sprintf(" AND scope = $%d::uuid", len(args))
	}
	if d.Model != "" {
		args = append(args, modelID(d.Model), d.Dim)
		where += fmt.Sprintf(" AND model = $%d::uuid AND dim = $%d::integer", len(args)-1, len(args))
	}
	if len(d.Keep) > 0 {
		kept := make([]string, len(d.Keep))
		for i, name := range d.Keep {
			kept[i] = modelID(name)
		}
		args = append(args, kept)
		where += fmt.Sprintf(" AND model <> ALL ($%d::uuid[])", len(args))
	}
	return where, args
}

// drop deletes the rows of one length. Their counts are locked.
func (s *Store) drop(ctx context.Context, tx pgx.Tx, d *recall.VectorDrop, dim int) error {
	counts, args := s.counted(d)
	args = append(args, dim)
	at := len(args)
	conditions := []string{"true"}
	if none := (recall.ID{}); d.Session != none {
		args = append(args, d.Session.String())
		conditions = append(conditions, fmt.Sprintf("t.session = $%d::uuid", len(args)))
	}
	if d.Seqs != nil {
		args = append(args, d.Seqs)
		conditions = append(conditions, fmt.Sprintf("t.seq = ANY ($%d::bigint[])", len(args)))
	}
	if d.Before != nil {
		args = append(args, d.Before.Born, d.Before.Epoch)
		conditions = append(conditions, fmt.Sprintf("(t.born, t.epoch) < ($%d::bigint, $%d::bigint)", len(args)-1, len(args)))
	}
	_, err := tx.Exec(ctx, fmt.Sprintf(`WITH gone AS (
	DELETE FROM %s t USING (SELECT scope, model FROM %s%s AND dim = $%d::integer) c
	WHERE t.scope = c.scope AND t.model = c.model AND %s RETURNING t.scope, t.model
), n AS (SELECT scope, model, count(*) AS gone FROM gone GROUP BY scope, model)
UPDATE %[2]s s SET held = greatest(s.held - n.gone, 0) FROM n WHERE s.scope = n.scope AND s.model = n.model AND s.dim = $%[4]d::integer`,
		s.rows(dim), s.scopes(), counts, at, strings.Join(conditions, " AND ")), args...)
	return err
}

// errCallback marks the error of whoever is handed owners.
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
		err = s.documentOwners(ctx, each)
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
		var o recall.Owner
		if err := errors.Join(parseID(&o.User, ids[0]), parseID(&o.Scope, ids[1]), parseID(&o.Session, ids[2])); err != nil {
			return err
		}
		if err := each(o); err != nil {
			return fmt.Errorf("%w: %w", errCallback, err)
		}
	}
	return rows.Err()
}

// parseID reads an ID as the server writes it.
func parseID(id *recall.ID, text string) error {
	raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(raw) != len(id) {
		return errors.New("an id is not one")
	}
	copy(id[:], raw)
	return nil
}
