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
	"sync"
	"syscall"
	"time"

	"github.com/slotway/slotway/router/httpapi/access"
)

// settings let the background work early and often.
var settings = []string{
	"server.limits.rate=100000/s", // its table is filled, and nobody is refused
	"memory.strategy=hybrid", "memory.summary.enabled=true",
	"memory.summary.trigger_message_count=8", "memory.summary.recent_message_count=4",
	"memory.compression.archive_conversations=true", "memory.compression.threshold_tokens=200",
	"memory.compression.recent_messages_to_keep=4",
	"memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.search_always=true",
}

// process is the server that is watched.
type process struct {
	dir, addr, key string
	cmd            *exec.Cmd
	exited         chan struct{}
	stderr         tail
}

// tail counts what a process says and keeps the end of it.
type tail struct {
	mu    sync.Mutex // guards what follows
	lines int
	last  []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines += bytes.Count(b, []byte{'\n'})
	t.last = append(t.last, b...)
	if extra := len(t.last) - 4096; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(b), nil
}

func (t *tail) said() (lines int, last string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lines, string(t.last)
}

// startTime is how long a process may take to serve or to stop, on a busy machine.
const startTime = 60 * time.Second

// start builds the binary and runs it.
func start(ctx context.Context, dir string) (*process, error) {
	binary := filepath.Join(dir, "slotway")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/slotway/slotway/cmd/slotway")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build slotway: %w\n%s", err, out)
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, addr: listener.Addr().String(), exited: make(chan struct{})}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	keys := filepath.Join(dir, "keys.yaml")
	key, hash := access.NewKey()
	p.key = key
	text := fmt.Sprintf("keys:\n- {name: soak, hash: \"sha256:%x\", service: true, scopes: [chat, read, admin, metrics]}\n", hash)
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := p.writeAgent(0); err != nil {
		return nil, err
	}
	args := []string{"--data", dir, "--agent", p.agent(), "--set", "server.auth.keys_file=" + keys}
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	p.cmd = exec.Command(binary, append(args, "serve", "--addr", p.addr)...)
	p.cmd.Dir, p.cmd.Stderr = dir, &p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.exited)
	}()
	if err := p.ready(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// ready waits until the process serves.
func (p *process) ready(ctx context.Context) error {
	c := &caller{base: "http://" + p.addr, http: http.DefaultClient}
	for end := time.Now().Add(startTime); time.Now().Before(end); {
		if res, err := c.do(ctx, http.MethodGet, "/readyz", nil); err == nil {
			res.Body.Close()
			return nil
		}
		select {
		case <-p.exited:
			_, last := p.stderr.said()
			return fmt.Errorf("the service did not start: %s\n%s", p.cmd.ProcessState, last)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return errors.New("the service does not become ready")
}

// stop asks the process to end, and says whether it did so cleanly.
func (p *process) stop() bool {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may be gone already
	select {
	case <-p.exited:
	case <-time.After(startTime):
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
	return p.cmd.ProcessState.Success()
}

func (p *process) agent() string { return filepath.Join(p.dir, "agent.yaml") }

// writeAgent puts another version of the agent in the place of the last, whole.
func (p *process) writeAgent(version int) error {
	next := p.agent() + ".next"
	text := fmt.Sprintf("%s\n# version %d\n", agentYAML, version)
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, p.agent())
}
