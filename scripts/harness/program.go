package harness

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Program is a child process. Kill, Running and Signal treat a nil Program as one that has
// ended.
type Program struct {
	cmd    *exec.Cmd
	exited chan struct{}
}

// Begin starts a child process and reaps it in the background.
func Begin(cmd *exec.Cmd) (*Program, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Program{cmd: cmd, exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // State has the exit status
		close(p.exited)
	}()
	return p, nil
}

// Exited returns a channel that closes once the process has ended and its output is copied.
func (p *Program) Exited() <-chan struct{} { return p.exited }

// State returns the exit status of a process that has ended.
func (p *Program) State() *os.ProcessState { return p.cmd.ProcessState }

// Pid returns the process id.
func (p *Program) Pid() int { return p.cmd.Process.Pid }

// Running reports whether the process has not ended yet.
func (p *Program) Running() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// Signal sends a signal and reports whether the process could receive it.
func (p *Program) Signal(s os.Signal) bool { return p != nil && p.cmd.Process.Signal(s) == nil }

// Kill sends SIGKILL and waits for the end of the process.
func (p *Program) Kill() {
	if p == nil {
		return
	}
	p.Signal(os.Kill)
	<-p.exited
}

// End sends a signal that asks the process to end. It reports whether the process ended within
// the given time, and kills it if not.
func (p *Program) End(s os.Signal, within time.Duration) bool {
	p.Signal(s)
	select {
	case <-p.exited:
		return true
	case <-time.After(within):
		p.Kill()
		return false
	}
}

// Killed reports whether SIGKILL ended the process.
func (p *Program) Killed() bool {
	status, ok := p.State().Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Children lists the ids of the process's running children, which it reads from /proc.
func (p *Program) Children() (pids []int) {
	if !p.Running() {
		return nil
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	parent := []byte(strconv.Itoa(p.Pid()))
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent ..., where the name may hold anything
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && bytes.Equal(fields[1], parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}
