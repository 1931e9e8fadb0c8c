package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/slotway/slotway/memory"
)

// build makes the binary that is killed.
func build(ctx context.Context, dir string, f faults) (string, error) {
	binary := filepath.Join(dir, "slotway")
	tags := ""
	if f.points || f.clock {
		tags = "failpoint"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-tags", tags, "-o", binary, "github.com/slotway/slotway/cmd/slotway")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build slotway: %w\n%s", err, out)
	}
	return binary, nil
}

// service is one slotway process with its clients, over all its lives.
type service struct {
	name    string
	binary  string
	dir     string
	agent   string // id
	args    []string
	env     []string
	clients int
	script  func(rng *rand.Rand, client int) script
	before  func() error                                      // the first process is started
	prepare func(ctx context.Context) error                   // once the first process serves
	effects func(ctx context.Context) (map[string]int, error) // by key

	addr   string
	begun  time.Time
	proc   *exec.Cmd
	exited chan struct{}
	stderr bytes.Buffer // of the process that runs, read once it has exited

	faults faults
	tools  *toolService   // that the agent's tools call; nil: none
	point  string         // where the process is to die that is started next, or runs; "": nowhere
	passes int            // before it dies there
	armed  map[string]int // by point: how often the service was to die there
	died   map[string]int // by point: how often it did
	harms  map[string]int
	rounds int
	ahead  int // seconds that its clock is ahead
	kills  int
	booked *entries // what the tools' service says, once it has ended

	worksOn bool // who uses the service sees to what is left to do

	yes        chan struct{} // a client is about to say yes
	talking    sync.WaitGroup
	stop       chan struct{}
	all        []*client
	struck     int // kills just after a yes was sent
	ungraceful int // exits on SIGTERM that were not clean
}

// startTime is how long a process may take to serve, on a busy machine.
const startTime = 60 * time.Second

// begin starts the first process and the clients.
func (s *service) begin(ctx context.Context, seed uint64) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr = listener.Addr().String()
	listener.Close()
	s.stop, s.begun = make(chan struct{}), time.Now()
	s.armed, s.died, s.harms = map[string]int{}, map[string]int{}, map[string]int{}
	if s.yes == nil {
		s.yes = make(chan struct{})
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if s.before != nil {
		if err := s.before(); err != nil {
			return fmt.Errorf("prepare the %s: %w", s.name, err)
		}
	}
	if s.tools != nil {
		if err := s.tools.start(); err != nil {
			return err
		}
	}
	if err := s.setClock(0); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	if s.prepare != nil {
		if err := s.prepare(ctx); err != nil {
			return fmt.Errorf("prepare the %s: %w", s.name, err)
		}
	}
	for i := range s.clients {
		rng := rand.New(rand.NewPCG(seed, uint64(i+1)<<8|uint64(len(s.name))))
		c := newClient(s, i, rng)
		s.all = append(s.all, c)
		s.talking.Go(func() { c.talk(ctx) })
	}
	return nil
}

// start runs a process and waits until it is ready.
func (s *service) start(ctx context.Context) error {
	if err := s.launch(); err != nil {
		return err
	}
	for end := time.Now().Add(startTime); time.Now().Before(end); {
		if res, err := http.Get("http://" + s.addr + "/readyz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-s.exited:
			if s.reached() { // its point came before it served
				return s.start(ctx)
			}
			return fmt.Errorf("the service did not start: %s\n%s", s.proc.ProcessState, s.stderr.String())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return errors.New("the service does not become ready")
}

func (s *service) launch() error {
	args := append([]string{
		"--data", s.dir, "--set", "telemetry.log=" + s.telemetry(), "--set", "server.limits.rate=0", "--set", "memory.auto_prune_days=1",
		"--set", "memory.summary.enabled=true", "--set", "memory.summary.trigger_message_count=6", "--set", "memory.summary.recent_message_count=2",
	}, s.args...)
	proc, exited := exec.Command(s.binary, append(args, "serve", "--addr", s.addr)...), make(chan struct{})
	proc.Env = append(os.Environ(), s.env...)
	if s.faults.clock {
		proc.Env = append(proc.Env, "SLOTWAY_CLOCK="+s.clock())
	}
	if s.faults.points {
		proc.Env = append(proc.Env, fmt.Sprintf("SLOTWAY_WAL_BYTES=%d", walBytes))
	}
	if s.point != "" {
		proc.Env = append(proc.Env, fmt.Sprintf("SLOTWAY_FAILPOINT=%s:%d", s.point, s.passes))
	}
	proc.Dir = s.dir
	s.stderr.Reset()
	proc.Stderr = &s.stderr
	if err := proc.Start(); err != nil {
		return err
	}
	s.proc, s.exited = proc, exited
	go func() {
		_ = proc.Wait() // how it ended is in ProcessState
		close(exited)
	}()
	return nil
}

// kill ends the process as a power switch would.
func (s *service) kill() {
	if s.exited == nil {
		return
	}
	_ = s.proc.Process.Kill() // it may be gone already
	<-s.exited
	s.point = ""
}

// awaitYes waits until a client says yes, and a moment longer.
func (s *service) awaitYes(ctx context.Context, rng *rand.Rand) error {
	select {
	case <-s.yes:
		s.struck++
	case <-time.After(2 * time.Second): // nobody happens to confirm anything
	case <-ctx.Done():
		return ctx.Err()
	}
	return pause(ctx, time.Duration(rng.IntN(12_000))*time.Microsecond)
}

// close ends what runs.
func (s *service) close() {
	s.kill()
	if s.tools != nil {
		s.tools.close()
	}
}

// terminate stops the service as an operator would.
func (s *service) terminate() {
	_ = s.proc.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(20 * time.Second):
		s.kill()
	}
	if !s.proc.ProcessState.Success() && !s.reached() {
		s.ungraceful++
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end lets the clients finish, talks to every session once more, stops the service as an
// operator would, and compares.
func (s *service) end(ctx context.Context, r *report) error {
	if err := pause(ctx, 300*time.Millisecond); err != nil {
		return err
	}
	if s.point != "" { // nobody would start it again
		s.kill()
		if err := s.start(ctx); err != nil {
			return err
		}
	}
	close(s.stop)
	s.talking.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, c := range s.all {
		c.lastWords(ctx)
	}
	s.terminate()
	if !s.worksOn {
		if err := s.drain(ctx, r); err != nil {
			return err
		}
	}
	r.Ungraceful += s.ungraceful
	r.Kills += s.kills
	if err := s.checkTelemetry(r); err != nil {
		return err
	}
	return s.compare(ctx, r)
}

// key names a stored session.
func (s *service) key(session string) memory.Key {
	return memory.Key{UserID: "local", AgentID: s.agent, SessionID: session}
}
