package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/scripts/harness"
)

// service is a slotway process, or several replicas, with their clients.
type service struct {
	name    string
	binary  string
	dir     string
	agent   string // id
	args    []string
	env     []string
	clients int
	script  func(rng *rand.Rand, client int) script
	before  func() error                                      // the first start
	prepare func(ctx context.Context) error                   // after the first start
	effects func(ctx context.Context) (map[string]int, error) // number by key; nil: see happened

	// happened returns the writes with their times, after the last one; nil: see effects.
	happened func() (*entries, error)

	processes []*process
	addr      string // for clients
	begun     time.Time
	fleet     *fleet   // nil: no replicas
	database  database // of the sessions

	faults faults
	tools  *toolService   // behind the agent's tools; nil: none
	armed  map[string]int // number of times that each fail point was chosen
	harms  map[string]int
	rounds int
	kills  int

	worksOn bool // the caller drains the jobs

	yes     chan struct{} // receives when a client is about to say yes
	talking sync.WaitGroup
	stop    chan struct{}
	all     []*client
	struck  int // kills just after a yes
	rival   *rival
}

// begin starts the processes and the clients.
func (s *service) begin(ctx context.Context, seed uint64) error {
	s.stop, s.begun = make(chan struct{}), time.Now()
	s.armed, s.harms = map[string]int{}, map[string]int{}
	if s.yes == nil {
		s.yes = make(chan struct{})
	}
	if err := s.populate(); err != nil {
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
	if s.faults.rivals && s.fleet == nil {
		s.rivalry(ctx, seed)
	}
	return nil
}

// populate makes the processes, each with its own address and data folder.
func (s *service) populate() error {
	n := 1
	if s.fleet != nil {
		n = s.fleet.size
	}
	for i := range n {
		name, dir := s.name, s.dir
		if n > 1 {
			name = fmt.Sprintf("%s, replica %d", s.name, i+1)
			dir = filepath.Join(s.dir, fmt.Sprintf("replica-%d", i+1))
		}
		p, err := s.newProcess(name, dir)
		if err != nil {
			return err
		}
		s.processes = append(s.processes, p)
	}
	s.addr = s.one().Addr
	if s.fleet == nil {
		return nil
	}
	var err error
	s.addr, err = s.fleet.open(s.processes)
	return err
}

// agentFile returns the path of the agent's definition, beside the data folder.
func (s *service) agentFile() string {
	return filepath.Join(filepath.Dir(s.dir), s.agent+".yaml")
}

func (s *service) writeAgent() error {
	_, err := harness.WriteAgent(filepath.Dir(s.dir), s.agent)
	return err
}

// one returns the first process.
func (s *service) one() *process { return s.processes[0] }

// each calls f with every process.
func (s *service) each(f func(p *process) error) error {
	for _, p := range s.processes {
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

// start runs the processes and waits until they are ready.
func (s *service) start(ctx context.Context) error {
	return s.each(func(p *process) error { return p.Start(ctx) })
}

// setClock sets the clocks of all processes.
func (s *service) setClock(ahead int) error {
	return s.each(func(p *process) error { return p.setClock(ahead) })
}

// clocks returns how far the processes' clocks are ahead.
func (s *service) clocks() []time.Duration {
	var ahead []time.Duration
	for _, p := range s.processes {
		ahead = append(ahead, time.Duration(p.ahead.Load())*time.Second)
	}
	return ahead
}

// awaitYes waits until a client says yes, and a random moment longer.
func (s *service) awaitYes(ctx context.Context, rng *rand.Rand) error {
	select {
	case <-s.yes:
		s.struck++
	case <-time.After(2 * time.Second): // no client happens to say yes
	case <-ctx.Done():
		return ctx.Err()
	}
	return harness.Pause(ctx, time.Duration(rng.IntN(12_000))*time.Microsecond)
}

// close ends all processes.
func (s *service) close() {
	for _, p := range s.processes {
		p.Kill()
	}
	if s.fleet != nil {
		s.fleet.close()
	}
	if s.tools != nil {
		s.tools.close()
	}
}

// end lets the clients finish, sends one more message to every session, stops the service as an
// operator would, and compares the results.
func (s *service) end(ctx context.Context, r *report) error {
	if err := harness.Pause(ctx, 300*time.Millisecond); err != nil {
		return err
	}
	if p := s.one(); p.point != "" { // nothing would start it again
		p.Kill()
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	close(s.stop)
	s.talking.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.happened != nil { // messages that were given up may still be on the way
		if err := harness.Pause(ctx, 2*lateTime); err != nil {
			return err
		}
	}
	for _, c := range s.all {
		c.lastWords(ctx)
	}
	for _, p := range s.processes {
		p.terminate()
	}
	if !s.worksOn {
		if err := s.drain(ctx, r); err != nil {
			return err
		}
	}
	for _, p := range s.processes {
		r.Ungraceful += p.ungraceful
	}
	r.Kills += s.kills
	if s.fleet != nil {
		s.fleet.report(r.Fleet)
	}
	if err := s.each(func(p *process) error { return s.checkTelemetry(r, p) }); err != nil {
		return err
	}
	return s.compare(ctx, r)
}

// key returns the key of a stored session.
func (s *service) key(session string) memory.Key {
	return memory.Key{UserID: "local", AgentID: s.agent, SessionID: session}
}
