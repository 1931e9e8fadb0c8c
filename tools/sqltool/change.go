package sqltool

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/slotway/slotway/tools"
)

const createCalls = `
CREATE TABLE IF NOT EXISTS slotway_calls (
	idempotency_key TEXT PRIMARY KEY,
	tool            TEXT NOT NULL,
	args_digest     TEXT NOT NULL, -- hex SHA-256 over the tool's name and the arguments
	result          TEXT NOT NULL, -- JSON
	at              INTEGER NOT NULL -- Unix milliseconds
) STRICT`

const (
	findCall   = `SELECT args_digest, result FROM slotway_calls WHERE idempotency_key = ?1`
	recordCall = `INSERT INTO slotway_calls (idempotency_key, tool, args_digest, result, at) VALUES (?1, ?2, ?3, ?4, ?5)`
)

// change runs a write in a transaction, once for each idempotency key.
func (t *Tool) change(ctx context.Context, call tools.Call, args []any) (any, error) {
	tx, err := t.db.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	once := call.IdempotencyKey != "" && t.spec.Idempotent
	if once {
		earlier, found, err := t.earlier(ctx, tx, call)
		if err != nil || found {
			return earlier, err
		}
	}
	value, err := t.perform(ctx, tx, args)
	if err != nil {
		return nil, err
	}
	if once {
		if err := t.record(ctx, tx, call, value); err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		out := asError(t.spec.Name, err)
		// If ctx has ended, database/sql refuses to commit and rolls back; any other error comes
		// from the disk, at an unknown point.
		out.Uncertain = !errors.Is(err, sql.ErrTxDone) && ctx.Err() == nil
		return nil, out
	}
	return value, nil
}

// perform runs the statement: the result is {"changed": n}, or the rows of RETURNING. With `one`, a
// statement that changes no row is not_found.
func (t *Tool) perform(ctx context.Context, tx *sql.Tx, args []any) (any, error) {
	stmt := tx.StmtContext(ctx, t.prepared)
	if t.stmt.returning {
		return t.query(ctx, stmt, args)
	}
	res, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return nil, err
	}
	if n == 0 && t.spec.One {
		return nil, t.fail(tools.NotFound, "no row", nil)
	}
	return map[string]any{"changed": float64(n)}, nil
}

// earlier returns the result of an earlier call with this key, if there is one.
func (t *Tool) earlier(ctx context.Context, tx *sql.Tx, call tools.Call) (any, bool, error) {
	if _, err := tx.ExecContext(ctx, createCalls); err != nil {
		return nil, false, err
	}
	var digest, result string
	err := tx.QueryRowContext(ctx, findCall, call.IdempotencyKey).Scan(&digest, &result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	own, err := digestOf(t.spec.Name, call.Args)
	if err != nil {
		return nil, false, err
	}
	if digest != own {
		return nil, false, t.fail(tools.Conflict, "the idempotency key was used with other arguments", nil)
	}
	// It was normal when it was recorded; DecodeJSON would turn a large float into text.
	var value any
	if err := json.Unmarshal([]byte(result), &value); err != nil {
		return nil, false, t.fail(tools.BadResult, "the recorded result cannot be read", err)
	}
	return value, true, nil
}

func (t *Tool) record(ctx context.Context, tx *sql.Tx, call tools.Call, value any) error {
	digest, err := digestOf(t.spec.Name, call.Args)
	if err != nil {
		return err
	}
	result, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, recordCall, call.IdempotencyKey, t.spec.Name, digest, string(result), time.Now().UnixMilli())
	return err
}

// digestOf returns a digest of a tool's arguments; encoding/json sorts the keys, so equal arguments
// have equal digests. Nil arguments count as absent.
func digestOf(tool string, args map[string]any) (string, error) {
	given := make(map[string]any, len(args))
	for name, v := range args {
		if v != nil {
			given[name] = v
		}
	}
	text, err := json.Marshal([]any{tool, given})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
