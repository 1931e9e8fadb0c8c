package build

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/summary"
	"github.com/slotway/slotway/router/telemetry"
)

// Chores are the background work of a runtime: the jobs of its tiers, the probes of its servers, and the
// pruning of old sessions. Unfinished jobs wait for the next start.
type Chores struct {
	Store    memory.Backend
	Settings *settings.Settings
	Servers  *Servers
	Record   func(telemetry.Event)
	Now      func() time.Time // the clock of a replay, on which no session gets old; nil: the wall clock
	Probe    bool             // probe the servers that were never asked
	Busy     func() bool      // reports turns in progress: jobs then take at most half of one processor's time
}

// The intervals for deleting sessions that are older than memory.auto_prune_days, and for erasing those that have
// expired, which nobody sees any more.
const (
	pruneEvery  = time.Hour
	expireEvery = time.Minute
)

// Start begins the work of workers. nudge is for a turn that has added a job, and stop ends the work.
func (c *Chores) Start(workers []memory.Worker) (nudge func(), stop func() error) {
	replay, now := c.Now != nil, c.Now
	if !replay {
		now = Now
	}
	work := map[string]jobs.Func{}
	for _, w := range workers {
		work[w.Kind()] = w.Work
	}
	runner := jobs.New(c.Store, work, &jobs.Options{Now: now, Busy: c.Busy, Done: JobEnded(c.Record)})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	c.Servers.OnHealed(func() { c.revive(ctx, runner.Nudge) })
	wg.Go(func() { c.Servers.Run(ctx, c.Probe) })
	if days := c.pruneDays(); days > 0 && !replay {
		wg.Go(func() {
			c.repeat(ctx, pruneEvery, "prune", func(ctx context.Context) (int, error) { return c.Store.Prune(ctx, Now().AddDate(0, 0, -days)) })
		})
	}
	if !replay {
		wg.Go(func() { c.repeat(ctx, expireEvery, "expire", c.Store.Expire) })
	}
	return runner.Nudge, func() error {
		cancel()
		wg.Wait()
		return nil
	}
}

// pruneDays is the age from which a session is deleted; 0: none is.
func (c *Chores) pruneDays() int {
	if !c.Settings.Memory.Enabled { // no session is continued, and a message is repeated soon or never
		return 1
	}
	return c.Settings.Memory.AutoPruneDays
}

// JobEnded returns a function that records the outcome of a job.
func JobEnded(record func(telemetry.Event)) func(jobs.Outcome) {
	return func(o jobs.Outcome) {
		e := telemetry.Event{
			Time: Now(), SessionID: o.Job.Key.SessionID, UserID: o.Job.Key.UserID, Duration: o.Duration,
			Payload: telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: "done"},
		}
		if o.Code != "" {
			if o.Code != "lost" { // another process took it, or its session is gone: no failure
				e.Level = telemetry.LevelWarn
			}
			e.Payload = telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: o.Code}
		}
		if o.Dead {
			e.Level = telemetry.LevelError
		}
		record(e)
	}
}

// JobFailed describes background work that failed.
func JobFailed(kind string) telemetry.Event {
	return telemetry.Event{Time: Now(), Level: telemetry.LevelWarn, Payload: telemetry.Job{Kind: kind, Attempt: 1, Outcome: "failed"}}
}

// repeat does work on the store at once and then again and again, until ctx ends.
func (c *Chores) repeat(ctx context.Context, every time.Duration, kind string, work func(context.Context) (int, error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := work(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.Record(JobFailed(kind))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// mostJobs limits the jobs that are counted or revived at once.
const mostJobs = 1000

// revive makes jobs due again that failed while a server did not answer.
func (c *Chores) revive(ctx context.Context, nudge func()) {
	for _, kind := range []string{recall.Kind, archive.Kind, summary.Kind} {
		_, _ = c.Store.Revive(ctx, memory.JobQuery{Kind: kind, Limit: mostJobs}, Now()) // a store that is down revives them with the next message
	}
	nudge()
}

// CountJobs counts the waiting jobs and the failed ones, up to mostJobs.
func CountJobs(ctx context.Context, store memory.Backend) (pending, dead int, err error) {
	all, err := store.Jobs(ctx, memory.JobQuery{Limit: mostJobs})
	if err != nil {
		return 0, 0, err
	}
	for i := range all {
		if all[i].Dead {
			dead++
		}
	}
	return len(all) - dead, dead, nil
}
