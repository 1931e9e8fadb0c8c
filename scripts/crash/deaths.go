package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// cycle lets the clients talk for a while, harms the service, kills it and starts it again.
// Every other process dies at a fail point. On average half of the other kills come just after a
// yes. Some processes are also asked to stop before, or killed again while they start.
func (s *service) cycle(ctx context.Context, rng *rand.Rand) error {
	p := s.one()
	if err := s.disturb(ctx, rng); err != nil {
		return err
	}
	if rng.IntN(8) == 0 && p.point == "" {
		p.terminate()
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	if err := s.die(ctx, rng); err != nil {
		return err
	}
	if err := s.falseStart(ctx, rng, p); err != nil {
		return err
	}
	if s.rounds++; s.faults.points && s.rounds%2 == 1 {
		s.choosePoint(rng)
	}
	return p.Start(ctx)
}

// falseStart launches one process in four only to kill it while it starts.
func (s *service) falseStart(ctx context.Context, rng *rand.Rand, p *process) error {
	if rng.IntN(4) > 0 {
		return nil
	}
	if err := p.Launch(); err != nil {
		return err
	}
	if err := harness.Pause(ctx, time.Duration(rng.IntN(150))*time.Millisecond); err != nil {
		return err
	}
	p.Kill()
	s.kills++
	return nil
}

// pointTime bounds the wait for a process to reach its fail point.
const pointTime = 4 * time.Second

// die waits until the process reaches its fail point, or kills it.
func (s *service) die(ctx context.Context, rng *rand.Rand) error {
	s.kills++
	p := s.one()
	switch {
	case p.point != "":
		select {
		case <-p.Exited():
			if !p.reached() {
				return p.Alive()
			}
		case <-time.After(pointTime): // the load did not get there
		case <-ctx.Done():
			return ctx.Err()
		}
	case rng.IntN(2) == 0:
		if err := s.awaitYes(ctx, rng); err != nil {
			return err
		}
	}
	p.Kill()
	return nil
}

// disturb sets the clock of the process, stops it for a while and kills the tool service, each by
// chance, while the clients talk.
func (s *service) disturb(ctx context.Context, rng *rand.Rand) error {
	for range 1 + rng.IntN(3) {
		if err := harness.Pause(ctx, time.Duration(rng.IntN(250))*time.Millisecond); err != nil {
			return err
		}
		if s.faults.clock && rng.IntN(3) == 0 {
			if err := s.jump(rng, s.one()); err != nil {
				return err
			}
		}
		if s.faults.pauses && rng.IntN(4) == 0 {
			if err := s.freeze(ctx, rng); err != nil {
				return err
			}
		}
		if s.faults.tools && s.tools != nil && rng.IntN(5) == 0 {
			s.tools.kill()
			s.harms[toolKilled]++
		}
	}
	return nil
}

// freeze stops the process for a moment, or for longer than the clients wait. Now and then an
// hour passes on its clock, so that every lease ends.
func (s *service) freeze(ctx context.Context, rng *rand.Rand) error {
	d, kind := time.Duration(5+rng.IntN(300))*time.Millisecond, stopped
	if rng.IntN(8) == 0 {
		d, kind = clientWait+time.Duration(100+rng.IntN(700))*time.Millisecond, stoppedLong
	}
	if !s.one().Signal(syscall.SIGSTOP) {
		return nil // it has reached its fail point
	}
	s.harms[kind]++
	defer s.one().Signal(syscall.SIGCONT)
	if s.faults.clock && rng.IntN(2) == 0 {
		if err := s.jump(rng, s.one()); err != nil {
			return err
		}
	}
	return harness.Pause(ctx, d)
}

// jump moves a clock an hour ahead or back, at most an hour from the true time.
func (s *service) jump(rng *rand.Rand, p *process) error {
	const hour = 3600
	ahead := int(p.ahead.Load())
	by := hour
	if ahead == hour || ahead == 0 && rng.IntN(2) == 0 {
		by = -hour
	}
	if by > 0 {
		s.harms[clockAhead]++
	} else {
		s.harms[clockBack]++
	}
	return p.setClock(ahead + by)
}

// drain starts the service again, without clients and two hours later, and waits for its jobs.
func (s *service) drain(ctx context.Context, r *report) error {
	if err := s.setClock(2 * 3600); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	left, dead, err := s.awaitJobs(ctx)
	if err != nil {
		return err
	}
	r.JobsDead += dead
	r.OrphanedJobs += left
	for _, p := range s.processes {
		p.terminate()
	}
	return nil
}

// drainTime bounds the wait for the last jobs. Jobs of a killed process wait a minute for the end
// of their lease, failed ones for their next try.
const drainTime = 150 * time.Second

// awaitJobs waits until no job is pending, and returns the number of those that remain. A job is
// dead after its worker was killed eight times: awaitJobs counts it and retries it by the command
// that an operator would use.
func (s *service) awaitJobs(ctx context.Context) (left, dead int, err error) {
	for end := time.Now().Add(drainTime); time.Now().Before(end); {
		waiting, killed, failed, err := s.database.jobs(ctx)
		if err != nil {
			return 0, 0, err
		}
		if left = waiting + killed + failed; waiting == 0 && killed == 0 {
			break
		}
		if waiting == 0 {
			dead += killed
			retry := exec.CommandContext(ctx, s.binary, append(s.args, "--data", s.one().Dir, "memory", "jobs", "--dead", "--retry")...)
			retry.Env = append(os.Environ(), s.env...)
			if out, err := retry.CombinedOutput(); err != nil {
				return 0, 0, fmt.Errorf("bring dead jobs back: %w\n%s", err, out)
			}
		}
		if err := harness.Pause(ctx, 20*time.Millisecond); err != nil {
			return 0, 0, err
		}
	}
	return left, dead, nil
}
