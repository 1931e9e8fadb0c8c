package traces

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/propagation"
	api "go.opentelemetry.io/otel/trace"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/router/telemetry"
)

// TestParentsThatOpenTelemetryTakes are valid for telemetry.ValidTraceParent too: what that
// turns away would have been of no use. Of the right length, that is: OpenTelemetry takes a
// dash at the end of version 00, which the standard does not have.
func TestParentsThatOpenTelemetryTakes(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		header := []byte(parent)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			at := rapid.IntRange(0, len(header)-1).Draw(t, "at")
			header[at] = rapid.SampledFrom([]byte("0af-F1g\n ")).Draw(t, "byte")
		}
		carrier := propagation.MapCarrier{"traceparent": string(header)}
		found := api.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier)).IsValid()
		if found {
			taken++
		}
		if found && !telemetry.ValidTraceParent(string(header)) {
			t.Errorf("OpenTelemetry takes %q, telemetry does not", header)
		}
	})
	if taken == 0 {
		t.Error("none was taken: the test looks at nothing")
	}
}
