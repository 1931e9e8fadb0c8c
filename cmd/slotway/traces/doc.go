// Package traces tells turns to an OpenTelemetry collector as spans, over OTLP/HTTP.
//
// A turn is a span invoke_agent with one child for each of its stages; a tool's is
// execute_tool. The names and the gen_ai attributes are those of the semantic conventions for
// generative AI agents (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/);
// what they have no word for begins with slotway. A request that came with a traceparent header
// is the parent of its turn. A background job is a span of its own.
//
// Spans are made from telemetry events, which cannot hold a param value or a text, so spans
// cannot either. Of an error they tell the code, never the message.
//
// A turn hands its events over and goes on: what they become is made and sent by others. When
// the collector is slow or gone, a bounded number of spans waits and further turns are left
// out, whole, and counted ([Traces.Lost]).
//
// Of the environment, OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_TRACES_HEADERS are
// obeyed, which is how a collector's credentials are given, and for https the variables that
// name certificates; OTEL_RESOURCE_ATTRIBUTES adds to what is said of the process, and the
// usual proxy variables hold. Everything else is what [Options] say.
package traces
