package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/router/telemetry"
)

// tiers are what a turn may know of the past, in the order in which they are asked.
func (a *app) tiers() []memory.Tier {
	return []memory.Tier{window.New(window.Limits{MaxTurns: a.settings.Memory.MaxTurns})}
}

// idleTime is how long an idle session is remembered: memory.ttl where the operator has
// set it, else what the agent says.
func (a *app) idleTime() {
	if ttl := a.settings.Memory.TTL; a.settings.Given("memory.ttl") && ttl != a.agent.Session.IdleTTL {
		agent := *a.agent // agents are shared
		agent.Session.IdleTTL = ttl
		a.agent = &agent
	}
}

// pruneEvery is how often sessions that are older than memory.auto_prune_days are looked for.
const pruneEvery = time.Hour

// background runs what turns leave to be done: the tiers' jobs, and the pruning of old
// sessions. It ends with the app; jobs under way are left for the next start. It returns
// how a turn that asked for a job says so.
func (a *app) background(tiers []memory.Tier, now func() time.Time) (nudge func()) {
	days := a.settings.Memory.AutoPruneDays
	if now == nil {
		now = time.Now
	} else {
		days = 0 // on a replay's clock nobody stays away for weeks
	}
	work := map[string]jobs.Func{}
	for _, tier := range tiers {
		if w, ok := tier.(memory.Worker); ok {
			work[w.Kind()] = w.Work
		}
	}
	runner := jobs.New(a.store, work, &jobs.Options{Now: now, Done: a.worked})
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	if days > 0 && a.settings.Memory.Enabled {
		wg.Go(func() { a.prune(ctx, days) })
	}
	a.onClose(func() error {
		stop()
		wg.Wait()
		return nil
	})
	return runner.Nudge
}

// worked tells telemetry of a job that has ended.
func (a *app) worked(o jobs.Outcome) {
	e := telemetry.Event{
		Time: time.Now(), SessionID: o.Job.Key.SessionID, Duration: o.Duration,
		Payload: telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: "done"},
	}
	if o.Code != "" {
		e.Level = telemetry.LevelWarn
		e.Payload = telemetry.Job{Kind: o.Job.Kind, Attempt: o.Job.Attempts + 1, Outcome: o.Code}
	}
	if o.Dead {
		e.Level = telemetry.LevelError
	}
	a.sink.Record(e)
}

// prune deletes sessions that nobody came back to, at once and then every hour.
func (a *app) prune(ctx context.Context, days int) {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		begun := time.Now()
		_, err := a.store.Prune(ctx, begun.AddDate(0, 0, -days))
		if err != nil && !errors.Is(err, context.Canceled) {
			a.sink.Record(telemetry.Event{
				Time: time.Now(), Level: telemetry.LevelWarn, Duration: time.Since(begun),
				Payload: telemetry.Job{Kind: "prune", Attempt: 1, Outcome: "failed"},
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
