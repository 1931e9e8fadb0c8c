// Package traces exports turns to an OpenTelemetry collector as spans, over OTLP/HTTP.
//
// A turn is a span invoke_agent with one child for each of its stages; that of a tool call is
// execute_tool. The names and the gen_ai attributes follow the semantic conventions for generative AI
// agents (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/); all others begin
// with slotway. The traceparent header of a request is the parent of its turn. A background job is a
// span of its own.
//
// Spans are made of telemetry events, which cannot hold a param value or a text, so spans cannot
// either. Of an error they hold the code, never the message.
//
// A turn hands its events over and goes on; other goroutines build and send the spans. If the collector
// is slow or down, a bounded number of spans waits, and further turns are dropped, whole, and counted
// ([Traces.Lost]).
//
// The environment variables OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_TRACES_HEADERS, which
// carry a collector's credentials, are used, and for https those that name certificates; New fails for what
// is wrong in them.
// OTEL_RESOURCE_ATTRIBUTES adds attributes of the process, and the usual proxy variables apply.
// Everything else is set by [Options].
package traces
