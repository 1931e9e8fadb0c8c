// Package sqlstore keeps sessions in a SQL database. It is the one store behind memory/sqlite and
// memory/postgres, which bring a [DB]: how statements are sent, what a transaction costs, and what
// an error means.
//
// Every statement of a turn names its session, and the rows of a session begin with its digest
// (row.go), so that a database may keep sessions on many shards. A turn reads once and writes once:
// a commit is one transaction whose statements are known before it begins, and the comparison of the
// session's version alone decides which of two commits takes place.
//
// The SQL is that of both dialects. It is written in PostgreSQL's: casts and row locks, which SQLite
// has no need of, are taken out for it (Plain). A cast to uuid marks the digest of a session: in SQLite
// rows lie in one file in the order of their sessions' numbers, so that turns of new sessions touch
// neighbouring pages, and a table gives each digest its number.
package sqlstore

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/slotway/slotway/memory"
)

// Query is one statement with its arguments, and what becomes of the answer.
type Query struct {
	Text string
	Args []any

	// Row is called for each row that comes back. It may be called again for a transaction that is
	// run again. nil: no rows are read.
	Row func(scan func(into ...any) error) error
	// Done is called with the number of rows that a statement has changed; it may be nil.
	Done func(changed int64)
	// Must: the statement changes a row, or finds one, else the transaction ends with this error.
	Must error
	// Erases: what it deletes must not stay readable anywhere.
	Erases bool
	// Needless reports, once the queries before have been answered, that the answer is not needed; it may be nil.
	Needless func() bool
}

// Run runs a statement within a transaction.
type Run func(q *Query) error

// All runs statements one after the other.
func (run Run) All(list []*Query) error {
	for _, q := range list {
		if err := run(q); err != nil {
			return err
		}
	}
	return nil
}

// DB is a database. Its errors are those of package memory, with a remedy in their text, or a
// *Duplicate.
type DB interface {
	// Read runs queries that see one moment.
	Read(ctx context.Context, queries ...*Query) error
	// Write runs statements in one transaction, all or none, and returns when it is durable. When
	// ctx ends first it may have taken place; nothing of it runs after Write has returned.
	Write(ctx context.Context, statements ...*Query) error
	// Change is Write for statements that depend on rows. f may be called again.
	Change(ctx context.Context, f func(run Run) error) error
	// Confirm returns when what was read is as durable as an answered commit. What another try has committed
	// may not have been acknowledged.
	Confirm(ctx context.Context) error
	// Position is the SQL for where a text of bytes begins in another; 0: nowhere.
	Position(part, whole string) string
	// Numbers reports that sessions have numbers, in the table keys.
	Numbers() bool
	// Now is the SQL for the database's clock, in microseconds since 1970.
	Now() string
	// Ping reports whether the database can be read.
	Ping(ctx context.Context) error
	Close() error
}

// ErrUnknown: the connection was lost during a commit, or no standby confirmed it in time. The same
// request, sent again with its id, finds out. Errors that are this one are memory.ErrUnavailable, too.
var ErrUnknown = errors.New("outcome of the commit is not known")

// Duplicate is the error of a row whose key is there already.
type Duplicate struct{ Table string }

// Error implements error.
func (d *Duplicate) Error() string { return "a row of " + d.Table + " is there already" }

// Is makes one that nobody explains a damage: rows contradict each other.
func (d *Duplicate) Is(target error) bool { return target == memory.ErrCorrupt }

// duplicate reports the table of a *Duplicate, or "".
func duplicate(err error) string {
	var d *Duplicate
	if errors.As(err, &d) {
		return d.Table
	}
	return ""
}

var (
	digestGiven  = regexp.MustCompile(`(\$\d+)::uuid`)
	digestStored = regexp.MustCompile(`((?:\w+\.)?session)::uuid`)
	onlyPostgres = regexp.MustCompile(`::[a-z]+| FOR (?:UPDATE|SHARE|KEY SHARE)`)
	parameter    = regexp.MustCompile(`\$(\d+)`)
)

// Plain is a statement without what only PostgreSQL needs.
func Plain(text string) string {
	plain := digestGiven.ReplaceAllString(text, `(SELECT id FROM keys WHERE digest = ${1})`)
	plain = digestStored.ReplaceAllString(plain, `(SELECT digest FROM keys WHERE id = ${1})`)
	plain = onlyPostgres.ReplaceAllString(plain, "")
	return parameter.ReplaceAllString(plain, "?${1}")
}

// filter builds a condition from the fields of a query that are set.
type filter struct {
	text strings.Builder
	args []any
}

// arg adds an argument and returns its placeholder.
func (f *filter) arg(v any) string {
	f.args = append(f.args, v)
	return "$" + strconv.Itoa(len(f.args))
}

// and adds a condition, in which ? stands for the value.
func (f *filter) and(condition string, v any) {
	f.text.WriteString(" AND " + strings.Replace(condition, "?", f.arg(v), 1))
}

// equal adds a condition for a field that is set.
func (f *filter) equal(column, value string) {
	if value != "" {
		f.and(column+" = ?", value)
	}
}

// key adds conditions on the key of a session in the table s. One that names a whole key finds it by
// its digest.
func (f *filter) key(userID, agentID, sessionID string) {
	if userID != "" && agentID != "" && sessionID != "" {
		d := digestOf(memory.Key{UserID: userID, AgentID: agentID, SessionID: sessionID})
		f.and("s.session = ?::uuid", d[:])
	}
	f.equal("s.user_id", userID)
	f.equal("s.agent_id", agentID)
	f.equal("s.session_id", sessionID)
}
