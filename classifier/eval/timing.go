package eval

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
)

// leastTimed is how many calls the quantiles rest on; short files are gone through again.
const leastTimed = 2000

// time measures single calls, one after the other, after the warm-up that predicting was.
func (f *Figures) time(ctx context.Context, j *judge, rows []Row, params bool) error {
	inputs := make([]classifier.Input, len(rows))
	for i := range rows {
		inputs[i] = input(&rows[i], params)
	}
	var err error
	f.ClassifyP50, f.ClassifyP99, f.ClassifyAllocs = timed(inputs, func(in *classifier.Input) {
		if _, e := j.classifier.Classify(ctx, *in); e != nil {
			err = e
		}
	})
	if err != nil {
		return fmt.Errorf("time a message: %w", err)
	}
	ranked := make([]classifier.Score, 0, 8)
	f.RankP50, f.RankP99, f.RankAllocs = timed(inputs, func(in *classifier.Input) {
		ranked = j.classifier.Rank(in.Text, ranked[:0])
	})
	f.P50, f.P99, f.Allocs = f.ClassifyP50, f.ClassifyP99, f.ClassifyAllocs
	if !params {
		f.P50, f.P99, f.Allocs = f.RankP50, f.RankP99, f.RankAllocs
	}
	f.IntentSize, f.ModelBytes = j.classifier.Bytes()
	f.ModelBytes += f.IntentSize
	return nil
}

// timed calls do for each item in turn and returns the median and the 99th percentile in
// µs, and the objects that a call allocates.
func timed[T any](items []T, do func(*T)) (p50, p99, allocs float64) {
	if len(items) == 0 {
		return 0, 0, 0
	}
	rounds := (leastTimed + len(items) - 1) / len(items)
	took := make([]time.Duration, 0, rounds*len(items))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		for i := range items {
			start := time.Now()
			do(&items[i])
			took = append(took, time.Since(start))
		}
	}
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	at := func(p float64) float64 { return float64(took[int(p*float64(len(took)-1))].Nanoseconds()) / 1e3 }
	// Objects of other goroutines are counted too; a fraction of one is theirs.
	return at(0.5), at(0.99), float64(int(float64(after.Mallocs-before.Mallocs)/float64(len(took))*100)) / 100
}
