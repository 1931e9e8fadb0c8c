package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

func main() {
	if code, ok := beTool(os.Args); ok {
		os.Exit(code)
	}
	harness.Main(run)
}

// beTool runs the command as a tool if its arguments say so.
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
	clients int     // of each of the two services
	minutes float64 // length of the run; 0: count cycles

	replicas    int    // of the ledger; 0: one process for each service
	dsn         string // of a PostgreSQL server; "": SQLite
	sessions    int    // of all clients together, with replicas
	ownDatabase bool   // start a PostgreSQL server and make it die
	redis       bool   // start a Redis as the cache and make it die

	partition time.Duration // length of a partition from the database; 0: none

	seed   uint64
	json   bool
	keep   bool
	memory bool   // kill a service at work on its memory instead
	binary string // to kill; "": build one
	faults faults
	expire bool // with memory: leases end with their process
}

// findings is the report of a run.
type findings interface {
	harness.Report
	complaints() []string // more about its violations
}

// run is main with its inputs as arguments. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("crash", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.cycles, "cycles", 20, "how often the services are killed")
	fs.IntVar(&o.clients, "clients", 8, "clients of the shop; half as many use the ledger")
	fs.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "seed of what the clients say and when the kills come")
	fs.Float64Var(&o.minutes, "minutes", 0, "how long, instead of how often, the services are killed")
	fs.IntVar(&o.replicas, "replicas", 0, "harm so many replicas of the ledger on one database, behind a proxy")
	fs.StringVar(&o.dsn, "dsn", "", "with -replicas: the URL of a PostgreSQL server, on which a database is made for the run; without it SQLite, for one replica")
	fs.BoolVar(&o.ownDatabase, "own-database", false, "with -replicas, instead of -dsn: start a PostgreSQL server for the run, and have it die again and again")
	fs.BoolVar(&o.redis, "redis", false, "with -dsn or -own-database: start a Redis as their cache, and kill it again and again")
	fs.IntVar(&o.sessions, "sessions", 200, "with -replicas: conversations of all clients together")
	fs.DurationVar(&o.partition, "partition", 0, "with -dsn: keep the replicas from their database for so long, twice in the run")
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
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.replicas > 0 && !given["clients"] {
		o.clients = fleetClients
	}
	o.faults.points = o.faults.points && o.replicas == 0 // for SQLite only
	o.faults.rivals = o.faults.rivals && o.replicas == 0 // replicas compete already
	if wrong := o.wrong(fs.NArg(), given); wrong != "" {
		fmt.Fprintln(stderr, "crash: "+wrong)
		return 2
	}
	r, err := o.measure(ctx, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "crash: seed %d: %v\n", o.seed, err)
		return 1
	}
	code := harness.Conclude(r, o.json, stdout, stderr, "crash: ")
	if code != 0 {
		for _, n := range r.complaints() {
			fmt.Fprintln(stderr, "crash: "+n)
		}
	}
	return code
}

// fleetClients is the default number of clients with replicas.
const fleetClients = 40

// wrong describes an error in the command line, or returns "".
func (o options) wrong(args int, given map[string]bool) string {
	shared := o.dsn != "" || o.ownDatabase
	for _, c := range []struct {
		is   bool
		what string
	}{
		{args > 0, "there are no arguments"},
		{o.cycles < 1 || o.clients < 1 || o.sessions < 1, "-cycles, -clients and -sessions must be above zero"},
		{o.minutes < 0 || o.replicas < 0 || o.partition < 0, "-minutes, -replicas and -partition cannot be below zero"},
		{given["cycles"] && o.minutes > 0, "-cycles and -minutes exclude each other"},
		{o.memory && (o.replicas > 0 || o.minutes > 0), "-memory is for cycles of one process"},
		{o.replicas == 0 && (shared || o.redis || o.partition > 0 || given["sessions"]), "-dsn, -own-database, -redis, -partition and -sessions are for -replicas"},
		{o.dsn != "" && o.ownDatabase, "-dsn and -own-database exclude each other"},
		{o.replicas > 1 && !shared, "several replicas need -dsn or -own-database: they share a database"},
		{o.partition > 0 && !shared, "-partition needs -dsn or -own-database: a file is always in reach"},
		{o.redis && !shared, "-redis needs -dsn or -own-database: a file has no cache before it"},
	} {
		if c.is {
			return c.what
		}
	}
	return ""
}

