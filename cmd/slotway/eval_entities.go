package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config/source"
)

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
