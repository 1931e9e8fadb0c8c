package slotway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/internal/build"
)

// flushTime limits the wait for the collector at the end of the process.
const flushTime = 5 * time.Second

// traces connects to a collector, and disconnects when the runtime closes.
func (r *Runtime) traces(ctx context.Context, endpoint string) (TraceSink, error) {
	if r.opts.Traces == nil {
		return nil, errors.New("telemetry.otlp_endpoint is set, but this program exports no traces: give Options.Traces an exporter, such as traces.Open")
	}
	t, err := r.opts.Traces(ctx, TraceOptions{Endpoint: endpoint, Version: build.ReadInfo().Version, AgentID: r.agent.ID, Failed: r.sink})
	if err != nil {
		return nil, fmt.Errorf("telemetry.otlp_endpoint: %w", err)
	}
	r.onClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		return t.Close(ctx)
	})
	return t, nil
}
