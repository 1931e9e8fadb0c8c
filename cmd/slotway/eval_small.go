package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
)

// smallAgents draws small agents and prints their outcomes.
func (e *nluFlags) smallAgents(cmd *cobra.Command, f *flags) error {
	var bar *bar
	defer func() { bar.finish() }()
	opts, err := e.options(cmd, f, &bar)
	if err != nil {
		return err
	}
	train, err := readRows(e.train)
	if err != nil {
		return err
	}
	test, err := readRows(e.test)
	if err != nil {
		return err
	}
	figures, err := eval.Small(cmd.Context(), train, test, e.small, opts)
	if err != nil {
		return err
	}
	return output(cmd, e.json, figures, printSmall)
}

func printSmall(out io.Writer, f *eval.SmallFigures) error {
	w := newTable(out)
	fmt.Fprintf(w, "measured\t%d agents of %d examples an intent\n", f.Agents, f.Shots)
	printOutcomes(w, f.Served, f.Near, f.Far)
	return w.Flush()
}
