package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

// durability says what an acknowledged commit survives.
type durability string

// The durabilities, the weakest first.
const (
	durabilityNone    durability = "nothing" // synchronous_commit or fsync is off: a crash of the server takes the newest commits
	durabilityDisk    durability = "disk"    // the server's own: a standby that takes over may lack the newest ones
	durabilityStandby durability = "standby" // the loss of the server
	durabilityUnknown durability = ""        // the server is not one that says so
)

// ErrDurability: the database promises less than Options.RequireSync demands.
var ErrDurability = errors.New("database acknowledges commits that no standby has")

var errNotDurable = fmt.Errorf("%w: %w; set synchronous_standby_names, and synchronous_commit to on", memory.ErrUnavailable, ErrDurability)

// serverState describes the server that one transaction ran on. Each transaction asks in
// the statement that it begins with anyway, so that the state is never older than the data that
// were read, also behind a pooler, where connections change servers.
type serverState struct {
	timeline string // of its log: another one after a standby was promoted; "" on a standby
	started  int64  // microseconds since 1970
	commit   string // synchronous_commit
	fsync    bool
	standbys bool // synchronous_standby_names has some
}

// serverStateColumns may be read by every role.
const serverStateColumns = `CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END,
	pg_postmaster_start_time(), current_setting('synchronous_commit'), current_setting('fsync') = 'on', current_setting('synchronous_standby_names') <> ''`

func (st *serverState) scan(row pgx.Row, before ...any) error {
	var started time.Time
	err := row.Scan(append(before, &st.timeline, &started, &st.commit, &st.fsync, &st.standbys)...)
	st.started = micros(started)
	return err
}

func (st *serverState) durability() durability {
	switch {
	case st == nil:
		return durabilityUnknown
	case st.commit == "off" || !st.fsync:
		return durabilityNone
	case st.commit == "local" || !st.standbys:
		return durabilityDisk
	}
	return durabilityStandby
}

// lineage names the history of the server. A restart begins a new one, too: it may have lost what
// was not on the disk.
func (st *serverState) lineage() string {
	if st == nil {
		return ""
	}
	return st.timeline + "/" + strconv.FormatInt(st.started, 36)
}

// timelineOf returns the part of a lineage that a restart keeps.
func timelineOf(lineage string) string {
	timeline, _, _ := strings.Cut(lineage, "/")
	return timeline
}

// serverMonitor keeps what transactions last saw of the server.
type serverMonitor struct {
	state    atomic.Pointer[serverState] // nil: it does not say
	disabled bool                        // and is not asked
	notify   func(Notice)

	standbys int  // at the start
	direct   bool // the server was asked itself, and no pooler between

	unconfirmed, serverChanges, regressions atomic.Uint64
	regressedLineage                        atomic.Pointer[string] // the lineage of which it was told that sessions went back
}

// Notice is news about the server for its operator. Its text holds no values.
type Notice struct {
	Code string // promise, server, history or standby
	Text string
}

// Health reports what was last seen of the server. It sends no query.
func (s *Store) Health() memory.DatabaseHealth {
	m := s.monitor
	return memory.DatabaseHealth{
		Durability: string(m.state.Load().durability()), Unconfirmed: m.unconfirmed.Load(), NoStandby: s.standby.noStandby.Load(),
		ServerChanges: m.serverChanges.Load(), Regressions: m.regressions.Load(),
	}
}

// observe takes over what a transaction saw.
func (w *serverMonitor) observe(now serverState) {
	was := w.state.Load()
	if was != nil && *was == now || !w.state.CompareAndSwap(was, &now) { // or another one has told
		return
	}
	if was == nil {
		return
	}
	if was.lineage() != now.lineage() {
		w.serverChanges.Add(1)
		w.notify(Notice{"server", changedText(was, &now)})
	}
	if was.durability() != now.durability() {
		w.notify(Notice{"promise", fmt.Sprintf("what a commit outlives has changed from %s to %s (synchronous_commit is %s)", was.durability(), now.durability(), now.commit)})
	}
}

func changedText(was, now *serverState) string {
	switch {
	case was.timeline == now.timeline:
		return "the database was restarted"
	case now.timeline == "":
		return "the database is a standby now; let the dsn lead to the primary"
	}
	return fmt.Sprintf("another server has taken over (timeline %s after %s); what no standby had of the former one is lost", now.timeline, was.timeline)
}

// regressed counts a session that is older than this process has seen it, and notifies once a
// lineage.
func (w *serverMonitor) regressed() {
	w.regressions.Add(1)
	lineage := w.state.Load().lineage()
	if was := w.regressedLineage.Load(); (was == nil || *was != lineage) && w.regressedLineage.CompareAndSwap(was, &lineage) {
		w.notify(Notice{"history", "sessions are older than they were; turns that were answered are lost: see docs/operate/replication.md"})
	}
}

// requireDurability reports errNotDurable where the server promises less than is required.
func (s *Store) requireDurability() error {
	if s.opts.RequireSync && s.monitor.state.Load().durability() != durabilityStandby {
		return errNotDurable
	}
	return nil
}

// inspectServer asks a server for the first time, and waits no longer than a call may take: a
// pooler accepts connections for a silent server and lets its clients wait.
func inspectServer(ctx context.Context, config *pgx.ConnConfig, opts *Options) (*serverMonitor, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(servers(&config.Config))*config.ConnectTimeout+opts.StatementTimeout)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	w := &serverMonitor{notify: opts.Notify}
	var st serverState
	var pid uint32
	err = st.scan(c.QueryRow(ctx, `SELECT pg_backend_pid(), (SELECT count(*) FROM pg_stat_replication), `+serverStateColumns, pgx.QueryExecModeExec), &pid, &w.standbys)
	w.direct = err == nil && pid == c.PgConn().PID()
	_ = c.Close(ctx) // nothing is lost with it
	var server *pgconn.PgError
	switch {
	case err == nil:
		w.state.Store(&st)
	case errors.As(err, &server) && foreignCodes[server.Code]:
		w.disabled = true
	default:
		return nil, err
	}
	return w, nil
}

// foreignCodes are the errors of a server that speaks the protocol and is not PostgreSQL:
// undefined function, undefined object, not supported.
var foreignCodes = map[string]bool{"42883": true, "42704": true, "0A000": true}
