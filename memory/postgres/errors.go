package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Errors about the database itself.
var (
	// ErrForeign: the schema holds tables of the same names that are another program's.
	ErrForeign = errors.New("schema belongs to another program")
	// ErrNewer: it was written by a newer release, with a schema unknown here.
	ErrNewer = errors.New("database has a newer schema than this program knows")
	// ErrUnsuitable: the database cannot hold sessions as it is set up.
	ErrUnsuitable = errors.New("database is not set up for sessions")
	// ErrUnknown is that of sqlstore.
	ErrUnknown = sqlstore.ErrUnknown
)

var errOutcomeUnknown = fmt.Errorf("%w: %w; send the same request again", memory.ErrUnavailable, ErrUnknown)

// remedy says what an error of the server means and what the operator can do about it.
type remedy struct {
	sentinel error
	text     string
}

const (
	textSchema = "the tables are not those of this release; run 'slotway migrate', or restore a backup"
	textLost   = "the connection to the database was lost; try again"
	textDamage = "the server found damage; check its log and its disks, then restore a backup"
)

// remedies are found by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html),
// else by its class, the first two characters.
var remedies = map[string]remedy{
	"08":    {memory.ErrUnavailable, textLost},
	"22":    {memory.ErrBadDelta, "a value that the database cannot hold"},
	"23":    {memory.ErrCorrupt, "stored rows contradict each other; check the log of the server, then restore a backup"},
	"25006": {memory.ErrUnavailable, "the database is read-only; let the dsn lead to the primary"},
	"25":    {memory.ErrUnavailable, "the transaction was ended by the server; try again"},
	"26000": {memory.ErrUnavailable, "a pooler mixes up prepared statements; try again, or add default_query_exec_mode=cache_describe to the dsn"},
	"42P05": {memory.ErrUnavailable, "a pooler mixes up prepared statements; try again, or add default_query_exec_mode=cache_describe to the dsn"},
	"28":    {memory.ErrUnavailable, "the server refuses the user; check name and password in the dsn, and pg_hba.conf"},
	"3D":    {memory.ErrUnavailable, "there is no such database; create it, or correct the dsn"},
	"3F":    {memory.ErrUnavailable, "there is no such schema; create it, or correct the search_path"},
	"40":    {memory.ErrUnavailable, "other transactions were in the way time and again; try again"},
	"42501": {memory.ErrUnavailable, "the user may not do this; grant it the rights on the schema and its tables"},
	"42":    {memory.ErrCorrupt, textSchema},
	"53100": {memory.ErrUnavailable, "the disk of the server is full; make room and try again"},
	"53200": {memory.ErrUnavailable, "the server is out of memory; give it more, or lower work_mem or max_connections"},
	"53300": {memory.ErrUnavailable, "the server has no connection left; lower memory.max_connections, raise the server's max_connections, or put a pooler in between"},
	"53":    {memory.ErrUnavailable, "the server lacks resources; try again"},
	"54":    {memory.ErrBadDelta, "a value is too large for the database"},
	"55P03": {memory.ErrUnavailable, "another transaction holds the session; try again, and look into pg_stat_activity if it lasts"},
	"57014": {memory.ErrUnavailable, "the statement took longer than it may; try again, and look for load and locks if it lasts"},
	"57":    {memory.ErrUnavailable, "the server is stopping or starting, or has ended the connection; try again"},
	"58":    {memory.ErrUnavailable, "the server meets errors of its operating system; check its log and its disks"},
	"XX001": {memory.ErrCorrupt, textDamage},
	"XX002": {memory.ErrCorrupt, textDamage},
	"XX":    {memory.ErrUnavailable, "the server has failed within; check its log"},
}

// explain turns an error of the driver into a sentinel with a remedy. None of the driver's text
// remains: it can quote values, the dsn and names of people. Only the SQLSTATE, or the reason of
// the operating system, remains. A context that has ended comes first.
func explain(ctx context.Context, err error) error {
	var server *pgconn.PgError
	var scan pgx.ScanArgError
	switch {
	case err == nil || ours(err):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &server):
		return explainState(server.Code)
	case errors.As(err, &scan):
		return fmt.Errorf("%w: %s", memory.ErrCorrupt, textSchema)
	}
	return fmt.Errorf("%w: %s", memory.ErrUnavailable, explainNetwork(err))
}

