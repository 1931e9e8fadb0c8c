package traces

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	api "go.opentelemetry.io/otel/trace"

	"github.com/slotway/slotway/router/telemetry"
)

// service describes the process.
func service(opts *Options) []attribute.KeyValue {
	about := []attribute.KeyValue{semconv.ServiceName(opts.Service)}
	if opts.Version != "" {
		about = append(about, semconv.ServiceVersion(opts.Version))
	}
	return about
}

// build makes spans of finished turns until the channel is closed.
func (t *Traces) build() {
	for events := range t.ready {
		if t.sender.waiting.Load()+int64(len(events))+1 > int64(t.opts.Queue) {
			t.sender.lose(len(events) + 1) // a whole turn: half a trace misleads
			continue
		}
		if job, ok := events[0].Payload.(telemetry.Job); ok {
			t.job(&events[0], job)
			continue
		}
		t.turn(events)
	}
}

// turn makes the spans of a turn. The last event of the turn is the last of events.
func (t *Traces) turn(events []telemetry.Event) {
	last := &events[len(events)-1]
	ctx := context.Background()
	if last.TraceParent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": last.TraceParent})
	}
	ctx, root := t.tracer.Start(ctx, named("invoke_agent", t.opts.AgentName), api.WithTimestamp(began(&events[0])))
	if !root.IsRecording() {
		return // not sampled
	}
	for i := range events {
		t.stage(ctx, &events[i])
	}
	root.SetAttributes(t.about(events)...)
	if f, ok := last.Payload.(telemetry.Failure); ok {
		fail(root, f.Code)
	}
	t.end(root, last.Time)
}

// about returns the attributes of a turn's span.
func (t *Traces) about(events []telemetry.Event) []attribute.KeyValue {
	last := &events[len(events)-1]
	all := attributes{
		semconv.GenAIOperationNameInvokeAgent, semconv.GenAIProviderNameKey.String("slotway"),
		semconv.GenAIConversationID(last.SessionID),
		attribute.Int64("slotway.turn", last.Turn), attribute.StringSlice("slotway.path", last.Path),
	}
	all.name(semconv.GenAIAgentIDKey, t.opts.AgentID)
	all.name(semconv.GenAIAgentNameKey, t.opts.AgentName)
	all.name("slotway.interaction_id", last.InteractionID)
	for i := range events {
		switch p := events[i].Payload.(type) {
		case telemetry.Received:
			all.flag("slotway.replayed", p.Replayed)
			all.name("slotway.hand_over", telemetry.Code(p.HandOver))
		case telemetry.Classify:
			all.name("slotway.intent", p.Intent)
		case telemetry.Respond:
			all.name("slotway.outcome", p.Outcome)
			all.name("slotway.waiting_for_param", p.WaitingForParam)
			all.flag("slotway.handoff", p.Handoff)
		}
	}
	return all
}

// stage makes the span of one stage.
func (t *Traces) stage(ctx context.Context, e *telemetry.Event) {
	name := string(e.Stage)
	if e.Stage == "" {
		name = string(telemetry.StageOf(e.Payload))
	}
	call, isCall := e.Payload.(telemetry.ToolCall)
	if isCall {
		name = named("execute_tool", call.Tool)
	}
	_, span := t.tracer.Start(ctx, name, api.WithTimestamp(began(e)), api.WithAttributes(told(e.Payload)...))
	if isCall && call.ErrorCode != "" {
		fail(span, call.ErrorCode)
	}
	if f, ok := e.Payload.(telemetry.Failure); ok {
		fail(span, f.Code)
	}
	t.end(span, e.Time)
}

// told returns the attributes of a stage's span: names, codes and counts.
func told(payload telemetry.Payload) []attribute.KeyValue {
	var all attributes
	switch p := payload.(type) {
	case telemetry.Received:
		all.name("slotway.waiting_for_param", p.WaitingForParam)
		all = append(all, attribute.Int64("slotway.history_count", p.Memory.HistoryCount), attribute.Int("slotway.text_length", p.TextLength))
	case telemetry.Classify:
		all.name("slotway.intent", p.Intent)
		all.name("slotway.tier", p.Tier)
		all.name("slotway.fallback", telemetry.Code(p.Fallback))
		all = append(all, attribute.Float64("slotway.confidence", p.Confidence), attribute.Int("slotway.params", len(p.Params)), attribute.Int("slotway.unheard", p.Unheard))
		if len(p.Chosen) > 0 {
			all.name("slotway.rule", p.Chosen[0].Rule)
		}
	case telemetry.Plan:
		all.name("slotway.step", p.Step)
		all.name("slotway.step_id", p.StepID)
		all.name("slotway.intent", p.Intent)
	case telemetry.AskUser:
		all.name("slotway.param", p.Param)
		all.name("slotway.kind", p.Kind)
		all = append(all, attribute.Int("slotway.attempt", p.Attempt))
	case telemetry.Confirm:
		all.name(semconv.GenAIToolNameKey, p.Tool)
		all = append(all, attribute.Int("slotway.attempt", p.Attempt))
	case telemetry.ToolCall:
		all = append(all, semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(p.Tool), attribute.Int("slotway.attempts", p.Attempts))
		all.name("slotway.effect", p.Effect)
		all.name("slotway.status", p.Status)
	case telemetry.Respond:
		all.name("slotway.outcome", p.Outcome)
		all = append(all, attribute.StringSlice("slotway.response", p.Response), attribute.Int("slotway.steps", p.Steps))
	case telemetry.Failure:
		all.name("slotway.stage", p.Stage)
	}
	return all
}

// job makes the span of a background job.
func (t *Traces) job(e *telemetry.Event, p telemetry.Job) {
	all := attributes{attribute.Int("slotway.attempt", p.Attempt)}
	all.name("slotway.kind", p.Kind)
	all.name("slotway.outcome", telemetry.Code(p.Outcome))
	all.name(semconv.GenAIConversationIDKey, e.SessionID)
	_, span := t.tracer.Start(context.Background(), named("job", p.Kind), api.WithTimestamp(began(e)), api.WithAttributes(all...))
	if e.Level >= telemetry.LevelWarn {
		fail(span, p.Outcome)
	}
	t.end(span, e.Time)
}

// end ends a span, which then waits for the collector if it is sampled.
func (t *Traces) end(span api.Span, at time.Time) {
	if span.SpanContext().IsSampled() {
		t.sender.waiting.Add(1)
	}
	span.End(api.WithTimestamp(at))
}

// fail marks a span with an error code.
func fail(span api.Span, code string) {
	if code = telemetry.Code(code); code == "" {
		code = "other"
	}
	span.SetAttributes(semconv.ErrorTypeKey.String(code))
	span.SetStatus(codes.Error, code)
}

// began returns when the work of an event began.
func began(e *telemetry.Event) time.Time { return e.Time.Add(-max(0, e.Duration)) }

// named returns an operation and what it is about, if that has a name.
func named(operation, name string) string {
	if name == "" {
		return operation
	}
	return operation + " " + name
}

// attributes collects attributes and leaves out empty ones.
type attributes []attribute.KeyValue

func (a *attributes) name(key attribute.Key, value string) {
	if value != "" {
		*a = append(*a, key.String(value))
	}
}

func (a *attributes) flag(key attribute.Key, value bool) {
	if value {
		*a = append(*a, key.Bool(true))
	}
}
