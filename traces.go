package slotway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/internal/build"
)

// flushTime is how long the end of the process waits for the collector.
const flushTime = 5 * time.Second

// traces connects a collector, and disconnects it when the runtime closes.
func (a *Runtime) traces(ctx context.Context, endpoint string) (TraceSink, error) {
	if a.opts.Traces == nil {
		return nil, errors.New("telemetry.otlp_endpoint is set, but this program exports no traces: give Options.Traces an exporter, such as traces.Open")
	}
	t, err := a.opts.Traces(ctx, TraceOptions{Endpoint: endpoint, Version: build.ReadInfo().Version, AgentID: a.agent.ID, Failed: a.sink})
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
