package pgvector

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/memory/recall"
)

// conditions collects the conditions of a statement and its arguments.
type conditions struct {
	parts []string
	args  []any
}

// add appends a condition. Each %d in it becomes the number of one of its arguments.
func (c *conditions) add(format string, args ...any) {
	numbers := make([]any, len(args))
	for i := range args {
		numbers[i] = len(c.args) + 1 + i
	}
	c.args = append(c.args, args...)
	c.parts = append(c.parts, fmt.Sprintf(format, numbers...))
}

func (c *conditions) where() string { return " WHERE " + strings.Join(c.parts, " AND ") }

// none is the ID that limits nothing.
var none recall.ID

// ownedBy selects what belongs to a user, and to a scope if one is given.
func ownedBy(d *recall.VectorDrop) *conditions {
	c := &conditions{}
	c.add("usr = $%d::uuid", d.User.String())
	if d.Scope != none {
		c.add("scope = $%d::uuid", d.Scope.String())
	}
	return c
}

// rowsOf limits a deletion to a session, its messages, and earlier fences.
func (c *conditions) rowsOf(d *recall.VectorDrop) {
	if d.Session != none {
		c.add("session = $%d::uuid", d.Session.String())
	}
	if d.Seqs != nil {
		c.add("seq = ANY ($%d::bigint[])", d.Seqs)
	}
	if d.Before != nil {
		c.add("(born, epoch) < ($%d::bigint, $%d::bigint)", d.Before.Born, d.Before.Epoch)
	}
}

// limits returns the conditions of a query. Its first arguments are the scope, the model, the
// vector and the number of wanted rows.
func limits(q *recall.VectorQuery, vector string) conditions {
	c := conditions{
		parts: []string{"scope = $1::uuid", "model = $2::uuid"},
		args:  []any{q.Scope.String(), modelID(q.Model), vector, q.K},
	}
	if q.Session != none {
		c.add("session = $%d::uuid", q.Session.String())
	}
	if q.Exclude != none {
		c.add("session <> $%d::uuid", q.Exclude.String())
	}
	if q.Recent != none {
		c.add("(session <> $%d::uuid OR seq >= $%d::bigint AND seq < $%d::bigint)", q.Recent.String(), q.RecentFrom, q.RecentBefore)
	}
	if q.NoUser {
		c.add("agent")
	}
	if q.NoAgent {
		c.add("NOT agent")
	}
	if q.Since != nil {
		c.add("at >= $%d::bigint", *q.Since)
	}
	if q.Until != nil {
		c.add("at < $%d::bigint", *q.Until)
	}
	if q.MinImportance > 0 {
		c.add("importance >= $%d::smallint", min(q.MinImportance, 1<<15-1))
	}
	return c
}