// explainState explains an error of the server.
func explainState(code string) error {
	r, ok := remedies[code]
	if !ok && len(code) == 5 {
		r, ok = remedies[code[:2]]
	}
	if !ok {
		r = remedies["XX"]
	}
	return fmt.Errorf("%w: %s (SQLSTATE %s)", r.sentinel, r.text, code)
}

// explainNetwork says why the server cannot be reached.
func explainNetwork(err error) string {
	var (
		connect *pgconn.ConnectError
		parse   *pgconn.ParseConfigError
		dns     *net.DNSError
		errno   syscall.Errno
	)
	text := textLost
	switch {
	case errors.As(err, &parse):
		return "the dsn cannot be read; it is a postgres:// URL or words like host=... user=..."
	case errors.As(err, &connect):
		text = "the database cannot be reached; check the dsn, the network and the server"
	case errors.Is(err, context.DeadlineExceeded):
		text = "the database did not answer in time; check its load and the network"
	}
	switch {
	case errors.As(err, &dns):
		text += " (its name is not known)"
	case errors.As(err, &errno):
		text += " (" + errno.Error() + ")"
	case errors.Is(err, context.DeadlineExceeded):
		text += " (timeout)"
	}
	return text
}

// sentinels are the errors that callers of a store tell apart.
var sentinels = []error{
	memory.ErrConflict, memory.ErrNotFound, memory.ErrBadKey, memory.ErrBadDelta, memory.ErrBadExport, memory.ErrCorrupt, memory.ErrStarted,
	memory.ErrLease, memory.ErrClosed, memory.ErrUnavailable, ErrForeign, ErrNewer, ErrUnsuitable, ErrUnknown, ErrDurability,
	context.Canceled,
}

// ours reports an error that is explained already.
func ours(err error) bool {
	if errors.As(err, new(*sqlstore.Duplicate)) {
		return true
	}
	for _, s := range sentinels {
		if errors.Is(err, s) {
			return true
		}
	}
	return false
}

// unsent is an error from before a commit was sent: the transaction had no effect.
type unsent struct{ error }

// Unwrap implements errors.
func (u unsent) Unwrap() error { return u.error }

// unstarted is an error from before a change began: of a read, or of a pool without connections.
// All retries have been made.
type unstarted struct{ error }

// Unwrap implements errors.
func (u unstarted) Unwrap() error { return u.error }

// again reports an error after which a transaction had no effect and may run once more: a
// deadlock, a serialization failure, a statement that a pooler has mixed up, a connection that
// broke before the commit was sent.
func again(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, new(unsent)) {
		return true
	}
	if errors.As(err, &server) {
		return strings.HasPrefix(server.Code, "40") && server.Code != "40003" || mixed(err)
	}
	return false
}

// mixed reports that a pooler gave a transaction a connection on which a prepared statement
// is missing, or is prepared already.
func mixed(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "26000" || server.Code == "42P05")
}

// lost reports an error after which nobody knows whether the transaction took place: the
// connection broke, or the server ended it (a FATAL may come between the commit and the
// answer), or it says itself that it does not know. What the driver says of an error being
// safe to retry is not relied on: in pgx 5.12.0 a COMMIT whose answer was lost gives "conn
// closed", which it calls safe (MultiResultReader.NextResult drops the error of peekMessage).
func lost(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, new(unsent)) || errors.As(err, new(unstarted)) {
		return false
	}
	if errors.As(err, &server) {
		return server.SeverityUnlocalized != "ERROR" || server.Code == "40003" || strings.HasPrefix(server.Code, "08")
	}
	return err != nil && !ours(err)
}

// orDuplicate names the table of a row whose key is there already.
func orDuplicate(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == "23505" {
		return &sqlstore.Duplicate{Table: server.TableName}
	}
	return err
}
