package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config/source"
)

// nluFlags configure `eval nlu`.
type nluFlags struct {
	train, test string
	folds       int
	intentsOnly bool
	json        bool
	html        string
}

func (e *nluFlags) run(cmd *cobra.Command, f *flags) error {
	if err := e.check(); err != nil {
		return err
	}
	figures, err := e.measure(cmd, f)
	if err != nil {
		return err
	}
	if e.html != "" {
		if err := writeFile(e.html, func(w io.Writer) error { return eval.Report(w, figures, e.title(f)) }); err != nil {
			return err
		}
	}
	return output(cmd, e.json, figures, printFigures)
}

func (e *nluFlags) measure(cmd *cobra.Command, f *flags) (*eval.Figures, error) {
	var bar *bar
	defer func() { bar.finish() }()
	opts, err := e.options(cmd, f, &bar)
	if err != nil {
		return nil, err
	}
	return e.with(cmd.Context(), f, opts)
}

// options returns the options of the flags, with a progress bar.
func (e *nluFlags) options(cmd *cobra.Command, f *flags, b **bar) (*eval.Options, error) {
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	return &eval.Options{
		Cascade: learn, IntentsOnly: e.intentsOnly, Folds: e.folds, CPU: cpuTime,
		Begin: func(steps int) { *b = countBar(cmd, "training models", steps) },
		Step:  func() { (*b).add(1) },
	}, nil
}

func (e *nluFlags) with(ctx context.Context, f *flags, opts *eval.Options) (*eval.Figures, error) {
	if e.train == "" {
		agent, err := f.loadAgent()
		if err != nil {
			return nil, err
		}
		return eval.Agent(ctx, agent, opts)
	}
	train, err := readRows(e.train)
	if err != nil {
		return nil, err
	}
	if e.test == "" {
		return eval.Folds(ctx, train, opts)
	}
	test, err := readRows(e.test)
	if err != nil {
		return nil, err
	}
	return eval.Split(ctx, train, test, opts)
}

func readRows(path string) ([]eval.Row, error) {
	file, err := source.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	defer file.Close()
	return eval.ReadRows(path, file)
}

// Limits of the text on a terminal; the JSON and the page have everything.
const (
	shownPairs  = 8
	shownMissed = 20
)

func printFigures(out io.Writer, f *eval.Figures) error {
	w := newTable(out)
	how := "test file"
	if f.Folds > 0 {
		how = fmt.Sprintf("%d folds", f.Folds)
	}
	fmt.Fprintf(w, "measured\t%d messages and %d out of scope, %s; trained on %d examples of %d intents\n", f.Messages, f.OutOfScope, how, f.Examples, f.Labels)
	fmt.Fprintf(w, "accuracy\t%.4f (macro-F1 %.4f)\n", f.Accuracy, f.MacroF1)
	p := f.AtThreshold
	fmt.Fprintf(w, "at threshold %.2f\t%.4f in scope, %.4f accepted%s\n", p.Threshold, p.InScopeAccuracy, p.Coverage, refused(f, p))
	for _, s := range f.OOS {
		fmt.Fprintf(w, "loss of %.1f points\t%.4f in scope at threshold %.3f%s\n", 100*s.InScopeLoss, s.InScopeAccuracy, s.Threshold, refused(f, s.Point))
	}
	if f.SpanF1 != nil {
		fmt.Fprintf(w, "span F1\t%.4f (precision %.4f, recall %.4f)\n", *f.SpanF1, *f.SpanP, *f.SpanR)
	}
	fmt.Fprintf(w, "a message\t%.1f µs (p50), %.1f µs (p99), %.2f allocations\n", f.ClassifyP50, f.ClassifyP99, f.ClassifyAllocs)
	fmt.Fprintf(w, "its intents alone\t%.1f µs (p50), %.1f µs (p99), %.2f allocations\n", f.RankP50, f.RankP99, f.RankAllocs)
	fmt.Fprintf(w, "a model\t%.2f s of CPU to train, %d KB (intents %d KB)\n", f.TrainCPU, f.ModelBytes/1024, f.IntentSize/1024)
	for i, c := range f.Worst(shownPairs) {
		fmt.Fprintf(w, "%s\t%s / %s: %d one way, %d the other\n", head(i, "most confused"), c.A, c.B, c.AasB, c.BasA)
	}
	for i, m := range f.Missed[:min(shownMissed, len(f.Missed))] {
		fmt.Fprintf(w, "%s\t%s: %q is %s, taken for %s (%.2f)\n", head(i, "wrong"), m.At, m.Text, m.Intent, orNone(m.TakenFor), m.Confidence)
	}
	if more := len(f.Missed) - shownMissed; more > 0 {
		fmt.Fprintf(w, "\tand %d more; --json and --html have all\n", more)
	}
	return w.Flush()
}

// head names the first line of a list.
func head(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

func refused(f *eval.Figures, p eval.Point) string {
	if f.OutOfScope == 0 {
		return ""
	}
	return fmt.Sprintf("; of those out of scope %.4f refused (precision %.4f)", p.Recall, p.Precision)
}
