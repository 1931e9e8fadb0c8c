package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config/source"
)

// newEvalDiff compares two results.
func newEvalDiff() *cobra.Command {
	var tolerance float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "diff A B",
		Example: "  slotway eval diff before.json after.json",
		Short:   "Compare two JSON results of eval; exit code 1 if understanding got worse",
		Long: `Set two JSON results of eval side by side: each figure before and after, and the F1 of
each intent and slot that changed. The exit code is 1 if accuracy, macro_f1, span_f1, exact
or spans fell by more than --tolerance, a fraction (0: by anything).`,
		Args: exactArgs(2, "two JSON files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tolerance < 0 || tolerance > 1 {
				return usagef("--tolerance is %v: give a fraction in [0,1]", tolerance)
			}
			before, err := source.ReadFile(args[0], maxResults)
			if err != nil {
				return fmt.Errorf("read a result: %w", err)
			}
			after, err := source.ReadFile(args[1], maxResults)
			if err != nil {
				return fmt.Errorf("read a result: %w", err)
			}
			c, err := eval.Compare(before, after, tolerance)
			if err != nil {
				return fmt.Errorf("compare %s with %s: %w", args[0], args[1], err)
			}
			if err := output(cmd, asJSON, c, printComparison); err != nil {
				return err
			}
			if c.Regressed {
				return &reported{}
			}
			return nil
		},
	}
	cmd.Flags().Float64Var(&tolerance, "tolerance", 0.005, "how much a figure may fall")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

// maxResults bounds a file of results, in bytes.
const maxResults = 64 << 20

// shownChanges bounds the list of intents on a terminal.
const shownChanges = 20

func printComparison(out io.Writer, c *eval.Comparison) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "figure\tbefore\tafter\tdifference\t ")
	list := func(changes []eval.Change) {
		for _, f := range changes[:min(len(changes), shownChanges)] {
			mark := " "
			if f.Worse {
				mark = "worse"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", f.Name, figureText(f.Before, false), figureText(f.After, false), figureText(f.Difference, true), mark)
		}
	}
	list(c.Figures)
	if len(c.Intents) > 0 {
		fmt.Fprintf(w, "F1 by intent (%d changed)\t\t\t\t\n", len(c.Intents))
		list(c.Intents)
	}
	if len(c.Slots) > 0 {
		fmt.Fprintf(w, "F1 by slot (%d changed)\t\t\t\t\n", len(c.Slots))
		list(c.Slots)
	}
	return w.Flush()
}

// figureText formats shares with four digits, and counts and bytes without.
func figureText(v *float64, signed bool) string {
	switch {
	case v == nil:
		return "-"
	case *v == float64(int64(*v)) && signed:
		return fmt.Sprintf("%+d", int64(*v))
	case *v == float64(int64(*v)):
		return fmt.Sprintf("%d", int64(*v))
	case signed:
		return fmt.Sprintf("%+.4f", *v)
	}
	return fmt.Sprintf("%.4f", *v)
}
