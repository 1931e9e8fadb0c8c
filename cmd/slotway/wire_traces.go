package main

import (
	"context"
	"fmt"
	"time"

	"github.com/slotway/slotway/cmd/slotway/traces"
)

// flushTime is how long the end of the process waits for the collector.
const flushTime = 5 * time.Second

// traces connects a collector, and disconnects it with the app.
func (a *app) traces(ctx context.Context, endpoint, version string) (*traces.Traces, error) {
	t, err := traces.New(ctx, traces.Options{
		Endpoint: endpoint, Version: version, AgentID: a.agent.ID, Failed: a.sink,
	})
	if err != nil {
		return nil, fmt.Errorf("telemetry.otlp_endpoint: %w", err)
	}
	a.onClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		return t.Close(ctx)
	})
	return t, nil
}