func (o options) measure(ctx context.Context, stderr io.Writer) (findings, error) {
	if o.memory {
		o.faults = faults{}
		return measureMemory(ctx, o, stderr)
	}
	return measure(ctx, o, stderr)
}

// scratch makes the folder of a run and the binary to kill. done removes the folder, or prints its
// path with -keep.
func (o options) scratch(ctx context.Context, stderr io.Writer) (dir, binary string, done func(), err error) {
	if dir, err = os.MkdirTemp("", "slotway-crash-"); err != nil {
		return "", "", nil, err
	}
	done = func() {
		if o.keep {
			fmt.Fprintln(stderr, "crash: the databases are in "+dir)
			return
		}
		os.RemoveAll(dir)
	}
	switch {
	case o.binary != "":
		binary, err = filepath.Abs(o.binary)
	case o.faults.points || o.faults.clock:
		binary, err = harness.Build(ctx, dir, "failpoint")
	default:
		binary, err = harness.Build(ctx, dir)
	}
	if err != nil {
		done()
	}
	return dir, binary, done, err
}

// measure runs the cycles and compares the results.
func measure(ctx context.Context, o options, stderr io.Writer) (r *report, err error) {
	dir, binary, done, err := o.scratch(ctx, stderr)
	if err != nil {
		return nil, err
	}
	defer done()
	begin := time.Now()
	r = &report{Seed: o.seed}
	services, closing, err := o.services(ctx, dir, binary, r, stderr)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closing()) }()
	var wg sync.WaitGroup
	errs := make([]error, len(services))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i, s := range services {
		s.faults = o.faults
		wg.Go(func() {
			if errs[i] = s.run(ctx, o, r, stderr); errs[i] != nil {
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
		r.Cycles = max(r.Cycles, s.rounds)
		if err := s.end(ctx, r); err != nil {
			return nil, fmt.Errorf("the %s: %w", s.name, err)
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// services makes the services to harm. closing ends them.
func (o options) services(ctx context.Context, dir, binary string, r *report, stderr io.Writer) (all []*service, closing func() error, err error) {
	if o.replicas > 0 {
		s, err := newFleet(ctx, dir, binary, o)
		if err != nil {
			return nil, nil, err
		}
		r.wanted = append(o.faults.wanted(), o.faults.wantedOf(o.replicas)...)
		if o.ownDatabase {
			r.wanted = append(r.wanted, wantedOfDatabase()...)
		}
		if o.redis {
			r.wanted = append(r.wanted, cacheEmptied, cacheStale)
		}
		r.Fleet = &fleetReport{Replicas: o.replicas}
		return []*service{s}, func() error {
			s.close()
			if o.keep {
				return s.fleet.leave(stderr)
			}
			return s.fleet.drop()
		}, nil
	}
	r.wanted = o.faults.wanted()
	all = []*service{newShop(dir, binary, o.clients), newLedger(dir, binary, max(1, o.clients/2), o.faults)}
	return all, func() error {
		for _, s := range all {
			s.close()
		}
		return nil
	}, nil
}

// over returns the share of the run that is over, from 0.
func (o options) over(cycles int, begin time.Time) float64 {
	if o.minutes > 0 {
		return time.Since(begin).Minutes() / o.minutes
	}
	return float64(cycles) / float64(o.cycles)
}

// run starts the clients and harms the service until the run is over.
func (s *service) run(ctx context.Context, o options, r *report, stderr io.Writer) error {
	rng := rand.New(rand.NewPCG(o.seed, uint64(len(s.name))))
	if err := s.begin(ctx, o.seed); err != nil {
		return err
	}
	for cycle, begin := 0, time.Now(); o.over(cycle, begin) < 1; cycle++ {
		if err := s.harm(ctx, rng, r, o.over(cycle, begin)); err != nil {
			return fmt.Errorf("cycle %d: %w", cycle+1, err)
		}
		if cycle%10 == 9 && !o.json {
			fmt.Fprintf(stderr, "crash: %d cycles of the %s\n", cycle+1, s.name)
		}
	}
	return nil
}

// harm runs one cycle.
func (s *service) harm(ctx context.Context, rng *rand.Rand, r *report, over float64) error {
	if s.fleet == nil {
		return s.cycle(ctx, rng)
	}
	if kind, due := s.fleet.due(over, len(r.Fleet.Partitions)); due {
		p, err := s.fleet.part(ctx, s, kind)
		if err != nil {
			return err
		}
		r.Fleet.Partitions = append(r.Fleet.Partitions, p)
	}
	return s.fleet.cycle(ctx, s, rng)
}
