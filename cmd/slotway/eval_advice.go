package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
)

// adviceFlags configure `eval advice`.
type adviceFlags struct {
	folds int
	json  bool
}

// newEvalAdvice tells authors which examples would improve an agent.
func newEvalAdvice(f *flags) *cobra.Command {
	var e adviceFlags
	cmd := &cobra.Command{
		Use:     "advice",
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

Shares are fractions in [0,1] of messages like the examples; those of real people are harder.
docs/howto/authoring.md has the measured quality of the advice.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, f) },
	}
	fl := cmd.Flags()
	fl.IntVar(&e.folds, "folds", 0, "parts that are left out in turn (default 10)")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	return cmd
}

func (e *adviceFlags) run(cmd *cobra.Command, f *flags) error {
	if e.folds < 0 || e.folds == 1 {
		return usagef("--folds is %d: give 2 or more", e.folds)
	}
	agent, err := f.loadAgent()
	if err != nil {
		return err
	}
	found, err := f.advise(cmd, agent, e.folds)
	if err != nil {
		return err
	}
	return output(cmd, e.json, found, printAdvice)
}

// advise returns advice on the examples of an agent; folds of 0 is the default.
func (f *flags) advise(cmd *cobra.Command, agent *config.Agent, folds int) (*eval.Advice, error) {
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	var b *bar
	defer func() { b.finish() }()
	a, err := eval.Advise(cmd.Context(), agent, &eval.Options{
		Cascade: learn, Folds: folds,
		Begin: func(steps int) { b = countBar(cmd, "training models", steps) },
		Step:  func() { b.add(1) },
	})
	if err != nil {
		return nil, fmt.Errorf("advise on the examples: %w", err)
	}
	return a, nil
}
