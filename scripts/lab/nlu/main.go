// Command nlu has the measurements of understanding that are no part of the program:
//
//	go run -C scripts/lab ./nlu noise  -train F -test F [-edits N] [-chatter] [-shots N]
//	go run -C scripts/lab ./nlu small  -train F -test F [-agents N] [-shots N]
//	go run -C scripts/lab ./nlu near   -train F -test F [-far F] [-not-served N]
//	go run -C scripts/lab ./nlu served -agent F -test F
//	go run -C scripts/lab ./nlu acts   [-cases F]
//	go run -C scripts/lab ./nlu perturb -cases F [-variants N]
//	go run -C scripts/lab ./nlu speed  [-intents N] [-examples N] [-agent F]
//
// Files have the form of `slotway eval nlu`. Each prints one JSON object; shares are fractions of 1.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/scripts/lab/actcases"
	"github.com/slotway/slotway/scripts/lab/perturb"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are the command line. Each measurement uses some of them.
type options struct {
	train, test, far, agent, cases string
	encoder                        string
	spans                          bool
	noise                          noise
	shots, agents, listed, folds   int
	seed                           uint64
	intents, examples, starts      int
	variants                       int
}

// measurement is one subcommand: the flags that it needs, and what it does.
type measurement struct {
	needs []string
	do    func(*options, context.Context) (any, error)
}

var measurements = map[string]measurement{
	"noise":   {[]string{"train", "test"}, (*options).measureNoise},
	"small":   {[]string{"train", "test"}, (*options).measureSmall},
	"near":    {[]string{"train", "test"}, (*options).measureNear},
	"served":  {[]string{"agent", "test"}, (*options).measureServed},
	"acts":    {nil, (*options).measureActs},
	"perturb": {[]string{"cases"}, (*options).measurePerturbed},
	"speed":   {nil, (*options).measureSpeed},
}

// errUsage is a wrong command line.
var errUsage = errors.New("usage: nlu noise|small|near|served|acts|perturb|speed [flags]")

// run is main without the process. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	found, err := perform(ctx, args, stderr)
	if err == nil {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		err = out.Encode(found)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintln(stderr, "nlu: "+err.Error())
		return 2
	case err != nil:
		fmt.Fprintln(stderr, "nlu: "+err.Error())
		return 1
	}
	return 0
}

// perform reads the command line and measures.
func perform(ctx context.Context, args []string, stderr io.Writer) (any, error) {
	if len(args) == 0 {
		return nil, errUsage
	}
	m, known := measurements[args[0]]
	if !known {
		return nil, fmt.Errorf("%w; there is no %q", errUsage, args[0])
	}
	o := &options{}
	flags := o.flags(args[0], stderr)
	if err := flags.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%w; %q is no flag", errUsage, flags.Arg(0))
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, name := range m.needs {
		if !given[name] {
			return nil, fmt.Errorf("%w; %s needs -%s", errUsage, args[0], strings.Join(m.needs, " and -"))
		}
	}
	return m.do(o, ctx)
}

func (o *options) flags(name string, stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("nlu "+name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.train, "train", "", "file of messages to train on, or to draw agents from")
	fs.StringVar(&o.test, "test", "", "file of messages to measure on")
	fs.StringVar(&o.far, "far", "", "near: file whose messages labelled oos are tried, too")
	fs.StringVar(&o.agent, "agent", "", "served, speed: the agent file")
	fs.StringVar(&o.cases, "cases", "", "acts: file of clauses; default: those of the lab. perturb: file of recogniser cases")
	fs.StringVar(&o.encoder, "encoder", "auto", "the setting classifier.encoder: auto, on or off")
	fs.IntVar(&o.noise.edits, "edits", 0, "slips of the finger in each message that is measured")
	fs.BoolVar(&o.noise.chatter, "chatter", false, "put chatter around each message that is measured")
	fs.BoolVar(&o.spans, "spans", false, "noise: measure slots, too")
	fs.IntVar(&o.shots, "shots", 0, "examples of each intent that are drawn; 0: all, of small agents 8")
	fs.IntVar(&o.agents, "agents", 100, "small, near: agents to draw")
	fs.IntVar(&o.listed, "not-served", 0, "near: intents that an agent lists as not served")
	fs.IntVar(&o.folds, "folds", 0, "noise: folds of cross-validation; 0: 10, for calibration as few as suffice")
	fs.IntVar(&o.variants, "variants", 10, "perturb: variants of each case")
	fs.Uint64Var(&o.seed, "seed", 1, "of slips, chatter and draws")
	fs.IntVar(&o.intents, "intents", 150, "speed: made-up intents, at most 150")
	fs.IntVar(&o.examples, "examples", 100, "speed: made-up messages of each")
	fs.IntVar(&o.starts, "starts", 20, "speed: starts of the agent, trained and from the cache")
	return fs
}

