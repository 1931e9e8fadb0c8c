package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/scripts/harness"
)

// Deaths of the database, by their names in the report.
const (
	dbKilled     = "database_killed"            // SIGKILL to all its processes
	dbImmediate  = "database_stopped_immediate" // pg_ctl stop -m immediate
	dbFast       = "database_restarted_fast"    // pg_ctl restart -m fast
	dbBackend    = "database_backend_killed"    // SIGKILL to one backend; the server ends all others
	dbTerminated = "database_connections_ended" // pg_terminate_backend of all
	dbStalled    = "database_stalled"           // SIGSTOP of all processes but the first, for seconds

	// Additional harms.
	dbRecovering = "database_killed_while_it_recovered"
	dbAndReplica = "replica_killed_with_the_database"
)

var errNoConnections = errors.New("the database has no connections")

// databaseDeaths lists them all. Each returns when the server answers again.
var databaseDeaths = []struct {
	kind string
	do   func(c *cluster, ctx context.Context, s *service, rng *rand.Rand) error
}{
	{dbKilled, (*cluster).dieByKill},
	{dbImmediate, (*cluster).dieAtOnce},
	{dbFast, (*cluster).restartFast},
	{dbBackend, (*cluster).loseBackend},
	{dbTerminated, (*cluster).endConnections},
	{dbStalled, (*cluster).stall},
}

// wantedOfDatabase lists the harms that a long run with its own server must meet.
func wantedOfDatabase() (all []string) {
	for _, d := range databaseDeaths {
		all = append(all, d.kind)
	}
	return append(all, dbRecovering, dbAndReplica)
}

// harmDatabase makes the database die, every other time just after a yes, and one time in three
// together with a replica. It goes through all deaths in random order.
func (f *fleet) harmDatabase(ctx context.Context, s *service, rng *rand.Rand) error {
	if err := strike(ctx, s, rng); err != nil {
		return err
	}
	if len(f.dying) == 0 {
		f.dying = rng.Perm(len(databaseDeaths))
	}
	d := databaseDeaths[f.dying[0]]
	f.dying = f.dying[1:]
	var victim *process
	if f.size > 1 && rng.IntN(3) == 0 {
		victim, _ = f.victim(s, rng)
	}
	s.harms[d.kind]++
	return f.outage(ctx, s, d.kind, victim, func() error { return d.do(f.own, ctx, s, rng) })
}

// outage makes a server die and waits until every replica has answered a turn again. It restarts
// the replica that died with the server, and no other.
func (f *fleet) outage(ctx context.Context, s *service, kind string, victim *process, die func() error) error {
	o := f.outages.of(kind)
	o.Times++
	during := &partition{Statuses: o.Statuses}
	f.tally.watch(during)
	begin := time.Now()
	if victim != nil {
		victim.Kill()
		s.kills++
		s.harms[dbAndReplica]++
	}
	err := die()
	f.tally.watch(nil)
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	back := time.Now()
	o.Away.add(back.Sub(begin))
	if victim != nil {
		if err := victim.Start(ctx); err != nil {
			return fmt.Errorf("after %s: %w", kind, err)
		}
	}
	first, err := f.recover(ctx, s, back)
	if err != nil {
		return fmt.Errorf("after %s: %w", kind, err)
	}
	o.recovered(back, first, victim == nil)
	return nil
}

// recover waits until every replica has answered a turn since back, and returns when they did.
func (f *fleet) recover(ctx context.Context, s *service, back time.Time) (first []time.Time, err error) {
	for {
		if err := s.each((*process).Alive); err != nil {
			return nil, err
		}
		first, all := f.tally.answered()
		if all {
			return first, nil
		}
		if time.Since(back) > recoveryTime {
			return nil, fmt.Errorf("not every replica answers within %s", recoveryTime)
		}
		if err := harness.Pause(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// rise starts the server, every other time after a pause in which it refuses replicas.
func (c *cluster) rise(ctx context.Context, rng *rand.Rand) error {
	if rng.IntN(2) == 0 {
		if err := harness.Pause(ctx, time.Duration(rng.IntN(2500))*time.Millisecond); err != nil {
			return err
		}
	}
	return c.Start(ctx)
}

// dieByKill kills the server, and one time in three once more while it recovers.
func (c *cluster) dieByKill(ctx context.Context, s *service, rng *rand.Rand) error {
	c.Kill()
	if rng.IntN(3) == 0 {
		s.harms[dbRecovering]++
		if err := c.Launch(); err != nil {
			return err
		}
		if err := harness.Pause(ctx, time.Duration(rng.IntN(200))*time.Millisecond); err != nil {
			return err
		}
		c.Kill()
	}
	return c.rise(ctx, rng)
}

func (c *cluster) dieAtOnce(ctx context.Context, _ *service, rng *rand.Rand) error {
	if err := c.Stop(syscall.SIGQUIT); err != nil {
		return err
	}
	return c.rise(ctx, rng)
}

func (c *cluster) restartFast(ctx context.Context, _ *service, _ *rand.Rand) error {
	if err := c.Stop(syscall.SIGINT); err != nil {
		return err
	}
	return c.Start(ctx)
}

// loseBackend kills one backend. The server then distrusts its shared memory, ends all backends
// and recovers. The end of our own connection shows when.
func (c *cluster) loseBackend(ctx context.Context, _ *service, rng *rand.Rand) error {
	conn, err := pgx.Connect(ctx, c.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)
	if err != nil {
		return err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	if !killAny(pids, rng) {
		return errNoConnections
	}
	ctx, cancel := context.WithTimeout(ctx, harness.Patience)
	defer cancel()
	for conn.Ping(ctx) == nil || !c.Answers(ctx) {
		if err := harness.Pause(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// killAny kills one of several processes. Some may have ended already.
func killAny(pids []int, rng *rand.Rand) bool {
	for _, i := range rng.Perm(len(pids)) {
		if syscall.Kill(pids[i], syscall.SIGKILL) == nil {
			return true
		}
	}
	return false
}

func (c *cluster) endConnections(ctx context.Context, _ *service, _ *rand.Rand) error {
	conn, err := pgx.Connect(ctx, c.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var n int
	const all = `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
	if err := conn.QueryRow(ctx, all).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return errNoConnections
	}
	return nil
}

// stall stops the backends and writers for one to eight seconds, which is more or less than the
// time limit of a statement. The parent still accepts connections and starts new backends.
func (c *cluster) stall(ctx context.Context, _ *service, rng *rand.Rand) error {
	stopped := c.Children()
	for _, pid := range stopped {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // it may be gone already
	}
	err := harness.Pause(ctx, time.Duration(1000+rng.IntN(7000))*time.Millisecond)
	for _, pid := range stopped {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	return err
}
