package main

import (
	"context"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// scenario describes one way to lose a primary.
type scenario struct {
	name     string
	standby  bool
	sync     bool     // the primary waits for the standby
	loses    bool     // turns must be lost, and slotway must say so
	settings []string // of the primary
	death    func(ctx context.Context, f *field) error
}

// scenarios lists them all. Each death returns when a server takes turns again.
var scenarios = []scenario{
	{name: "sync", standby: true, sync: true, death: killPrimary},
	{name: "sync-dead", standby: true, sync: true, death: killBoth},
	{name: "async", standby: true, loses: true, death: killAhead},
	{name: "off", loses: true, settings: forgetful, death: crash},
}

// forgetful makes a server keep commits in memory for as long as possible.
var forgetful = []string{"synchronous_commit=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB", "wal_buffers=64MB", "bgwriter_lru_maxpages=0"}

func chosenScenarios(name string) (chosen []scenario) {
	for _, s := range scenarios {
		if name == s.name || name == "all" {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// grace is the time in which an answer from before a death may still arrive.
const grace = time.Second

func killPrimary(ctx context.Context, f *field) error {
	f.primary.Kill()
	return f.standby.Promote(ctx)
}

// killBoth kills the standby twice. The first time it returns; the second time the primary dies too.
func killBoth(ctx context.Context, f *field) error {
	if err := f.alone(ctx); err != nil {
		return err
	}
	if err := f.returns(ctx); err != nil {
		return err
	}
	if err := f.flows(ctx); err != nil {
		return err
	}
	if err := f.alone(ctx); err != nil {
		return err
	}
	f.primary.Kill()
	if err := f.standby.Start(ctx); err != nil {
		return err
	}
	return f.standby.Promote(ctx)
}

// alone kills the standby for longer than a commit waits, so that clients repeat messages that
// only the primary has.
func (f *field) alone(ctx context.Context) error {
	f.standby.Kill()
	known := time.Now().Add(findOut)
	f.known.Store(&known)
	if err := harness.Pause(ctx, grace); err != nil {
		return err
	}
	f.phase.Store(alone)
	defer f.phase.Store(whole)
	defer f.known.Store(nil)
	return harness.Pause(ctx, f.away)
}

// returns starts the standby and measures the time from its first confirmation to the next answer.
func (f *field) returns(ctx context.Context) error {
	if err := f.standby.Start(ctx); err != nil {
		return err
	}
	if err := f.follows(ctx); err != nil {
		return err
	}
	f.mu.Lock()
	begun, answered := time.Now(), len(f.answers)
	f.mu.Unlock()
	err := harness.Await(ctx, "a turn to be answered again", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.answers) > answered
	}, nil)
	f.back = time.Since(begun)
	return err
}

// killAhead kills a primary that is ahead of its standby. The standby starts again, so that it
// loses the log that its stopped process had received and not written.
func killAhead(ctx context.Context, f *field) error {
	f.phase.Store(ahead)
	if err := f.standby.Freeze("walreceiver"); err != nil { // the process that receives the log
		return err
	}
	if err := harness.Pause(ctx, 2*time.Second); err != nil {
		return err
	}
	f.primary.Kill()
	f.standby.Kill()
	if err := f.standby.Start(ctx); err != nil {
		return err
	}
	return f.standby.Promote(ctx)
}

// crash kills a server that writes its log late, as on a slow disk. Data in the system's cache
// survives SIGKILL; a power cut would lose more.
func crash(ctx context.Context, f *field) error {
	f.phase.Store(ahead)
	if err := f.primary.Freeze("walwriter"); err != nil {
		return err
	}
	if err := harness.Pause(ctx, 2*time.Second); err != nil {
		return err
	}
	f.primary.Kill()
	return f.primary.Start(ctx)
}
