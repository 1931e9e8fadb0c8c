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

// Durability is what an acknowledged commit survives.
type Durability string

// The durabilities, the weakest first.
const (
	DurabilityNone    Durability = "nothing" // synchronous_commit or fsync is off: a crash of the server takes the newest commits
	DurabilityDisk    Durability = "disk"    // the server's own: a standby that takes over may lack the newest ones
	DurabilityStandby Durability = "standby" // the loss of the server
	DurabilityUnknown Durability = ""        // the server is not one that says so
)

// ErrDurability: the database promises less than Options.RequireSync wants.
var ErrDurability = errors.New("database acknowledges commits that no standby has")

var errWeak = fmt.Errorf("%w: %w; set synchronous_standby_names, and synchronous_commit to on", memory.ErrUnavailable, ErrDurability)

// standing is what one transaction has seen of the server that it ran on. Each asks, in the
// statement that it begins with anyway, so that what is known is never older than what was
// read, also behind a pooler, where connections change servers.
type standing struct {
	timeline string // of its log: another one after a standby was promoted; "" on a standby
	started  int64  // microseconds since 1970
	commit   string // synchronous_commit
	fsync    bool
	standbys bool // synchronous_standby_names has some
}

// standingColumns are read by anybody; none needs rights.
const standingColumns = `CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END,
	pg_postmaster_start_time(), current_setting('synchronous_commit'), current_setting('fsync') = 'on', current_setting('synchronous_standby_names') <> ''`

func (st *standing) scan(row pgx.Row, before ...any) error {
	var started time.Time
	err := row.Scan(append(before, &st.timeline, &started, &st.commit, &st.fsync, &st.standbys)...)
	st.started = micros(started)
	return err
}

func (st *standing) promise() Durability {
	switch {
	case st == nil:
		return DurabilityUnknown
	case st.commit == "off" || !st.fsync:
		return DurabilityNone
	case st.commit == "local" || !st.standbys:
		return DurabilityDisk
	}
	return DurabilityStandby
}

// lineage names the history that the server is in. A restart begins another one, too: it may
// have lost what was not on the disk.
func (st *standing) lineage() string {
	if st == nil {
		return ""
	}
	return st.timeline + "/" + strconv.FormatInt(st.started, 36)
}

// timelineOf is the part of a lineage that a restart leaves as it is.
func timelineOf(lineage string) string {
	timeline, _, _ := strings.Cut(lineage, "/")
	return timeline
}

// Health is how the server of a store stands.
type Health struct {
	Durability    Durability
	Standbys      int    // that streamed its log when the store was opened
	Unconfirmed   uint64 // commits whose wait for a standby was given up
	NoStandby     bool   // no standby confirms, and turns are refused
	ServerChanges uint64 // times that another server answered, or the same one after a restart
	Regressions   uint64 // sessions that were found older than they had been
}

// watch knows how the server stands.
type watch struct {
	now   atomic.Pointer[standing] // nil: it does not say
	blind bool                     // and is not asked
	tell  func(Notice)

	followers int  // at the start
	direct    bool // the server was asked itself, and no pooler between

	unconfirmed, changed, back atomic.Uint64
	told                       atomic.Pointer[string] // the lineage of which it was told that sessions went back
}

// Notice is news about the server, for its operator: a text with no value in it.
type Notice struct {
	Code string // promise, server, history or standby
	Text string
}

// Health says how the server stands. It asks nobody.
func (s *Store) Health() Health {
	w := s.watch
	return Health{
		Durability: w.now.Load().promise(), Standbys: w.followers, Unconfirmed: w.unconfirmed.Load(), NoStandby: s.vigil.alone.Load(),
		ServerChanges: w.changed.Load(), Regressions: w.back.Load(),
	}
}

// note takes what a transaction has seen.
func (w *watch) note(now standing) {
	was := w.now.Load()
	if was != nil && *was == now || !w.now.CompareAndSwap(was, &now) { // or another one has told
		return
	}
	if was == nil {
		return
	}
	if was.lineage() != now.lineage() {
		w.changed.Add(1)
		w.tell(Notice{"server", changedText(was, &now)})
	}
	if was.promise() != now.promise() {
		w.tell(Notice{"promise", fmt.Sprintf("what a commit outlives has changed from %s to %s (synchronous_commit is %s)", was.promise(), now.promise(), now.commit)})
	}
}

func changedText(was, now *standing) string {
	switch {
	case was.timeline == now.timeline:
		return "the database was restarted"
	case now.timeline == "":
		return "the database is a standby now; let the dsn lead to the primary"
	}
	return fmt.Sprintf("another server has taken over (timeline %s after %s); what no standby had of the former one is lost", now.timeline, was.timeline)
}

// wentBack takes note of a session that is older than this process has seen it.
func (w *watch) wentBack() {
	w.back.Add(1)
	lineage := w.now.Load().lineage()
	if was := w.told.Load(); (was == nil || *was != lineage) && w.told.CompareAndSwap(was, &lineage) {
		w.tell(Notice{"history", "sessions are older than they were; turns that were answered are lost: see docs/replication.md"})
	}
}

// strong reports errWeak where the server promises less than is required.
func (s *Store) strong() error {
	if s.opts.RequireSync && s.watch.now.Load().promise() != DurabilityStandby {
		return errWeak
	}
	return nil
}

// look asks a server for the first time, and waits no longer than a call may take: a pooler
// takes connections for a server that is silent, and lets who asks it wait.
func look(ctx context.Context, config *pgx.ConnConfig, opts *Options) (*watch, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(servers(&config.Config))*config.ConnectTimeout+opts.StatementTimeout)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	w := &watch{tell: opts.Notify}
	var st standing
	var pid uint32
	err = st.scan(c.QueryRow(ctx, `SELECT pg_backend_pid(), (SELECT count(*) FROM pg_stat_replication), `+standingColumns, pgx.QueryExecModeExec), &pid, &w.followers)
	w.direct = err == nil && pid == c.PgConn().PID()
	_ = c.Close(ctx) // nothing is lost with it
	var server *pgconn.PgError
	switch {
	case err == nil:
		w.now.Store(&st)
	case errors.As(err, &server) && foreignCodes[server.Code]:
		w.blind = true
	default:
		return nil, err
	}
	return w, nil
}

// foreignCodes are what a server says that speaks the protocol and is not PostgreSQL: undefined
// function, undefined object, not supported.
var foreignCodes = map[string]bool{"42883": true, "42704": true, "0A000": true}
