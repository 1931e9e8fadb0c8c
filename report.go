package slotway

import (
	"context"
	"fmt"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/router/report"
)

// reading returns what reads texts of users for a report: the agent's classifier, without the model
// server, which a report over many messages would keep busy.
func (r *Runtime) reading(_ context.Context, agent *config.Agent) (report.Reading, error) {
	table, err := build.WordVectors()
	if err != nil {
		return report.Reading{}, fmt.Errorf("open the word vectors: %w", err)
	}
	r.reloading.Lock()
	now := r.current
	r.reloading.Unlock()
	if now.agent.Hash == agent.Hash && (r.shared.client == nil || r.opts.Classifier != nil) {
		return report.Reading{Classifier: now.classifier, Embedder: table}, nil
	}
	classes, err := build.Classifier(agent, r.settings, nil, r.opts.cache(r.settings))
	if err != nil {
		return report.Reading{}, err
	}
	return report.Reading{Classifier: classes, Embedder: table}, nil
}
