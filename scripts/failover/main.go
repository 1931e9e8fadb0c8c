package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

func main() { harness.Main(run) }

// options are the command line.
type options struct {
	scenario string
	replicas int
	clients  int
	load     time.Duration // time before the first kill, and after the failover
	away     time.Duration // time for which the standby is dead
	binary   string        // "": build one
	json     bool
}

// run is main with its inputs as arguments. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("failover", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.scenario, "scenario", "all", "sync, sync-dead, async, off or all")
	fs.IntVar(&o.replicas, "replicas", 3, "processes of slotway")
	fs.IntVar(&o.clients, "clients", 8, "clients, a conversation at a time each")
	fs.DurationVar(&o.load, "load", 6*time.Second, "how long clients talk before the death, and after it")
	fs.DurationVar(&o.away, "away", 12*time.Second, "sync-dead: how long the standby is dead; more than the 7 s that a commit may take")
	fs.StringVar(&o.binary, "binary", "", "a slotway; else one is built")
	fs.BoolVar(&o.json, "json", false, "a JSON object for each scenario")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	chosen := chosenScenarios(o.scenario)
	if fs.NArg() > 0 || len(chosen) == 0 || o.replicas < 1 || o.clients < 1 {
		fmt.Fprintln(stderr, "failover: -scenario is sync, sync-dead, async, off or all; -replicas and -clients are above zero; there are no arguments")
		return 2
	}
	code := 0
	for _, s := range chosen {
		r, err := o.measure(ctx, s, stderr)
		if err != nil {
			fmt.Fprintf(stderr, "failover: %s: %v\n", s.name, err)
			return 1
		}
		code = max(code, harness.Conclude(r, o.json, stdout, stderr, "failover: "+s.name+": "))
	}
	return code
}

// measure runs one scenario with its own servers, replicas and clients.
func (o options) measure(ctx context.Context, s scenario, stderr io.Writer) (r *report, err error) {
	dir, err := os.MkdirTemp("", "slotway-failover-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil { // for the user of the servers
		return nil, err
	}
	if o.binary == "" {
		if o.binary, err = harness.Build(ctx, dir); err != nil {
			return nil, err
		}
	}
	f, err := newField(ctx, dir, s, o, stderr)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if err := f.play(ctx); err != nil {
		return nil, err
	}
	return f.compare(ctx)
}

// Print implements harness.Report.
func (r *report) Print(out io.Writer) {
	fmt.Fprintf(out, "%s: %d turns acknowledged in %d sessions, %d after the failover; lost %d (%d of them before the lag), notes written twice %d, stuck %d\n",
		r.Scenario, r.Acknowledged, r.Sessions, r.After, r.Lost, r.LostBefore, r.Doubled, r.Stuck)
	fmt.Fprintf(out, "  while no standby was there: %d acknowledged, %d answers 503; first turn after the promotion: %d ms\n",
		r.WithoutStandby, r.Refused, r.FirstMS)
	if r.BackMS > 0 {
		fmt.Fprintf(out, "  waited for a standby that was dead: %d; first turn with the standby back: %d ms\n", r.Waited, r.BackMS)
	}
	for _, t := range r.Told {
		fmt.Fprintf(out, "  told: %s\n", t)
	}
}
