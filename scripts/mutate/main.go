package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotway/slotway/scripts/worktree"
)

// usual are the default packages.
var usual = []string{"planner", "router"}

type options struct {
	n, least int
	seed     uint64
	limit    time.Duration
	verbose  bool
	quick    bool
	at       string
	packages []string
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 36, "how many mutants")
	flag.IntVar(&o.least, "least", 0, "how many of them must be killed")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.DurationVar(&o.limit, "limit", time.Minute, "how long one run of tests may take, if it is not known to take longer")
	flag.BoolVar(&o.verbose, "v", false, "show the killed ones too")
	flag.BoolVar(&o.quick, "quick", false, "ask the package's own quick tests alone")
	flag.StringVar(&o.at, "at", "", "only the changes of these places: FILE or FILE:LINE, several with commas between")
	flag.Parse()
	if o.packages = flag.Args(); len(o.packages) == 0 {
		o.packages = usual
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run is the state of a run.
type run struct {
	*options
	dir  string                   // for the copy, the overlay and the changed file
	took map[string]time.Duration // by question, without a change
}

// mutate draws mutants and judges them.
func mutate(ctx context.Context, o *options) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := &run{o, dir, map[string]time.Duration{}}
	tree := filepath.Join(dir, "tree")
	if err := worktree.Copy(ctx, tree); err != nil {
		return err
	}
	if err := os.Chdir(tree); err != nil {
		return err
	}
	sites, err := sitesIn(ctx, o.packages)
	if err != nil {
		return err
	}
	if sites = at(sites, o.at); len(sites) == 0 {
		return fmt.Errorf("nothing can be changed at %s in %s", o.at, strings.Join(o.packages, ", "))
	}
	fmt.Printf("%d changes can be made to %s; %d are drawn with seed %d\n", len(sites), strings.Join(o.packages, ", "), min(o.n, len(sites)), o.seed)
	rng := rand.New(rand.NewPCG(o.seed, 0))
	rng.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
	drawn := sites[:min(len(sites), o.n+o.n/3+3)] // some do not build
	unbuilt, err := r.build(ctx, drawn)
	if err != nil {
		return err
	}
	if err := r.unchanged(ctx, drawn); err != nil {
		return err
	}
	return r.each(ctx, drawn, unbuilt)
}

// unchanged runs every question without a change: a test that fails anyway would kill every mutant.
func (r *run) unchanged(ctx context.Context, drawn []mutant) error {
	for pkg := range packagesOf(drawn) {
		j, err := r.judge(ctx, pkg, none)
		if err != nil {
			return err
		}
		if j.verdict != survived {
			return fmt.Errorf("%s: %s without any change; run them by themselves", j.by, j.verdict)
		}
	}
	return nil
}

// each judges as many mutants as the options want and prints the results.
func (r *run) each(ctx context.Context, drawn []mutant, unbuilt map[int]bool) error {
	made, count := 0, map[verdict]int{}
	for i, m := range drawn {
		if made == r.n {
			break
		}
		if unbuilt[i] {
			continue
		}
		j, err := r.judge(ctx, m.pkg, i)
		if err != nil {
			return err
		}
		made++
		count[j.verdict]++
		if j.verdict != dead || r.verbose {
			fmt.Printf("%2d %s: %s\n", made, j, m.describe())
		}
	}
	killed := count[dead] + count[late]
	fmt.Printf("%d of %d killed", killed, made)
	if count[late] > 0 {
		fmt.Printf(", %d of them because they ran into the time limit, each shown above", count[late])
	}
	fmt.Println()
	if killed < r.least {
		return fmt.Errorf("fewer than %d", r.least)
	}
	return nil
}