// learning returns how classifiers are trained, as the program does.
func (o *options) learning(cache cascade.Cache) (*cascade.Options, error) {
	s := settings.Default().Classifier
	s.Encoder = o.encoder
	return build.Learning(s, cache, 0)
}

// files reads the files to train on and to measure on.
func (o *options) files() (train, test []eval.Row, err error) {
	if train, err = readRows(o.train); err != nil {
		return nil, nil, err
	}
	test, err = readRows(o.test)
	return train, test, err
}

func readRows(path string) ([]eval.Row, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	defer file.Close()
	return eval.ReadRows(path, file)
}

// inScope returns the rows that are about something.
func inScope(rows []eval.Row) []eval.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r eval.Row) bool { return r.Intent == eval.OutOfScope })
}

// measureNoise measures messages with slips and chatter, or a training on few examples.
func (o *options) measureNoise(ctx context.Context) (any, error) {
	train, test, err := o.files()
	if err != nil {
		return nil, err
	}
	learn, err := o.learning(nil)
	if err != nil {
		return nil, err
	}
	o.noise.seed = o.seed
	opts := &eval.Options{Cascade: learn, IntentsOnly: !o.spans, Folds: o.folds}
	return eval.Split(ctx, shots(inScope(train), o.shots, o.seed), o.noise.on(test), opts)
}

// measureSmall draws small agents and tells what their classifiers begin, offer and refuse.
func (o *options) measureSmall(ctx context.Context) (any, error) {
	train, test, err := o.files()
	if err != nil {
		return nil, err
	}
	learn, err := o.learning(nil)
	if err != nil {
		return nil, err
	}
	o.noise.seed = o.seed
	return small(ctx, train, test, smallOptions{agents: o.agents, shots: o.shots, noise: o.noise, seed: o.seed, cascade: learn})
}

// measureNear draws small agents and tells what the dialogue does with what they do not serve.
func (o *options) measureNear(ctx context.Context) (any, error) {
	train, test, err := o.files()
	if err != nil {
		return nil, err
	}
	if o.far != "" {
		more, err := readRows(o.far)
		if err != nil {
			return nil, err
		}
		test = append(test, slices.DeleteFunc(more, func(r eval.Row) bool { return r.Intent != eval.OutOfScope })...)
	}
	learn, err := o.learning(nil)
	if err != nil {
		return nil, err
	}
	return near(ctx, train, test, nearOptions{Draws: o.agents, Examples: o.shots, Listed: o.listed, Seed: o.seed, Cascade: learn, Take: takeFirst})
}

// takeFirst lets an agent take a first message without calling anything.
func takeFirst(ctx context.Context, agent *config.Agent, c classifier.Classifier, text string) (taken, error) {
	b, err := router.Preview(ctx, agent, c, text, build.Now())
	return taken{Intent: b.Intent, Offered: b.Offered}, err
}

// measureServed asks an agent, as it is, about the messages of a file.
func (o *options) measureServed(ctx context.Context) (any, error) {
	agent, err := config.Load(o.agent)
	if err != nil {
		return nil, err
	}
	test, err := readRows(o.test)
	if err != nil {
		return nil, err
	}
	learn, err := o.learning(nil)
	if err != nil {
		return nil, err
	}
	o.noise.seed = o.seed
	return served(ctx, agent, o.noise.on(test), learn)
}

// measureActs measures the model of what clauses do.
func (o *options) measureActs(context.Context) (any, error) {
	lines, err := actcases.Lines()
	if o.cases != "" {
		file, openErr := os.Open(o.cases)
		if openErr != nil {
			return nil, fmt.Errorf("read cases: %w", openErr)
		}
		defer file.Close()
		lines, err = acts.ReadLines(o.cases, file)
	}
	if err != nil {
		return nil, err
	}
	return actcases.Measure(lines, acts.Of), nil
}

// measurePerturbed measures the recognisers on cases of theirs in other words.
func (o *options) measurePerturbed(context.Context) (any, error) {
	file, err := os.Open(o.cases)
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	defer file.Close()
	cases, err := entities.Read(o.cases, file)
	if err != nil {
		return nil, err
	}
	return entities.Measure(perturb.Cases(cases, o.variants, o.seed)), nil
}
