package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// replica is one slotway that serves.
type replica struct {
	addr   string
	proc   *exec.Cmd
	exited chan struct{}
	said   said
}

// said is what a process writes to standard error.
type said struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

// Write implements io.Writer.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// warnings are the lines for the operator.
func (s *said) warnings() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.text.String()) {
		if text, is := strings.CutPrefix(line, "slotway: warning: "); is {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}

// startReplica runs a process with settings, and waits until it is ready.
func startReplica(ctx context.Context, binary, dir, agent, pad string, settings ...string) (*replica, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &replica{addr: listener.Addr().String(), exited: make(chan struct{})}
	if err := errors.Join(listener.Close(), os.MkdirAll(dir, 0o700)); err != nil {
		return nil, err
	}
	args := []string{"--agent", agent, "--data", dir, "--set", "telemetry.log=none", "--set", "server.limits.rate=0", "--set", "memory.storage=postgres"}
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	r.proc = exec.Command(binary, append(args, "serve", "--addr", r.addr)...)
	r.proc.Env = append(os.Environ(), "FAILOVER_PAD="+pad)
	r.proc.Dir, r.proc.Stderr = filepath.Dir(dir), &r.said
	if err := r.proc.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = r.proc.Wait()
		close(r.exited)
	}()
	err = await(ctx, "a replica to be ready", r.ready, r.exited)
	if err != nil {
		r.kill()
		r.said.mu.Lock()
		defer r.said.mu.Unlock()
		return nil, fmt.Errorf("%w\n%s", err, r.said.text.String())
	}
	return r, nil
}

func (r *replica) ready() bool {
	res, err := asking.Get("http://" + r.addr + "/readyz")
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (r *replica) kill() {
	_ = r.proc.Process.Kill() // it may be gone already
	<-r.exited
}

// asking outlasts the time that a turn may take to find out what became of it.
var asking = &http.Client{Timeout: 30 * time.Second}

// metric is a sample of a process; 0: there is none.
func (r *replica) metric(name string) (n int, err error) {
	res, err := asking.Get("http://" + r.addr + "/metrics")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, name+" "); is {
			_, err = fmt.Sscan(rest, &n)
		}
	}
	return n, err
}
