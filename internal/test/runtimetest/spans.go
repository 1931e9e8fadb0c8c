package runtimetest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"
)

// SpanCollector is an OpenTelemetry collector that keeps every text of every span.
type SpanCollector struct {
	t    testing.TB
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

// NewSpanCollector returns a collector for requests to the path of an OTLP endpoint.
func NewSpanCollector(t testing.TB) *SpanCollector { return &SpanCollector{t: t} }

// Text returns the texts of all spans so far.
func (s *SpanCollector) Text() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.text.Bytes())
}

// ServeHTTP implements http.Handler.
func (s *SpanCollector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := gzip.NewReader(r.Body)
	if err != nil {
		s.t.Error(err)
		return
	}
	data, err := io.ReadAll(body)
	if err != nil {
		s.t.Error(err)
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, resource := range request.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				s.text.WriteString(span.Name + "\n" + span.Status.GetMessage() + "\n")
				for _, a := range span.Attributes {
					s.keep(a.Value)
				}
				if len(span.Events)+len(span.Links) > 0 {
					s.t.Errorf("span %s has events or links", span.Name)
				}
			}
		}
	}
}

// keep keeps the texts of a value, without its numbers.
func (s *SpanCollector) keep(v *common.AnyValue) {
	s.text.WriteString(v.GetStringValue() + "\n")
	for _, one := range v.GetArrayValue().GetValues() {
		s.keep(one)
	}
}
