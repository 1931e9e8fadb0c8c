package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/scripts/lab/measure"
)

// speed is how fast understanding is, and how large. Times are wall-clock unless they say CPU.
type speed struct {
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

// measureSpeed trains on nine tenths of made-up messages, or of a file, and times the others, one
// after the other. Accuracy on made-up messages says nothing.
func (o *options) measureSpeed(ctx context.Context) (any, error) {
	if o.intents < 2 || o.intents > 150 || o.examples < 10 || o.starts < 1 {
		return nil, fmt.Errorf("%w; -intents is from 2 to 150, -examples 10 or more, -starts 1 or more", errUsage)
	}
	rows := synthetic(o.intents, o.examples)
	if o.train != "" {
		var err error
		if rows, err = readRows(o.train); err != nil {
			return nil, err
		}
	}
	train, test := holdout(inScope(rows), 10)
	learn, err := o.learning(nil)
	if err != nil {
		return nil, err
	}
	opts := &eval.Options{Cascade: learn, CPU: measure.CPU}
	whole, err := eval.Split(ctx, train, test, opts)
	if err != nil {
		return nil, err
	}
	opts.IntentsOnly = true
	intent, err := eval.Split(ctx, train, test, opts)
	if err != nil {
		return nil, err
	}
	r := &speed{
		Intents: whole.Labels, Examples: whole.Examples, Messages: len(test),
		P50: whole.P50, P99: whole.P99, Allocs: whole.Allocs,
		IntentP50: intent.ClassifyP50, IntentP99: intent.ClassifyP99, IntentAllocs: intent.ClassifyAllocs,
		RankP50: intent.RankP50, RankP99: intent.RankP99, RankAllocs: intent.RankAllocs,
		ModelBytes: whole.ModelBytes, IntentBytes: intent.ModelBytes, TrainCPU: whole.TrainCPU, IntentTrainCPU: intent.TrainCPU,
	}
	if r.StartMS, r.StartTrainMS, err = o.start(nil); err != nil {
		return nil, err
	}
	r.CachedStartMS, _, err = o.start(&build.SharedCache{})
	return r, err
}

// start loads and trains an agent repeatedly, or reads the model from the cache after the first time,
// and returns the medians in ms; 0 without an agent.
func (o *options) start(cache cascade.Cache) (start, train float64, err error) {
	if o.agent == "" {
		return 0, 0, nil
	}
	learn, err := o.learning(cache)
	if err != nil {
		return 0, 0, err
	}
	var whole, part []time.Duration
	for range o.starts {
		began := time.Now()
		agent, err := config.Load(o.agent)
		if err != nil {
			return 0, 0, err
		}
		loaded := time.Now()
		if _, err := cascade.New(agent, learn); err != nil {
			return 0, 0, errors.Join(fmt.Errorf("train the classifier of %s", o.agent), err)
		}
		whole, part = append(whole, time.Since(began)), append(part, time.Since(loaded))
	}
	return median(whole), median(part), nil
}

// median returns the median in ms.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1e3
}
