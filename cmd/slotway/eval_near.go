package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router"
)

// nearFlags configure `eval near`.
type nearFlags struct {
	train, test, far string
	draws, listed    int
	examples         int
	seed             uint64
	json             bool
}

// newEvalNear measures what small agents do with requests that they do not serve.
func newEvalNear(f *flags) *cobra.Command {
	var e nearFlags
	cmd := &cobra.Command{
		Use:     "near --train F --test F [--far F]",
		Example: "  slotway eval near --train train.jsonl --test test.jsonl",
		Short:   "Measure small agents: how often they act, rightly and wrongly",
		Long: `Measure small agents. From a file of examples, in the form of "eval nlu", it draws agents of 6 to 10
intents with 8 examples each, runs them with default settings, and sends each message of a test
file as a first message: messages of the agent's own intents ("acted_rightly", "acted_wrongly",
"offered": the agent asks back), of intents that it does not have ("near"), and those labelled
oos in the test file or in --far ("far"). With --not-served N each agent lists N other intents
under not_served: "listed" counts their messages, "answered" those that get that answer. "ece"
is the expected calibration error of the best task on served messages, and "buckets" are its
parts. The same seed draws the same agents.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&e.train, "train", "", "file to draw examples from")
	fl.StringVar(&e.test, "test", "", "file of messages")
	fl.StringVar(&e.far, "far", "", "file whose messages labelled oos are tried, too")
	fl.IntVar(&e.draws, "draws", 100, "agents")
	fl.IntVar(&e.listed, "not-served", 0, "intents that an agent lists as not served")
	fl.IntVar(&e.examples, "examples", 8, "examples of an intent")
	fl.Uint64Var(&e.seed, "seed", 1, "of the drawing")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	return cmd
}

func (e *nearFlags) run(cmd *cobra.Command, f *flags) error {
	switch {
	case e.train == "" || e.test == "":
		return usagef("eval near needs --train and --test: a file of examples and one of messages")
	case e.draws < 1 || e.examples < 1 || e.listed < 0:
		return usagef("--draws and --examples are 1 or more, --not-served is 0 or more")
	}
	train, err := readRows(e.train)
	if err != nil {
		return err
	}
	test, err := readRows(e.test)
	if err != nil {
		return err
	}
	if e.far != "" {
		more, err := readRows(e.far)
		if err != nil {
			return err
		}
		for _, r := range more {
			if r.Intent == eval.OutOfScope {
				test = append(test, r)
			}
		}
	}
	learn, err := f.learning(nil)
	if err != nil {
		return err
	}
	bar := countBar(cmd, "agents", e.draws)
	defer bar.finish()
	figures, err := eval.Near(cmd.Context(), train, test, eval.NearOptions{
		Draws: e.draws, Examples: e.examples, Listed: e.listed, Seed: e.seed, Cascade: learn, Step: func() { bar.add(1) }, Take: takeFirst,
	})
	if err != nil {
		return fmt.Errorf("measure small agents: %w", err)
	}
	return output(cmd, e.json, figures, printNear)
}

// takeFirst lets an agent take a first message without calling anything.
func takeFirst(ctx context.Context, agent *config.Agent, c classifier.Classifier, text string) (eval.Taken, error) {
	b, err := router.Preview(ctx, agent, c, text, build.Now())
	return eval.Taken{Intent: b.Intent, Offered: b.Offered}, err
}

func printNear(out io.Writer, f *eval.NearFigures) error {
	w := newTable(out)
	fmt.Fprintf(w, "measured\t%d agents, %d messages that they serve\n", f.Agents, f.Messages)
	fmt.Fprintf(w, "acted rightly\t%.4f (best task right %.4f)\n", f.Rightly, f.FirstGuess)
	fmt.Fprintf(w, "acted wrongly\t%.4f\n", f.Wrongly)
	fmt.Fprintf(w, "by the classifier alone\t%.4f acted on rightly, %.4f wrongly\n", f.RankedRightly, f.RankedWrongly)
	fmt.Fprintf(w, "asked back\t%.4f (the right task among those offered %.4f)\n", f.Offered, f.OfferedRight)
	for _, row := range []struct {
		name string
		is   *eval.Refused
	}{{"near, acted on", f.Near}, {"listed as not served, acted on", f.Listed}, {"far, acted on", f.Far}} {
		if row.is != nil {
			fmt.Fprintf(w, "%s\t%.4f of %d (by the classifier alone %.4f, asked back %.4f, told that it is not served %.4f)\n", row.name, row.is.Acted, row.is.Messages, row.is.Ranked, row.is.Offered, row.is.Answered)
		}
	}
	fmt.Fprintf(w, "calibration error\t%.4f\n", f.ECE)
	for _, b := range f.Buckets {
		if b.Messages > 0 {
			fmt.Fprintf(w, "\tsaid %.2f, right %.2f (%d messages)\n", b.Said, b.Right, b.Messages)
		}
	}
	return w.Flush()
}
