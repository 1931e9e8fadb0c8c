package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// process is a slotway process with its faults.
type process struct {
	*harness.Slotway
	faults faults

	point  string         // fail point of the next or the running process; "": none
	passes int            // through the point before it dies there
	died   map[string]int // deaths by fail point
	ahead  atomic.Int64   // seconds by which its clock is ahead

	ungraceful int // unclean exits on SIGTERM
}

// newProcess makes a process of the service. It starts nothing.
func (s *service) newProcess(name, dir string) (*process, error) {
	settings := harness.SetFlags(
		"telemetry.log="+telemetryFile(dir), "server.limits.rate=0", "memory.auto_prune_days=1",
		"memory.summary.enabled=true", "memory.summary.trigger_message_count=6", "memory.summary.recent_message_count=2",
	)
	p, err := harness.NewSlotway(name, s.binary, dir, append(settings, s.args...)...)
	if err != nil {
		return nil, err
	}
	p.Env = s.env
	return &process{Slotway: p, faults: s.faults, died: map[string]int{}}, nil
}

// Start runs a process and waits until it is ready.
func (p *process) Start(ctx context.Context) error {
	if err := p.Launch(); err != nil {
		return err
	}
	err := p.AwaitReady(ctx)
	if err != nil && !p.Running() && p.reached() { // it met its fail point before it was ready
		return p.Start(ctx)
	}
	return err
}

// Launch starts a process with its faults.
func (p *process) Launch() error {
	var env []string
	if p.faults.clock {
		env = append(env, "SLOTWAY_CLOCK="+p.clock())
	}
	if p.point != "" {
		env = append(env, fmt.Sprintf("SLOTWAY_FAILPOINT=%s:%d", p.point, p.passes))
	}
	return p.Slotway.Launch(env...)
}

// Kill sends SIGKILL and waits for the end of the process.
func (p *process) Kill() {
	p.Slotway.Kill()
	p.point = ""
}

// stopTime bounds the time that a process takes to stop.
const stopTime = 20 * time.Second

// terminate stops the process by SIGTERM, as an operator would.
func (p *process) terminate() {
	asked := time.Now()
	if !p.End(syscall.SIGTERM, stopTime) {
		p.point = ""
	}
	if !p.State().Success() && !p.reached() {
		p.ungraceful++
		fmt.Fprintf(os.Stderr, "crash: %s did not stop cleanly: %s after %s\n%s\n", p.Name, p.State(), time.Since(asked).Round(time.Millisecond), p.Output.String())
	}
}

// reached reports whether the process, which has ended, died at its fail point.
func (p *process) reached() bool {
	if p.point == "" || !p.Killed() {
		return false
	}
	p.died[p.point]++
	p.point = ""
	return true
}

// telemetryFile returns the file with the telemetry lines of a process.
func telemetryFile(dir string) string { return filepath.Join(dir, "telemetry.jsonl") }

func (p *process) clock() string { return filepath.Join(p.Dir, "clock") }

// setClock writes a number of constant length, so that a concurrent reader gets the old or the
// new one.
func (p *process) setClock(ahead int) (err error) {
	p.ahead.Store(int64(ahead))
	file, err := os.OpenFile(p.clock(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = fmt.Fprintf(file, "%+08d", ahead)
	return err
}
