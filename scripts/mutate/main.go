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
)

// usual are the packages that are changed when none is named.
var usual = []string{"planner", "router"}

// judges are the tests that are asked about a package's mutants besides its own, in turn,
// as arguments of go test.
var judges = map[string][][]string{
	"planner": {{"./router"}},
	"router":  {{"./router/replay"}},
}

// conversations are the tests of the program that play recorded ones: what a plan is for.
var conversations = []string{"./cmd/slotway", "-run", "^TestReplays$"}

type options struct {
	n, least int
	seed     uint64
	limit    time.Duration
	verbose  bool
	talk     bool
	packages []string
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 36, "how many mutants")
	flag.IntVar(&o.least, "least", 0, "how many of them must be killed")
	flag.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	flag.DurationVar(&o.limit, "limit", 3*time.Minute, "how long one run of tests may take")
	flag.BoolVar(&o.verbose, "v", false, "show the killed ones too")
	flag.BoolVar(&o.talk, "conversations", false, "ask the recorded conversations too, which takes half a minute a survivor")
	flag.Parse()
	if o.packages = flag.Args(); len(o.packages) == 0 {
		o.packages = usual
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run draws mutants and has them judged.
func run(ctx context.Context, o *options) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tree := filepath.Join(dir, "tree")
	if err := copyTree(ctx, tree); err != nil {
		return err
	}
	if err := os.Chdir(tree); err != nil {
		return err
	}
	sites, err := sitesIn(ctx, o.packages)
	if err != nil {
		return err
	}
	for name := range packagesOf(sites) { // tests that fail by themselves kill everything
		v, err := judge(ctx, o, dir, mutant{pkg: name})
		if err != nil {
			return err
		}
		if v != survived {
			return fmt.Errorf("the tests of %s fail without any change; run them by themselves", name)
		}
	}
	fmt.Printf("%d changes can be made to %s; %d are drawn with seed %d\n", len(sites), strings.Join(o.packages, ", "), o.n, o.seed)
	rng := rand.New(rand.NewPCG(o.seed, 0))
	rng.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
	made, killed := 0, 0
	for _, m := range sites {
		if made == o.n {
			break
		}
		v, err := judge(ctx, o, dir, m)
		if err != nil {
			return err
		}
		if v == unbuilt {
			continue
		}
		made++
		if v == dead {
			killed++
		}
		if v == survived || o.verbose {
			fmt.Printf("%2d %-8s %s\n", made, v, m.describe())
		}
	}
	fmt.Printf("%d of %d killed\n", killed, made)
	if killed < o.least {
		return fmt.Errorf("fewer than %d", o.least)
	}
	return nil
}
