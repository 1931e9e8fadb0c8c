package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
)

// newEvalAgent measures what an agent does with messages that are not among its examples.
func newEvalAgent(f *flags) *cobra.Command {
	var e nluFlags
	cmd := &cobra.Command{
		Use:     "agent --test F",
		Example: "  slotway eval agent --agent agent.yaml --test test.jsonl",
		Short:   "Count what the agent does with the messages of a file: begins a task, offers two, refuses",
		Long: `Ask the agent, as it is, about the messages of a file, as "eval nlu" reads it, in any
language. "served" are the messages of its own intents, "near" those of intents that it does
not have, "far" those labelled oos. Shares are fractions in [0,1] of the messages of their
kind: "right" and "wrong" where a task is begun, "system" where a system intent is taken,
"offered" where the two best are asked about; what is left is refused. "first" is the share
whose best task is the right one, whatever comes of it.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.runAgent(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&e.test, "test", "", "file of messages")
	fl.IntVar(&e.noise.Edits, "edits", 0, "slips of the finger in each message that is measured")
	fl.Uint64Var(&e.noise.Seed, "seed", 1, "of the slips")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	return cmd
}

func (e *nluFlags) runAgent(cmd *cobra.Command, f *flags) error {
	if e.test == "" {
		return usagef("eval agent needs --test: a file of messages")
	}
	if e.noise.Edits < 0 {
		return usagef("--edits is %d: give 0 or more", e.noise.Edits)
	}
	var bar *bar
	defer func() { bar.finish() }()
	opts, err := e.options(cmd, f, &bar)
	if err != nil {
		return err
	}
	agent, err := f.loadAgent()
	if err != nil {
		return err
	}
	test, err := readRows(e.test)
	if err != nil {
		return err
	}
	figures, err := eval.Served(cmd.Context(), agent, test, opts)
	if err != nil {
		return err
	}
	return output(cmd, e.json, figures, printServed)
}

func printServed(out io.Writer, f *eval.ServedFigures) error {
	w := newTable(out)
	fmt.Fprintf(w, "language\t%s\n", f.Language)
	printOutcomes(w, f.Served, f.Near, f.Far)
	return w.Flush()
}

// printOutcomes prints the outcomes of messages, a line for each kind.
func printOutcomes(w io.Writer, served, near, far eval.SmallOutcome) {
	for _, row := range []struct {
		name string
		of   eval.SmallOutcome
	}{{"served", served}, {"near", near}, {"far", far}} {
		if s := row.of; s.Messages > 0 {
			fmt.Fprintf(w, "%s\t%d messages: %.4f acted on rightly, %.4f wrongly, %.4f by a system intent, %.4f offered two (%.4f the right one among them), %.4f refused, best task right %.4f\n",
				row.name, s.Messages, s.Right, s.Wrong, s.System, s.Offered, s.Helped, s.Refused(), s.First)
		}
	}
}
