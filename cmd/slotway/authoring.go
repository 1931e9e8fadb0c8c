package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/authoring"
)

// authoring returns the routes for authors of the agent of the flags, until ctx ends. edit lets them
// write examples into its file.
func (f *flags) authoring(ctx context.Context, edit bool, warnings io.Writer) ([]httpapi.Adapter, error) {
	table, err := build.WordVectors()
	if err != nil {
		return nil, fmt.Errorf("open the word vectors: %w", err)
	}
	label := &authoring.Label{
		Embedder: table,
		Classifier: func(_ context.Context, agent *config.Agent) (classifier.Classifier, error) {
			s, err := f.settings()
			if err != nil {
				return nil, err
			}
			return build.Classifier(agent, s, nil, build.ModelsIn(build.DataDir(s), warnings))
		},
	}
	o := authoring.Options{Context: ctx, Evaluate: f.evaluate, Label: label}
	if f.agent != "" {
		o.AgentFile = "../" + filepath.Base(f.agent) // tests lie in the folder tests beside it
	}
	if edit {
		label.File = f.agent
	}
	return []httpapi.Adapter{authoring.New(o)}, nil
}

// Sizes of an evaluation: enough folds for steady figures, few enough for a minute.
const (
	evaluateFolds = 5
	worstExamples = 100
)

// evaluate measures the examples of an agent by cross-validation.
func (f *flags) evaluate(ctx context.Context, agent *config.Agent, progress func(done, total int)) (*authoring.Evaluation, error) {
	learn, err := f.learning(nil)
	if err != nil {
		return nil, err
	}
	var total, done atomic.Int64
	figures, err := eval.Agent(ctx, agent, &eval.Options{
		Cascade: learn, IntentsOnly: true, Folds: evaluateFolds, CPU: cpuTime,
		Begin: func(steps int) { total.Store(int64(steps)) },
		Step:  func() { progress(int(done.Add(1)), int(total.Load())) },
	})
	if err != nil {
		return nil, err
	}
	return asEvaluation(figures, agent.Classifier.Threshold), nil
}

func asEvaluation(f *eval.Figures, threshold float64) *authoring.Evaluation {
	out := &authoring.Evaluation{
		Messages: f.Messages, Folds: f.Folds, Accuracy: f.Accuracy, MacroF1: f.MacroF1, Threshold: threshold,
		Curve: []authoring.ThresholdPoint{}, Intents: []authoring.IntentPoint{}, Confusion: []authoring.Confused{}, Worst: []authoring.Missed{},
	}
	for _, p := range f.Curve {
		out.Curve = append(out.Curve, authoring.ThresholdPoint{Threshold: p.Threshold, Right: p.InScopeAccuracy, Accepted: p.Coverage})
	}
	for _, in := range f.Intents {
		out.Intents = append(out.Intents, authoring.IntentPoint(in))
	}
	for _, c := range f.Confusion {
		out.Confusion = append(out.Confusion, authoring.Confused(c))
	}
	for _, m := range f.Missed {
		out.Worst = append(out.Worst, authoring.Missed{At: m.At, Text: m.Text, Intent: m.Intent, TakenFor: m.TakenFor, Confidence: m.Confidence})
	}
	slices.SortStableFunc(out.Worst, func(a, b authoring.Missed) int { return cmp.Compare(b.Confidence, a.Confidence) })
	out.Worst = out.Worst[:min(len(out.Worst), worstExamples)]
	return out
}
