package main

import (
	"context"
	"encoding/json"
	"errors"
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
	minutes  float64
	sessions int // concurrent conversations
	clients  int // goroutines that hold them
	users    int // owners of the conversations
	seed     uint64
}

// run is main with its inputs as arguments. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("soak", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Float64Var(&o.minutes, "minutes", 8, "how long, the warm-up of three eighths included")
	fs.IntVar(&o.sessions, "sessions", 256, "conversations under way at a time")
	fs.IntVar(&o.clients, "clients", 8, "that hold them")
	fs.IntVar(&o.users, "users", 64, "whose conversations they are")
	fs.Uint64Var(&o.seed, "seed", 1, "of what is said and when")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if fs.NArg() > 0 || o.minutes <= 0 || o.clients < 1 || o.users < 1 || o.sessions < o.clients {
		fmt.Fprintln(stderr, "soak: -minutes, -clients and -users must be above zero, -sessions at least -clients, and there are no arguments")
		return 2
	}
	r, err := soak(ctx, o, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "soak: %v\n", err)
		return 1
	}
	if err := json.NewEncoder(stdout).Encode(r); err != nil || len(r.Wrong) > 0 {
		return 1
	}
	return 0
}

// every is the time between two samples.
const every = 2 * time.Second

// soak runs the load and watches the process.
func soak(ctx context.Context, o options, stderr io.Writer) (_ *report, err error) {
	dir, err := os.MkdirTemp("", "slotway-soak-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := start(ctx, dir)
	if err != nil {
		return nil, err
	}
	l := newLoad(p, o)
	working, end := context.WithCancel(ctx)
	l.begin(working)
	w := newWatcher(o)
	err = w.watch(ctx, l, stderr)
	end()
	l.work.Wait()
	clean := p.stop()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, p.Output.String())
	}
	return w.report(l, clean), nil
}
