package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is one slotway that serves, over all its lives.
type process struct {
	name   string
	binary string
	dir    string // its data folder
	addr   string
	args   []string
	env    []string
	faults faults

	proc   *exec.Cmd
	exited chan struct{}
	stderr bytes.Buffer // of the process that runs, read once it has exited

	point  string         // where the process is to die that is started next, or runs; "": nowhere
	passes int            // before it dies there
	died   map[string]int // by point: how often it did
	ahead  int            // seconds that its clock is ahead

	ungraceful int // exits on SIGTERM that were not clean
}

// startTime is how long a process may take to serve, on a busy machine.
const startTime = 60 * time.Second

// freeAddress is one where nobody listens.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// start runs a process and waits until it is ready.
func (p *process) start(ctx context.Context) error {
	if err := p.launch(); err != nil {
		return err
	}
	for end := time.Now().Add(startTime); time.Now().Before(end); {
		if res, err := http.Get("http://" + p.addr + "/readyz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.exited:
			if p.reached() { // its point came before it served
				return p.start(ctx)
			}
			return fmt.Errorf("the %s did not start: %s\n%s", p.name, p.proc.ProcessState, p.stderr.String())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return fmt.Errorf("the %s does not become ready", p.name)
}

func (p *process) launch() error {
	args := append([]string{
		"--data", p.dir, "--set", "telemetry.log=" + p.telemetry(), "--set", "server.limits.rate=0", "--set", "memory.auto_prune_days=1",
		"--set", "memory.summary.enabled=true", "--set", "memory.summary.trigger_message_count=6", "--set", "memory.summary.recent_message_count=2",
	}, p.args...)
	proc := exec.Command(p.binary, append(args, "serve", "--addr", p.addr)...)
	proc.Env = append(os.Environ(), p.env...)
	if p.faults.clock {
		proc.Env = append(proc.Env, "SLOTWAY_CLOCK="+p.clock())
	}
	if p.faults.points {
		proc.Env = append(proc.Env, fmt.Sprintf("SLOTWAY_WAL_BYTES=%d", walBytes))
	}
	if p.point != "" {
		proc.Env = append(proc.Env, fmt.Sprintf("SLOTWAY_FAILPOINT=%s:%d", p.point, p.passes))
	}
	proc.Dir = p.dir
	p.stderr.Reset()
	proc.Stderr = &p.stderr
	exited, err := begin(proc)
	if err != nil {
		return err
	}
	p.proc, p.exited = proc, exited
	return nil
}

// begin starts a program, and closes the channel once it has ended: how is in ProcessState.
func begin(proc *exec.Cmd) (exited chan struct{}, err error) {
	if err := proc.Start(); err != nil {
		return nil, err
	}
	exited = make(chan struct{})
	go func() {
		_ = proc.Wait()
		close(exited)
	}()
	return exited, nil
}

// kill ends the process as a power switch would.
func (p *process) kill() {
	if p.exited == nil {
		return
	}
	_ = p.proc.Process.Kill() // it may be gone already
	<-p.exited
	p.point = ""
}

// terminate stops the process as an operator would.
func (p *process) terminate() {
	_ = p.proc.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(20 * time.Second):
		p.kill()
	}
	if !p.proc.ProcessState.Success() && !p.reached() {
		p.ungraceful++
	}
}

// reached says whether the process, which has exited, died at its fail point.
func (p *process) reached() bool {
	status, ok := p.proc.ProcessState.Sys().(syscall.WaitStatus)
	if p.point == "" || !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		return false
	}
	p.died[p.point]++
	p.point = ""
	return true
}

// signal reports whether there was a process to send it to.
func (p *process) signal(s syscall.Signal) bool { return p.proc.Process.Signal(s) == nil }

// alive is an error if the process, which nobody has ended, has done so by itself.
func (p *process) alive() error {
	select {
	case <-p.exited:
		return fmt.Errorf("the %s died by itself: %s\n%s", p.name, p.proc.ProcessState, p.stderr.String())
	default:
		return nil
	}
}

// telemetry is the file of its telemetry lines, over all its lives.
func (p *process) telemetry() string { return filepath.Join(p.dir, "telemetry.jsonl") }

func (p *process) clock() string { return filepath.Join(p.dir, "clock") }

// setClock writes one number of always the same length: who reads it meanwhile gets the old
// one or the new one.
func (p *process) setClock(ahead int) (err error) {
	p.ahead = ahead
	file, err := os.OpenFile(p.clock(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = fmt.Fprintf(file, "%+08d", ahead)
	return err
}
