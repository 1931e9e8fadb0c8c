package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
)

// adviceFlags configure `eval advice`.
type adviceFlags struct {
	train, test string
	folds       int
	shots       int
	plant       float64
	seed        uint64
	json        bool
}

// newEvalAdvice tells authors which examples would improve an agent.
func newEvalAdvice(f *flags) *cobra.Command {
	var e adviceFlags
	cmd := &cobra.Command{
		Use:     "advice [--train F]",
		Example: "  slotway eval advice --agent agent.yaml",
		Short:   "Advise on the examples: similar intents, wrong labels, what to write next",
		Long: `Advise the author of an agent on its examples. Each example is left out in turn and classified by
the others, which shows

  siblings   pairs of intents that are confused, both ways, with the sentences
  suspects   examples that are probably under the wrong intent
  repeated   examples that repeat another one
  carriers   examples without which others are not understood: write more of their kind
  needy      the intents that gain most from one more example, and their isolated examples
  forecast   the accuracy with twice the examples, from a curve through a quarter, a half and
             all of them, with bounds that hold for nine tenths of redrawn messages

  eval advice                             the agent's own examples
  eval advice --train F                   a file of messages, in the form of "eval nlu"
  eval advice --train F --test F --shots N
                                          forecast from N examples per intent the result of 2N,
                                          and measure it on the test file
  eval advice --train F --plant 0.02      put a share of the examples under a wrong intent,
                                          and count which of them are suspected

Shares are fractions in [0,1] of messages like the examples; those of real people are harder.
docs/howto/authoring.md has the measured quality of the advice.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&e.train, "train", "", "file of messages (default: the agent's own examples)")
	fl.StringVar(&e.test, "test", "", "file to measure a forecast on")
	fl.IntVar(&e.folds, "folds", 0, "parts that are left out in turn (default 10)")
	fl.IntVar(&e.shots, "shots", 0, "examples of each intent that are drawn (default: all)")
	fl.Float64Var(&e.plant, "plant", 0, "share of the examples that get a wrong intent")
	fl.Uint64Var(&e.seed, "seed", 1, "of draws")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	return cmd
}

func (e *adviceFlags) check() error {
	switch {
	case (e.test != "" || e.plant != 0 || e.shots != 0) && e.train == "":
		return usagef("--test, --plant and --shots need --train: a file of messages")
	case e.test != "" && e.shots < 1:
		return usagef("--test needs --shots: the examples of an intent to forecast from")
	case e.test != "" && e.plant != 0:
		return usagef("--test and --plant are two measurements: give one of them")
	case e.plant < 0 || e.plant >= 1:
		return usagef("--plant is %v: give a fraction below 1", e.plant)
	case e.folds < 0 || e.folds == 1:
		return usagef("--folds is %d: give 2 or more", e.folds)
	case e.shots < 0:
		return usagef("--shots is %d: give 1 or more", e.shots)
	}
	return nil
}

func (e *adviceFlags) run(cmd *cobra.Command, f *flags) error {
	if err := e.check(); err != nil {
		return err
	}
	found, err := e.measure(cmd, f)
	if err != nil {
		return err
	}
	return output(cmd, e.json, found, printAdviceResult)
}

// printAdviceResult writes whichever result the flags asked for.
func printAdviceResult(out io.Writer, found any) error {
	switch v := found.(type) {
	case *eval.Planted:
		return printPlanted(out, v)
	case *eval.Doubling:
		return printDoubling(out, v)
	case *eval.Advice:
		return printAdvice(out, v)
	}
	return nil
}

// measure does what the flags ask for.
func (e *adviceFlags) measure(cmd *cobra.Command, f *flags) (any, error) {
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	var b *bar
	defer func() { b.finish() }()
	opts := &eval.Options{
		Cascade: learn, Folds: e.folds, Shots: e.shots, Noise: eval.Noise{Seed: e.seed},
		Begin: func(steps int) { b.finish(); b = countBar(cmd, "training models", steps) },
		Step:  func() { b.add(1) },
	}
	ctx := cmd.Context()
	if e.train == "" {
		agent, err := f.loadAgent()
		if err != nil {
			return nil, err
		}
		return eval.Advise(ctx, agent, opts)
	}
	train, err := readRows(e.train)
	if err != nil {
		return nil, err
	}
	switch {
	case e.plant > 0:
		return eval.PlantedIn(ctx, train, e.plant, opts)
	case e.test == "":
		return eval.AdviseRows(ctx, train, opts)
	}
	test, err := readRows(e.test)
	if err != nil {
		return nil, err
	}
	return eval.DoublingOf(ctx, train, test, opts)
}

func printPlanted(out io.Writer, p *eval.Planted) error {
	_, err := fmt.Fprintf(out, "%d of %d examples got a wrong intent; %d were suspected, %d of them rightly: precision %.4f, recall %.4f (%d were suspected before)\n",
		p.Planted, p.Examples, p.Named, p.Found, p.Precision, p.Recall, p.Before)
	return err
}

func printDoubling(out io.Writer, d *eval.Doubling) error {
	if d.Forecast == nil {
		_, err := fmt.Fprintln(out, d.Unknown)
		return err
	}
	f := d.Forecast
	_, err := fmt.Fprintf(out, `examples of an intent  %d, doubled to %d
forecast error         %.4f, doubled %.4f (%.4f to %.4f): %.0f %% of the errors go (%.0f to %.0f)
measured error         %.4f, doubled %.4f: %.0f %% of the errors go
intents named first    gained %.1f points, the others %.1f
`, d.Shots, 2*d.Shots, f.Now, f.Doubled, f.Low, f.High, 100*f.Removed, 100*f.Least, 100*f.Most,
		d.Now, d.Doubled, 100*d.Removed, 100*d.Named, 100*d.Others)
	return err
}

// advise returns advice on the examples of a file, or of the embedded agent.
func (f *flags) advise(cmd *cobra.Command, path string) (*eval.Advice, error) {
	agent, _, err := examine(path)
	if err != nil {
		return nil, err
	}
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	var b *bar
	defer func() { b.finish() }()
	a, err := eval.Advise(cmd.Context(), agent, &eval.Options{
		Cascade: learn, Noise: eval.Noise{Seed: 1},
		Begin: func(steps int) { b = countBar(cmd, "training models", steps) },
		Step:  func() { b.add(1) },
	})
	if err != nil {
		return nil, fmt.Errorf("advise on the examples: %w", err)
	}
	return a, nil
}
