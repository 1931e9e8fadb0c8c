package traces

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/slotway/slotway/router/telemetry"
)

// sender is the exporter with a limit. It counts the waiting spans and keeps its failures from
// OpenTelemetry's global handler, which would print them.
type sender struct {
	next    trace.SpanExporter
	failed  telemetry.Sink
	once    sync.Once
	stopped chan struct{} // closed when the processor is done

	mu      sync.Mutex         // guards what follows
	aborted bool               // nothing is sent any more
	current context.CancelFunc // of the request under way

	waiting atomic.Int64  // spans that have ended and are not sent
	lost    atomic.Uint64 // spans
	told    atomic.Int64  // when a loss was last told, Unix nanoseconds
}

func newSender(next trace.SpanExporter, failed telemetry.Sink) *sender {
	return &sender{next: next, failed: failed, stopped: make(chan struct{})}
}

// ExportSpans implements trace.SpanExporter. Its error is always nil.
func (s *sender) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	if s.current = cancel; s.aborted {
		cancel()
	}
	s.mu.Unlock()
	err := s.next.ExportSpans(ctx, spans)
	s.waiting.Add(-int64(len(spans)))
	if err != nil {
		s.lose(len(spans))
	}
	return nil
}

// abort cancels the request under way, and every later one at once.
func (s *sender) abort() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aborted = true; s.current != nil {
		s.current()
	}
}

// Shutdown implements trace.SpanExporter.
func (s *sender) Shutdown(ctx context.Context) error {
	defer s.once.Do(func() { close(s.stopped) })
	return s.next.Shutdown(ctx)
}

// quiet is the time between two reports of losses.
const quiet = time.Minute

// lose counts spans that are not sent, and reports them now and then.
func (s *sender) lose(spans int) {
	s.lost.Add(uint64(spans))
	now := time.Now()
	last := s.told.Load()
	if now.UnixNano()-last < int64(quiet) || !s.told.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.failed.Record(telemetry.Event{
		Time: now, Level: telemetry.LevelWarn,
		Payload: telemetry.Failure{
			Code: "export_failed", Stage: "traces",
			Message: telemetry.Scrub(fmt.Sprintf("the trace collector does not keep up or is gone: %d spans are lost so far", s.lost.Load()), nil),
		},
	})
}
