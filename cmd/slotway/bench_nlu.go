package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
)

// benchNLU configures `bench nlu`.
type benchNLU struct {
	intents, examples int
	train             string
	starts            int
	json              bool
}

func newBenchNLU(f *flags) *cobra.Command {
	var b benchNLU
	cmd := &cobra.Command{
		Use: "nlu",
		Example: `  slotway bench nlu
  slotway bench nlu --intents 20 --examples 15`,
		Short: "Measure the speed and size of understanding at 150 intents",
		Long: `Measure the speed and size of understanding. The messages are made up (150 intents, 100
examples each, with slots), or of a file as "eval nlu" takes it; nine tenths train the
model, the others are timed, one after the other. Accuracy on made-up messages says
nothing and is not printed; "eval nlu" measures it.

"p50_us" and "allocs" are of a whole message with params, "intent_p50_us" of one without
params, "rank_p50_us" of ranking its intents alone. "start_ms" is the median of loading
the agent (--agent, or the embedded one) and training its classifier, "cached_start_ms"
that of reading it from the cache.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := b.run(cmd, f)
			if err != nil {
				return err
			}
			return output(cmd, b.json, r, printBenchNLU)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&b.intents, "intents", 150, "made-up intents, at most 150")
	fl.IntVar(&b.examples, "examples", 100, "made-up messages of each")
	fl.StringVar(&b.train, "train", "", "file of messages to use instead")
	fl.IntVar(&b.starts, "starts", 20, "starts of the agent, trained and from the cache")
	fl.BoolVar(&b.json, "json", false, "one JSON object")
	return cmd
}

// benchNLUResult is the result of `bench nlu`. Times are wall-clock unless they say CPU.
type benchNLUResult struct {
	Intents        int     `json:"intents"`
	Examples       int     `json:"examples"`
	Messages       int     `json:"messages"`      // timed
	P50            float64 `json:"p50_us"`        // of a message with params
	P99            float64 `json:"p99_us"`        //
	Allocs         float64 `json:"allocs"`        // objects
	IntentP50      float64 `json:"intent_p50_us"` // of a message without params
	IntentP99      float64 `json:"intent_p99_us"` //
	IntentAllocs   float64 `json:"intent_allocs"` //
	RankP50        float64 `json:"rank_p50_us"`   // of ranking the intents alone
	RankP99        float64 `json:"rank_p99_us"`   //
	RankAllocs     float64 `json:"rank_allocs"`   //
	ModelBytes     int     `json:"model_bytes"`   // intents and params
	IntentBytes    int     `json:"intent_bytes"`
	TrainCPU       float64 `json:"train_cpu_s"` // intents and params
	IntentTrainCPU float64 `json:"intent_train_cpu_s"`
	StartMS        float64 `json:"start_ms"`       // of the agent: load and train
	StartTrainMS   float64 `json:"start_train_ms"` // of it, training
	CachedStartMS  float64 `json:"cached_start_ms"`
}

func (b *benchNLU) run(cmd *cobra.Command, f *flags) (*benchNLUResult, error) {
	if b.intents < 2 || b.intents > 150 || b.examples < 10 {
		return nil, usagef("--intents is from 2 to 150, --examples 10 or more")
	}
	if b.starts < 1 {
		return nil, usagef("--starts is %d: give 1 or more", b.starts)
	}
	rows := eval.Synthetic(b.intents, b.examples)
	if b.train != "" {
		var err error
		if rows, err = readRows(b.train); err != nil {
			return nil, err
		}
	}
	train, test, err := eval.Holdout(rows, 10)
	if err != nil {
		return nil, err
	}
	// Thresholds are not measured, so nothing is calibrated for them.
	test = slices.DeleteFunc(test, func(r eval.Row) bool { return r.Intent == eval.OutOfScope })
	bar := countBar(cmd, "training models", 5)
	defer bar.finish()
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	opts := &eval.Options{Cascade: learn, CPU: cpuTime, Step: func() { bar.add(1) }}
	whole, err := eval.Split(cmd.Context(), train, test, opts)
	if err != nil {
		return nil, err
	}
	opts.IntentsOnly = true
	intent, err := eval.Split(cmd.Context(), train, test, opts)
	if err != nil {
		return nil, err
	}
	r := &benchNLUResult{
		Intents: whole.Labels, Examples: whole.Examples, Messages: len(test),
		P50: whole.P50, P99: whole.P99, Allocs: whole.Allocs,
		IntentP50: intent.ClassifyP50, IntentP99: intent.ClassifyP99, IntentAllocs: intent.ClassifyAllocs,
		RankP50: intent.RankP50, RankP99: intent.RankP99, RankAllocs: intent.RankAllocs,
		ModelBytes: whole.ModelBytes, IntentBytes: intent.ModelBytes, TrainCPU: whole.TrainCPU, IntentTrainCPU: intent.TrainCPU,
	}
	if r.StartMS, r.StartTrainMS, err = b.start(f, nil); err != nil {
		return nil, err
	}
	if r.CachedStartMS, _, err = b.start(f, &build.SharedCache{}); err != nil {
		return nil, err
	}
	bar.add(1)
	return r, nil
}

// start loads and trains an agent repeatedly, or reads the model from the cache after the first time,
// and returns the medians in ms.
func (b *benchNLU) start(f *flags, cache cascade.Cache) (start, train float64, err error) {
	learn, err := f.learning(cache)
	if err != nil {
		return 0, 0, err
	}
	var whole, part []time.Duration
	for range b.starts {
		began := time.Now()
		var agent *config.Agent
		if agent, err = f.loadAgent(); err != nil {
			return 0, 0, err
		}
		loaded := time.Now()
		if _, err = cascade.New(agent, learn); err != nil {
			return 0, 0, fmt.Errorf("train the classifier: %w", err)
		}
		whole, part = append(whole, time.Since(began)), append(part, time.Since(loaded))
	}
	slices.Sort(whole)
	slices.Sort(part)
	return quantile(whole, 0.5) / 1e3, quantile(part, 0.5) / 1e3, nil
}

func printBenchNLU(out io.Writer, r *benchNLUResult) error {
	return printRows(out, [][2]string{
		{"measured", fmt.Sprintf("%d intents, %d examples, %d messages timed", r.Intents, r.Examples, r.Messages)},
		{"a message with params", fmt.Sprintf("%.1f µs (p50), %.1f µs (p99), %.2f allocations", r.P50, r.P99, r.Allocs)},
		{"a message without", fmt.Sprintf("%.1f µs (p50), %.1f µs (p99), %.2f allocations", r.IntentP50, r.IntentP99, r.IntentAllocs)},
		{"its intents alone", fmt.Sprintf("%.1f µs (p50), %.1f µs (p99), %.2f allocations", r.RankP50, r.RankP99, r.RankAllocs)},
		{"a model", fmt.Sprintf("%.2f MB (intents %.2f MB)", float64(r.ModelBytes)/1e6, float64(r.IntentBytes)/1e6)},
		{"a training", fmt.Sprintf("%.2f s of CPU (intents %.2f s)", r.TrainCPU, r.IntentTrainCPU)},
		{"the agent's start", fmt.Sprintf("%.1f ms (training %.1f ms), cached %.1f ms", r.StartMS, r.StartTrainMS, r.CachedStartMS)},
	})
}
