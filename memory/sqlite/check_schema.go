package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/slotway/slotway/memory"
)

// versions reads which schema the file has as a start does, and refuses what is not ours.
func (r *Report) versions(ctx context.Context, path string, c *conn) error {
	if err := recognise(c); err != nil {
		return err
	}
	name, err := dataSource(path, url.Values{"mode": {"ro"}, "_pragma": {busyPragma(defaultBusy)}})
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer db.Close()
	list, err := record(ctx, db, false)
	if errors.Is(err, ErrNewer) {
		return err
	}
	odd := c.query(oddRecord, func([]any) error { return memory.ErrCorrupt })
	damaged := err != nil || odd != nil
	for i, m := range slices.Backward(list) {
		r.Latest = max(r.Latest, m.Version)
		if m.Applied {
			r.Schema = max(r.Schema, m.Version)
		}
		damaged = damaged || !m.Applied && (i == 0 || r.Schema > 0)
	}
	if damaged {
		r.add(Problem{Kind: ProblemSchema, Table: "goose_db_version", Text: "the record of migrations is damaged"})
	}
	return nil
}

// oddRecord finds what a start does not mind, and no migration has made.
const oddRecord = `SELECT 1 FROM (SELECT min(version_id) first, sum(is_applied IS 1) done, count(DISTINCT version_id) known FROM goose_db_version)
	WHERE first IS NOT 0 OR done IS NOT known`

func newer(have, known int64) error {
	return fmt.Errorf("%w: schema %d, known up to %d; use a newer release", ErrNewer, have, known)
}

// recognise tells our files and empty ones from others, without changing anything.
func recognise(c *conn) error {
	var id int64
	var n tableCount
	if err := c.query("PRAGMA application_id", func(row []any) error {
		id = asInt(row[0])
		return nil
	}); err != nil {
		return err
	}
	if err := c.query(countTables, func(row []any) error {
		n = tableCount{asInt(row[0]), asInt(row[1]), asInt(row[2])}
		return nil
	}); err != nil {
		return err
	}
	return recognised(id, n)
}

// tableCount counts the objects of a schema: all but goose's, those of ours that no other
// program has, and the table of versions.
type tableCount struct{ all, ours, versions int64 }

const countTables = `SELECT count(*) FILTER (WHERE name NOT IN ('goose_db_version', 'sqlite_sequence')),
	count(*) FILTER (WHERE name IN ('plan_steps', 'plan_steps_by_origin', 'turns_by_request')),
	count(*) FILTER (WHERE name = 'goose_db_version') FROM sqlite_schema`

// recognised tells our files and empty ones from others.
func recognised(id int64, n tableCount) error {
	switch {
	case id == applicationID && n.all > 0 && n.versions == 0:
		return fmt.Errorf("%w: %s", memory.ErrCorrupt, textSchema)
	case id == applicationID || id == 0 && n.all == 0:
		return nil
	case n.ours == 3:
		return fmt.Errorf("%w: the header of the file is damaged; %s", memory.ErrCorrupt, textCorrupt)
	}
	return fmt.Errorf("%w: choose another path, or restore a backup if it was the session database", ErrForeign)
}

// Columns and indexes, but those of the record of migrations, as SQLite understands them: the text of a CREATE may differ in its
// comments and still say the same.
const (
	selectColumns = `SELECT m.name || '.' || x.name, x.type || ' ' || x."notnull" || ' ' || x.pk || ' ' || coalesce(x.dflt_value, '') || ' ' || x.hidden
		FROM sqlite_schema m, pragma_table_xinfo(m.name) x WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite~_%' ESCAPE '~' AND m.name NOT LIKE 'goose%'`
	selectTables  = `SELECT name, type || ' ' || wr || ' ' || strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name NOT LIKE 'goose%'`
	selectIndexes = `SELECT l.name || ' ' || x.seqno, m.name || ' ' || coalesce(x.name, '') || ' ' || l."unique" || ' ' || l.partial || ' ' || x."desc" || ' ' || x.coll
		FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_xinfo(l.name) x WHERE m.type = 'table'`
	selectPartial = `SELECT name, substr(sql, instr(sql, ' WHERE ')) FROM sqlite_schema WHERE type = 'index' AND instr(sql, ' WHERE ') > 0`
)

// shape reads a schema as names with descriptions.
func shape(query func(text string, each func([]any) error, args ...any) error) (map[string]string, error) {
	all := map[string]string{}
	for i, text := range [...]string{selectColumns, selectTables, selectIndexes, selectPartial} {
		what := [...]string{"column ", "table ", "index ", "condition of "}[i]
		if err := query(text, func(row []any) error {
			all[what+asText(row[0])] = asText(row[1])
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// wantedShape is the shape of a new database.
func wantedShape() (map[string]string, error) {
	c, err := newMemory()
	if err != nil {
		return nil, err
	}
	all, err := shape(c.query)
	return all, errors.Join(err, c.close())
}

// schema compares the file's tables with those that the migrations make.
func (r *Report) schema(c *conn) error {
	want, err := wantedShape()
	if err != nil {
		return err
	}
	have, err := shape(c.query)
	if err != nil {
		r.unreadable("sqlite_schema", err)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got, ok := have[name]; !ok {
			r.add(Problem{Kind: ProblemSchema, Table: "sqlite_schema", Text: name + " is missing"})
		} else if got != want[name] {
			r.add(Problem{Kind: ProblemSchema, Table: "sqlite_schema", Text: name + " is not what the migrations made"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; !ok {
			r.add(Problem{Kind: ProblemSchema, Table: "sqlite_schema", Text: "one more than the migrations made: " + name})
		}
	}
	return nil
}
