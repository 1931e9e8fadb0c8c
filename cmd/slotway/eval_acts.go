package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config/source"
)

// newEvalActs measures the classification of acts.
func newEvalActs() *cobra.Command {
	var path string
	var asJSON, missed bool
	cmd := &cobra.Command{
		Use:     "acts [--cases F]",
		Example: "  slotway eval acts --missed",
		Short:   "Measure how well the acts of clauses are recognised: agree, refuse, ask, hold, correct ...",
		Long: `Measure the model that says what a clause does, on clauses that its training has not
seen. They ship with the binary; --cases names a file of others, one clause a line:

  ## yes                        the acts of the lines that follow; "none" for none
  sounds like a plan
  sure why not | yes question?  acts of its own; one with ? may be there or not

An act is there from a probability of one half. Shares are fractions in [0,1]. "macro_f1"
is the mean F1 of the acts that occur, "exact" the share of clauses all of whose acts are
right.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cases, err := readActCases(path)
			if err != nil {
				return err
			}
			f := eval.Acts(cases, acts.Of)
			if !missed {
				f.Missed = nil
			}
			return output(cmd, asJSON, f, printActs)
		},
	}
	cmd.Flags().StringVar(&path, "cases", "", "file of clauses (default: the built-in ones)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	cmd.Flags().BoolVar(&missed, "missed", false, "also print the clauses that are wrong")
	return cmd
}

func readActCases(path string) ([]acts.Line, error) {
	if path == "" {
		return eval.ActCases()
	}
	file, err := source.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	defer file.Close()
	lines, err := acts.ReadLines(path, file)
	if err != nil {
		return nil, fmt.Errorf("read clauses: %w", err)
	}
	return lines, nil
}

func printActs(out io.Writer, f *eval.ActFigures) error {
	w := newTable(out)
	fmt.Fprintln(w, "act\tclauses\tprecision\trecall\tF1")
	for _, name := range slices.Sorted(maps.Keys(f.ByAct)) {
		a := f.ByAct[name]
		fmt.Fprintf(w, "%s\t%d\t%.4f\t%.4f\t%.4f\n", name, a.Cases, a.Precision, a.Recall, a.F1)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d clauses, macro F1 %.4f, all acts right %.4f, p50 %.1f µs, p99 %.1f µs, model %d bytes\n", f.Cases, f.MacroF1, f.Exact, f.P50, f.P99, f.Bytes)
	for _, m := range f.Missed {
		fmt.Fprintf(out, "line %d: %q missing %s; extra %s\n", m.Line, m.Text, strings.Join(m.Missing, " "), strings.Join(m.Extra, " "))
	}
	return nil
}
