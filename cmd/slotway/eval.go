package main

import (
	"fmt"

	"github.com/spf13/cobra"
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
