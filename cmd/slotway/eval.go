package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config/source"
)

// newEval measures what an agent understands and remembers.
func newEval(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "eval",
		Example: `  slotway eval nlu --agent agent.yaml --folds 5
  slotway eval nlu --train train.jsonl --test test.jsonl`,
		Short: "Measure what an agent understands and remembers",
	}
	return group(cmd, newEvalNLU(f), newEvalEntities(), newEvalRecall(f), newEvalSummary(f), newEvalDiff())
}

// newEvalNLU measures intents and params.
func newEvalNLU(f *flags) *cobra.Command {
	var e nluFlags
	cmd := &cobra.Command{
		Use: "nlu",
		Example: `  slotway eval nlu --agent agent.yaml --folds 5
  slotway eval nlu --train train.jsonl --test test.jsonl --json > after.json`,
		Short: "Measure the classifier: accuracy, confusions, thresholds, params, speed, size",
		Long: `Measure understanding, by the classifier that serves.

  eval nlu --train F --test F        train on one file, measure on another
  eval nlu --train F --folds K       cross-validate a file
  eval nlu [--folds K]               cross-validate the agent's own examples

A file has JSON lines {"text", "intent", "slots": [{"name", "start", "end", "value"}]};
offsets count code points, end exclusive. "asked" (or the first of "requested") names the
slot that the system has just asked for. Messages labelled oos are out of scope: they are
never trained on. Thresholds that give up at most 0.5, 1, 2 and 5 points of accuracy are
calibrated on folds of the training file and then applied to the test file: "oos" lists
what they refuse. Without --folds as many tenths of the training file are held out in turn
as give 3,000 messages.

Shares are fractions in [0,1]. "accuracy" counts the best intent of in-scope messages,
whatever its confidence; "at_threshold" only what is accepted. A span counts when its
slot, start and end are right. "p50_us", "p99_us" and "allocs" are of a whole message, from
text to result, and with --intents-only of ranking its intents; "classify_p50_us" and
"rank_p50_us" and their like give both in either case. Times are wall-clock; "train_cpu_s" is of all processors.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&e.train, "train", "", "file to train on (default: the agent's own examples)")
	fl.StringVar(&e.test, "test", "", "file to measure on (default: folds of the training file)")
	fl.IntVar(&e.folds, "folds", 0, "folds of cross-validation, or of calibration where there is a test file (default 10)")
	fl.BoolVar(&e.intentsOnly, "intents-only", false, "leave slots out: of the files, of the models and of the times")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	fl.StringVar(&e.html, "html", "", "also write a page with pictures to this file")
	return cmd
}

func (e *nluFlags) check() error {
	switch {
	case e.test != "" && e.train == "":
		return usagef("--test needs --train: the file to train on")
	case e.intentsOnly && e.train == "":
		return usagef("--intents-only needs --train: an agent is measured with its params")
	case e.folds < 0 || e.folds == 1:
		return usagef("--folds is %d: give 2 or more", e.folds)
	}
	return nil
}

// title describes what is measured.
func (e *nluFlags) title(f *flags) string {
	switch {
	case e.test != "":
		return fmt.Sprintf("%s, trained on %s", e.test, e.train)
	case e.train != "":
		return e.train
	}
	return nameOf(f.agent)
}

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

// newEvalEntities measures the recognisers of the built-in types.
func newEvalEntities() *cobra.Command {
	var paths []string
	var asJSON, missed bool
	cmd := &cobra.Command{
		Use:     "entities --cases F",
		Example: "  slotway eval entities --cases dates.jsonl --missed",
		Short:   "Measure how many cases of the recognisers get the expected spans and values",
		Long: `Run the recognisers of the built-in types over cases, which are JSON lines
{"type", "input", "reference_date", "expected": [{"start", "end", "type", "resolution"}]} in
the form of Microsoft's Recognizers-Text; offsets count code points, end exclusive.

Shares are fractions in [0,1] of the cases. "spans": the set of spans is the one expected.
"exact": so are the types, and for each span the set of all values that it may have: a
date that Microsoft resolves to last year's and this year's must be both here, too.
"value_among": of several expected values the one that a param would take need be only
one. Of phone numbers, e-mail addresses and URLs the span itself is the value; of money
the amount, the unit and, where the text says which, the ISO code. Times are found among
everything else, as an agent finds them, other types as if no other existed.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(paths) == 0 {
				return usagef("--cases is missing: a file of recogniser cases")
			}
			cases, err := readCases(paths)
			if err != nil {
				return err
			}
			f := entities.Measure(cases)
			if !missed {
				f.Missed = nil
			}
			return output(cmd, asJSON, f, printEntities)
		},
	}
	cmd.Flags().StringArrayVar(&paths, "cases", nil, "file of cases; may be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	cmd.Flags().BoolVar(&missed, "missed", false, "also print the cases that are not exact")
	return cmd
}

func readCases(paths []string) ([]entities.Case, error) {
	var all []entities.Case
	for _, path := range paths {
		file, err := source.OpenFile(path)
		if err != nil {
			return nil, fmt.Errorf("read cases: %w", err)
		}
		cases, err := entities.Read(path, file)
		if err := file.Close(); err != nil {
			return nil, fmt.Errorf("read cases: %w", err)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

func printEntities(out io.Writer, f *entities.Figures) error {
	w := newTable(out)
	fmt.Fprintln(w, "type\tcases\texact\tvalue among\tspans\tµs (p50)\tµs (p99)")
	row := func(name string, f entities.Figures) {
		fmt.Fprintf(w, "%s\t%d\t%.4f\t%.4f\t%.4f\t%.1f\t%.1f\n", name, f.Cases, f.Exact, f.ValueAmong, f.Spans, f.P50, f.P99)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Types)) {
		row(name, f.Types[name])
	}
	row("all", *f)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range f.Missed {
		fmt.Fprintf(out, "%s: %q\n  expected %s\n  found    %s\n", m.At, m.Input, strings.Join(m.Expected, "; "), strings.Join(m.Found, "; "))
	}
	return nil
}
