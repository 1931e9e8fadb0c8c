package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"
)

func main() {
	if code, ok := beTool(os.Args); ok {
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// beTool is what the command does where it is started as a tool.
func beTool(args []string) (code int, ok bool) {
	switch {
	case len(args) == 4 && args[1] == "append":
		return appendEntry(os.Stdout, args[2], args[3]), true
	case len(args) == 5 && args[1] == "tools":
		return serveTools(args[2], args[3], args[4] == "faulty", os.Stderr), true
	}
	return 0, false
}

// options are the command line.
type options struct {
	cycles  int
	clients int // of each of the two services
	seed    uint64
	json    bool
	keep    bool
	memory  bool   // the memory's part instead
	binary  string // that is killed; "": built
	faults  faults
	expire  bool // its leases end with the process that has them
}

// findings are what a run has found.
type findings interface {
	print(out io.Writer, asJSON bool)
	violations() []string
	complaints() []string // more about them
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("crash", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.cycles, "cycles", 20, "how often the services are killed")
	fs.IntVar(&o.clients, "clients", 8, "clients of the shop; half as many use the ledger")
	fs.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "seed of what the clients say and when the kills come")
	fs.BoolVar(&o.json, "json", false, "one JSON object")
	fs.BoolVar(&o.keep, "keep", false, "leave the databases where they are, and say where")
	fs.BoolVar(&o.memory, "memory", false, "kill a service while it summarises, embeds and archives, and commands while they reindex and import")
	fs.BoolVar(&o.expire, "expire", false, "with -memory: end the leases of a killed process at once, instead of after a minute")
	fs.StringVar(&o.binary, "binary", "", "a slotway that was built with -tags failpoint; else one is built")
	o.faults = allFaults
	fs.Var(&o.faults, "faults", "what is done to the services besides the kills: a list of "+allFaults.String()+", or all, or none")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if fs.NArg() > 0 || o.cycles < 1 || o.clients < 1 {
		fmt.Fprintln(stderr, "crash: -cycles and -clients must be above zero, and there are no arguments")
		return 2
	}
	r, err := o.measure(ctx, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "crash: seed %d: %v\n", o.seed, err)
		return 1
	}
	r.print(stdout, o.json)
	if bad := r.violations(); len(bad) > 0 {
		for _, b := range bad {
			fmt.Fprintln(stderr, "crash: "+b)
		}
		for _, n := range r.complaints() {
			fmt.Fprintln(stderr, "crash: "+n)
		}
		return 1
	}
	return 0
}

func (o options) measure(ctx context.Context, stderr io.Writer) (findings, error) {
	if o.memory {
		o.faults = faults{}
		return measureMemory(ctx, o, stderr)
	}
	return measure(ctx, o, stderr)
}

// server is the binary that is killed.
func (o options) server(ctx context.Context, dir string) (string, error) {
	if o.binary != "" {
		return filepath.Abs(o.binary)
	}
	return build(ctx, dir, o.faults)
}

// measure runs the cycles and compares.
func measure(ctx context.Context, o options, stderr io.Writer) (r *report, err error) {
	dir, err := os.MkdirTemp("", "slotway-crash-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if o.keep {
			fmt.Fprintln(stderr, "crash: the databases are in "+dir)
			return
		}
		os.RemoveAll(dir)
	}()
	binary, err := o.server(ctx, dir)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	r = &report{Cycles: o.cycles, Seed: o.seed}
	r.wanted = o.faults.wanted()
	services := []*service{newShop(dir, binary, o.clients), newLedger(dir, binary, max(1, o.clients/2), o.faults)}
	defer func() {
		for _, s := range services {
			s.close()
		}
	}()
	var wg sync.WaitGroup
	errs := make([]error, len(services))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i, s := range services {
		s.faults = o.faults
		wg.Go(func() {
			if errs[i] = s.run(ctx, o, stderr); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	for i, s := range services {
		if errs[i] != nil && !errors.Is(errs[i], context.Canceled) {
			return nil, fmt.Errorf("the %s: %w", s.name, errs[i])
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, s := range services {
		if err := s.end(ctx, r); err != nil {
			return nil, fmt.Errorf("the %s: %w", s.name, err)
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// run has the clients talk and the service die as often as was asked for.
func (s *service) run(ctx context.Context, o options, stderr io.Writer) error {
	rng := rand.New(rand.NewPCG(o.seed, uint64(len(s.name))))
	if err := s.begin(ctx, o.seed); err != nil {
		return err
	}
	for cycle := range o.cycles {
		if err := s.cycle(ctx, rng); err != nil {
			return fmt.Errorf("cycle %d: %w", cycle+1, err)
		}
		if cycle%10 == 9 && !o.json {
			fmt.Fprintf(stderr, "crash: %d cycles of the %s\n", cycle+1, s.name)
		}
	}
	return nil
}
