package main

import (
	"context"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// scenario is one way to lose a primary.
type scenario struct {
	name     string
	standby  bool
	sync     bool     // the primary waits for it
	loses    bool     // turns are lost, and it must be said
	settings []string // of the primary
	death    func(ctx context.Context, f *field) error
}

// scenarios are all of them. Each death returns when a server takes turns again.
var scenarios = []scenario{
	{name: "sync", standby: true, sync: true, death: killPrimary},
	{name: "sync-dead", standby: true, sync: true, death: killBoth},
	{name: "async", standby: true, loses: true, death: killAhead},
	{name: "off", loses: true, settings: forgetful, death: crash},
}

// forgetful has a server keep what is committed in its memory for as long as it may.
var forgetful = []string{"synchronous_commit=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB", "wal_buffers=64MB", "bgwriter_lru_maxpages=0"}

func chosenScenarios(name string) (chosen []scenario) {
	for _, s := range scenarios {
		if name == s.name || name == "all" {
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// grace is how long an answer may be on its way that was given before something died.
const grace = time.Second

func killPrimary(ctx context.Context, f *field) error {
	f.primary.Kill()
	return f.standby.Promote(ctx)
}

// killBoth has the standby die twice: once it returns, and once it is all there is.
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

// alone has the standby die, and clients try for longer than a commit waits, so that messages
// are sent again which the primary has, and nobody else.
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
	if err := harness.Pause(ctx, f.away); err != nil {
		return err
	}
	return f.listen(ctx)
}

// listen asks the replicas whether they say that there is no standby.
func (f *field) listen(ctx context.Context) error {
	for _, r := range f.replicas {
		n, err := r.metric(ctx, "slotway_store_alone")
		if err != nil {
			return err
		}
		if n != 1 || r.Ready() {
			f.unsaid++
		}
	}
	return nil
}

// returns has the standby come back, and takes the time from when it confirms to the next answer.
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

// killAhead kills a primary that is ahead of its standby. That is started anew, so that what
// its stopped process has received, and not written, is gone.
func killAhead(ctx context.Context, f *field) error {
	f.phase.Store(ahead)
	if err := f.standby.Freeze("walreceiver"); err != nil { // by which it hears of the primary
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

// crash kills a server whose log is written late, as on a slow disk. What the system holds in
// its cache outlives a SIGKILL; a power cut would take more.
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
