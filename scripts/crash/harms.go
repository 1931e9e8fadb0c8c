package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// Harms to replicas, by their names in the report.
const (
	oneKilled     = "one_replica_killed"
	severalKilled = "several_replicas_killed"
	killedStopped = "replica_killed_while_stopped"
	otherKilled   = "replica_killed_while_another_is_stopped"
	stoppedLease  = "stopped_longer_than_its_lease"
	caught        = "stopped_longer_than_its_lease_in_turns"
	askedToEnd    = "replica_asked_to_end"
	rolled        = "rolling_restart"
)

// leaseTime is longer than the lease of a session.
const leaseTime = 10200 * time.Millisecond

// harmings lists the harms to replicas with their relative frequencies.
var harmings = []struct {
	times   int
	pausing bool // it needs the fault pauses
	do      func(f *fleet, ctx context.Context, s *service, rng *rand.Rand) error
}{
	{5, false, (*fleet).killOne},
	{2, false, (*fleet).killSeveral},
	{4, true, (*fleet).stopShortly},
	{1, true, (*fleet).stopLong},
	{3, true, (*fleet).stopForALease},
	{1, false, (*fleet).askToEnd},
	{1, false, (*fleet).roll},
}

// sources lists what can be harmed: the replicas, and the command's own servers behind them.
func (f *fleet) sources() []func(context.Context, *service, *rand.Rand) error {
	all := []func(context.Context, *service, *rand.Rand) error{f.harmReplicas}
	if f.own != nil {
		all = append(all, f.harmDatabase)
	}
	if f.redis != nil {
		all = append(all, f.harmCache)
	}
	return all
}

// cycle lets the clients talk for a while, then harms the replicas or one of the servers behind
// them, in rotation. All of them run when it returns.
func (f *fleet) cycle(ctx context.Context, s *service, rng *rand.Rand) error {
	s.rounds++
	if err := harness.Pause(ctx, time.Duration(100+rng.IntN(500))*time.Millisecond); err != nil {
		return err
	}
	if s.faults.clock && rng.IntN(4) == 0 {
		if err := s.jump(rng, s.processes[rng.IntN(f.size)]); err != nil {
			return err
		}
	}
	if s.faults.tools && rng.IntN(5) == 0 {
		s.tools.kill()
		s.harms[toolKilled]++
	}
	all := f.sources()
	return all[s.rounds%len(all)](ctx, s, rng)
}

func (f *fleet) harmReplicas(ctx context.Context, s *service, rng *rand.Rand) error {
	sum := 0
	for _, h := range harmings {
		sum += h.times
	}
	n := rng.IntN(sum)
	for _, h := range harmings {
		if n -= h.times; n < 0 {
			if h.pausing && !s.faults.pauses {
				return f.killOne(ctx, s, rng)
			}
			return h.do(f, ctx, s, rng)
		}
	}
	return nil
}

// strike waits for a yes, every other time.
func strike(ctx context.Context, s *service, rng *rand.Rand) error {
	if rng.IntN(2) == 0 {
		return nil
	}
	return s.awaitYes(ctx, rng)
}

func (f *fleet) killOne(ctx context.Context, s *service, rng *rand.Rand) error {
	if err := strike(ctx, s, rng); err != nil {
		return err
	}
	p, _ := f.victim(s, rng)
	s.harms[oneKilled]++
	return f.killAll(ctx, s, rng, p)
}

func (f *fleet) killSeveral(ctx context.Context, s *service, rng *rand.Rand) error {
	if f.size < 2 {
		return f.killOne(ctx, s, rng)
	}
	if err := strike(ctx, s, rng); err != nil {
		return err
	}
	s.harms[severalKilled]++
	all := slices.Clone(s.processes)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return f.killAll(ctx, s, rng, all[:2+rng.IntN(f.size-1)]...)
}

// killAll kills replicas together and starts them again after a moment.
func (f *fleet) killAll(ctx context.Context, s *service, rng *rand.Rand, all ...*process) error {
	for _, p := range all {
		p.Kill()
		s.kills++
	}
	if err := harness.Pause(ctx, time.Duration(rng.IntN(400))*time.Millisecond); err != nil {
		return err
	}
	for _, p := range all {
		if err := s.falseStart(ctx, rng, p); err != nil {
			return err
		}
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (f *fleet) stopShortly(ctx context.Context, s *service, rng *rand.Rand) error {
	return f.stop(ctx, s, rng, stopped, time.Duration(5+rng.IntN(300))*time.Millisecond)
}

func (f *fleet) stopLong(ctx context.Context, s *service, rng *rand.Rand) error {
	return f.stop(ctx, s, rng, stoppedLong, clientWait+time.Duration(100+rng.IntN(700))*time.Millisecond)
}

func (f *fleet) stopForALease(ctx context.Context, s *service, rng *rand.Rand) error {
	return f.stop(ctx, s, rng, stoppedLease, leaseTime+time.Duration(rng.IntN(3000))*time.Millisecond)
}

// stop stops a replica for a duration, mostly just after a yes. In that time its clock may jump,
// and another replica or the stopped one may die.
func (f *fleet) stop(ctx context.Context, s *service, rng *rand.Rand, kind string, d time.Duration) error {
	if rng.IntN(4) > 0 {
		if err := s.awaitYes(ctx, rng); err != nil {
			return err
		}
	}
	p, i := f.victim(s, rng)
	p.Signal(syscall.SIGSTOP)
	defer p.Signal(syscall.SIGCONT)
	s.harms[kind]++
	end := time.Now().Add(d)
	if kind == stoppedLease && f.proxy.replicas[i].underway.Load() > 0 {
		s.harms[caught]++
	}
	if s.faults.clock && rng.IntN(4) == 0 {
		if err := s.jump(rng, p); err != nil {
			return err
		}
	}
	if f.size > 1 && rng.IntN(4) == 0 {
		if err := harness.Pause(ctx, time.Duration(rng.Int64N(int64(d)))); err != nil {
			return err
		}
		s.harms[otherKilled]++
		if err := f.killAll(ctx, s, rng, s.processes[(i+1+rng.IntN(f.size-1))%f.size]); err != nil {
			return err
		}
	}
	if err := harness.Pause(ctx, time.Until(end)); err != nil || rng.IntN(6) > 0 {
		return err
	}
	s.harms[killedStopped]++
	return f.killAll(ctx, s, rng, p)
}

func (f *fleet) askToEnd(ctx context.Context, s *service, rng *rand.Rand) error {
	p, _ := f.victim(s, rng)
	s.harms[askedToEnd]++
	p.terminate()
	return p.Start(ctx)
}

// roll restarts the replicas one after the other.
func (f *fleet) roll(ctx context.Context, s *service, _ *rand.Rand) error {
	s.harms[rolled]++
	for _, p := range s.processes {
		p.terminate()
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}
