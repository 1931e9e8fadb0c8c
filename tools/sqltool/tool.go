package sqltool

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// maxRows limits a result; more rows are bad_result, since a list that was cut would look complete.
const maxRows = 1000

// Verbs with which a statement may start.
var (
	readVerbs  = []string{"SELECT", "WITH", "VALUES"}
	writeVerbs = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"}
)

// Tool is one declared statement.
type Tool struct {
	spec *tools.Spec
	db   *DB
	stmt statement

	prepared *sql.Stmt
}

var _ tools.Prompt = (*Tool)(nil)

// New returns the tool of a declaration. It fails if the database cannot prepare the statement, if
// there are several statements, or if the verb does not fit the declared effect.
func New(spec *tools.Spec, db *DB) (*Tool, error) {
	stmt, err := parse(spec.Query)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	verbs, pool := writeVerbs, db.write
	if spec.Effect == config.EffectRead {
		verbs, pool = readVerbs, db.read
	}
	if !slices.Contains(verbs, stmt.verb) {
		return nil, fmt.Errorf("query: a tool with effect %s cannot begin with %s", spec.Effect, stmt.verb)
	}
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	prepared, err := db.prepare(ctx, pool, stmt.text)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err) // of the file's text; nothing is bound yet
	}
	return &Tool{spec: spec, db: db, stmt: stmt, prepared: prepared}, nil
}

// Call runs the statement.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	args, err := bind(t.stmt.names, call.Args)
	if err != nil {
		return nil, t.fail(tools.InvalidInput, "an argument cannot be bound", err)
	}
	var value any
	if t.spec.Effect == config.EffectRead {
		value, err = t.query(ctx, t.prepared, args)
	} else {
		value, err = t.change(ctx, call, args)
	}
	if err != nil {
		return nil, asError(t.spec.Name, err)
	}
	return value, nil
}

// Prompt implements tools.Prompt. A read ends when its context does: SQLite is interrupted. Only while
// another process locks the whole file may it take the busy timeout, 5 s. A write waits for others.
func (t *Tool) Prompt() bool { return t.spec.Effect == config.EffectRead }

func (t *Tool) fail(code tools.Code, detail string, err error) *tools.Error {
	return &tools.Error{Code: code, Tool: t.spec.Name, Detail: detail, Err: err}
}

// query returns the rows of the statement, or with `one` its first.
func (t *Tool) query(ctx context.Context, stmt *sql.Stmt, args []any) (any, error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, err := t.scan(rows)
	if err != nil {
		return nil, err
	}
	if !t.spec.One {
		return list, nil
	}
	if len(list) == 0 {
		return nil, t.fail(tools.NotFound, "no row", nil)
	}
	return list[0], nil
}

func (t *Tool) scan(rows *sql.Rows) ([]any, error) {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	list := []any{}
	for rows.Next() {
		if len(list) == maxRows {
			return nil, t.fail(tools.BadResult, fmt.Sprintf("more than %d rows", maxRows), nil)
		}
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make(map[string]any, len(columns))
		for i, c := range columns {
			row[c.Name()] = day(c, values[i])
		}
		normal, err := tools.Normal(row)
		if err != nil {
			return nil, t.fail(tools.BadResult, "a row "+err.Error(), nil)
		}
		list = append(list, normal)
	}
	return list, rows.Err()
}

// day reverses what the driver does to a DATE column: it reads 2024-05-01 as a point in time, and
// users would see an hour that nobody wrote.
func day(c *sql.ColumnType, v any) any {
	t, ok := v.(time.Time)
	if ok && c.DatabaseTypeName() == "DATE" && t.Equal(t.Truncate(24*time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return v
}

// bind returns the arguments in the order of the placeholders; a missing one is NULL.
func bind(names []string, args map[string]any) ([]any, error) {
	out := make([]any, len(names))
	for i, name := range names {
		var err error
		if out[i], err = column(args[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// column returns the SQL value of an argument. Whole numbers become integers, because a TEXT column
// would store and compare 5.0 as '5.0'; lists and objects become JSON.
func column(v any) (any, error) {
	switch v := v.(type) {
	case nil, string, bool:
		return v, nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
			return int64(v), nil
		}
		return v, nil
	case []any, map[string]any:
		text, err := json.Marshal(v)
		return string(text), err
	}
	return nil, errors.New("an argument that is not JSON-normal")
}
