package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "append" {
		os.Exit(appendEntry(os.Stdout, os.Args[2], os.Args[3]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the command line.
type options struct {
	cycles  int
	clients int // of each of the two services
	seed    uint64
	json    bool
	keep    bool
	memory  bool // the memory's part instead
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
		return measureMemory(ctx, o, stderr)
	}
	return measure(ctx, o, stderr)
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
	binary, err := build(ctx, dir)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	r = &report{Cycles: o.cycles, Seed: o.seed}
	services := []*service{newShop(dir, binary, o.clients), newLedger(dir, binary, max(1, o.clients/2))}
	defer func() {
		for _, s := range services {
			s.kill()
		}
	}()
	rng := rand.New(rand.NewPCG(o.seed, 0))
	for _, s := range services {
		if err := s.begin(ctx, o.seed); err != nil {
			return nil, err
		}
	}
	for cycle := range o.cycles {
		for _, s := range services {
			if err := s.cycle(ctx, rng); err != nil {
				return nil, fmt.Errorf("cycle %d of the %s: %w", cycle+1, s.name, err)
			}
		}
		if cycle%10 == 9 && !o.json {
			fmt.Fprintf(stderr, "crash: %d cycles\n", cycle+1)
		}
	}
	for _, s := range services {
		if err := s.end(ctx, r); err != nil {
			return nil, fmt.Errorf("the %s: %w", s.name, err)
		}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// report is what a run found. The counts of what must not happen come first.
type report struct {
	Cycles           int     `json:"cycles"`
	Acknowledged     int     `json:"acknowledged"`      // turns that a client was given the reply of
	Lost             int     `json:"lost"`              // acknowledged, but not stored, or with another reply
	Reordered        int     `json:"reordered"`         // stored in another order than they were acknowledged in
	DoubleWrites     int     `json:"double_writes"`     // effects beyond the first of one confirmation
	Stuck            int     `json:"stuck"`             // sessions that do not answer any more
	UnaskedWrites    int     `json:"unasked_writes"`    // effects that nobody said yes to
	MissingEffects   int     `json:"missing_effects"`   // told as done, but not there
	UntoldEffects    int     `json:"untold_effects"`    // there, but told as not done
	Strange          int     `json:"strange"`           // turns that nobody was given the reply of, nor asked for again
	ReplaysDiffer    int     `json:"replays_differ"`    // the same message id was given two replies
	Ungraceful       int     `json:"ungraceful"`        // exits on SIGTERM that were not clean
	BadLines         int     `json:"bad_lines"`         // telemetry lines that do not fit the schema
	Confirmed        int     `json:"confirmed"`         // yeses that were acknowledged
	Effects          int     `json:"effects"`           // writes that took place
	ToldUnknown      int     `json:"told_unknown"`      // writes of which the person was told that nobody knows
	ToldDone         int     `json:"told_done"`         // writes of which the person was told that they are done
	Replayed         int     `json:"replayed"`          // message ids sent again on purpose
	Retries          int     `json:"retries"`           // messages sent again because no answer came
	KillsInWrites    int     `json:"kills_in_writes"`   // kills just after a yes was sent
	UnfinishedWrites int     `json:"unfinished_writes"` // yeses that had to be sent again
	Sessions         int     `json:"sessions"`          //
	Lines            int     `json:"lines"`             // of telemetry
	Seed             uint64  `json:"seed"`              //
	Seconds          float64 `json:"seconds"`           //

	notes []string // about what is wrong, for people
}

// minLoad is how many turns a cycle must have had on average: a quiet run shows nothing.
const minLoad = 20

// violations lists what must not be.
func (r *report) violations() []string {
	var bad []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Lost, "acknowledged turns are lost"},
		{r.Reordered, "turns are out of order"},
		{r.DoubleWrites, "writes happened twice"},
		{r.Stuck, "sessions are stuck"},
		{r.UnaskedWrites, "writes happened unasked"},
		{r.MissingEffects, "writes were told as done and are not there"},
		{r.UntoldEffects, "writes took place and were told as not done"},
		{r.Strange, "turns are stored that no client knows"},
		{r.ReplaysDiffer, "messages were answered differently the second time"},
		{r.BadLines, "telemetry lines do not fit their schema"},
		{r.Ungraceful, "services did not stop cleanly when they were asked to"},
	} {
		if c.n > 0 {
			bad = append(bad, fmt.Sprintf("%d %s (seed %d)", c.n, c.what, r.Seed))
		}
	}
	if r.Acknowledged < r.Cycles*minLoad {
		bad = append(bad, fmt.Sprintf("only %d turns were acknowledged in %d cycles, %d are needed to show anything", r.Acknowledged, r.Cycles, r.Cycles*minLoad))
	}
	if r.Effects < r.Cycles {
		bad = append(bad, fmt.Sprintf("only %d writes took place in %d cycles, %d are needed to show anything", r.Effects, r.Cycles, r.Cycles))
	}
	return bad
}

func (r *report) complaints() []string { return r.notes }

func (r *report) print(out io.Writer, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(out).Encode(r)
		return
	}
	fmt.Fprintf(out, "%d cycles, %d turns acknowledged in %d sessions, %d writes for %d yeses (%d told as unknown)\n",
		r.Cycles, r.Acknowledged, r.Sessions, r.Effects, r.Confirmed, r.ToldUnknown)
	fmt.Fprintf(out, "lost %d, reordered %d, double writes %d, stuck %d\n", r.Lost, r.Reordered, r.DoubleWrites, r.Stuck)
}
