package eval

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/eval/internal/measure"
	"github.com/slotway/slotway/classifier/message"
)

// time measures single calls, one after the other, after the warm-up that predicting was.
func (f *Figures) time(ctx context.Context, j *judge, rows []Row, params bool) error {
	inputs := make([]classifier.Input, len(rows))
	for i := range rows {
		inputs[i] = input(&rows[i], params)
	}
	var err error
	f.ClassifyP50, f.ClassifyP99, f.ClassifyAllocs = measure.Time(inputs, func(in *classifier.Input) {
		if _, e := j.classifier.Classify(ctx, *in); e != nil {
			err = e
		}
	})
	if err != nil {
		return fmt.Errorf("time a message: %w", err)
	}
	ranked := make([]message.Score, 0, 8)
	f.RankP50, f.RankP99, f.RankAllocs = measure.Time(inputs, func(in *classifier.Input) {
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
