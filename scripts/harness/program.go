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

// Program is a program that was started. The methods of a nil one do nothing, as if it had
// ended.
type Program struct {
	cmd    *exec.Cmd
	exited chan struct{}
}

// Begin starts a program and waits for its end in the background.
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

// Exited is closed once the program has ended and its output is written.
func (p *Program) Exited() <-chan struct{} { return p.exited }

// State is the exit status of a program that has ended.
func (p *Program) State() *os.ProcessState { return p.cmd.ProcessState }

// Pid is the id of the program's first process.
func (p *Program) Pid() int { return p.cmd.Process.Pid }

// Running reports whether the program has not ended yet.
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

// Signal sends a signal and reports whether there was a process to receive it.
func (p *Program) Signal(s os.Signal) bool { return p != nil && p.cmd.Process.Signal(s) == nil }

// Kill ends the program with SIGKILL, as a power switch would, and waits for its end.
func (p *Program) Kill() {
	if p == nil {
		return
	}
	p.Signal(os.Kill)
	<-p.exited
}

// End asks the program to end with a signal, kills it if it does not within a time, and
// reports whether it ended in that time.
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

// Dead reports whether the program was killed by SIGKILL.
func (p *Program) Dead() bool {
	status, ok := p.State().Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Children lists the processes that the program has started, as /proc knows them.
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
