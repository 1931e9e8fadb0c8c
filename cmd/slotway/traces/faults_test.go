package traces

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/faulttest"
	"github.com/slotway/slotway/router/telemetry"
)

// TestCollectorFaults goes through every fault: turns go on, Close ends, and no spans are
// lost without a word; nothing that a collector answers is told.
func TestCollectorFaults(t *testing.T) {
	// Status 200 with an answer that the protocol allows is the collector's word that it has
	// the spans.
	taken := map[string]bool{"deep JSON": true, "HTML": true, "huge header": true}
	for _, f := range faulttest.Faults() {
		t.Run(f.Name, func(t *testing.T) {
			server := faulttest.Start(t, f, nil)
			var failed telemetry.Recorder
			traces := open(t, Options{Endpoint: server.URL, Timeout: faulttest.Short, Interval: time.Millisecond, Failed: &failed})
			play(traces, "i-1", "", telemetry.Received{}, telemetry.Respond{})
			ctx, cancel := context.WithTimeout(t.Context(), faulttest.Long)
			defer cancel()
			server.Check(t, traces.Close(ctx))
			if lost := traces.Lost() > 0; lost == taken[f.Name] {
				t.Errorf("%d spans are lost", traces.Lost())
			}
			for _, e := range failed.Events() {
				message := e.Payload.(telemetry.Failure).Message.String()
				server.Check(t, errors.New(message))
			}
			if told := len(failed.Events()) > 0; told == taken[f.Name] {
				t.Errorf("%d failures told", len(failed.Events()))
			}
		})
	}
}
