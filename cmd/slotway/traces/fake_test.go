package traces

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// fake is a collector that keeps what it is sent.
type fake struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex // guards what follows
	spans    []*otlp.Span
	resource []*common.KeyValue
	paths    []string
	headers  http.Header
	raw      []byte
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := gzip.NewReader(r.Body)
	if err != nil {
		f.t.Errorf("request: %v", err)
		return
	}
	data, err := io.ReadAll(body)
	if err != nil {
		f.t.Errorf("request: %v", err)
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		f.t.Errorf("request: %v", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw = append(f.raw, data...)
	f.paths, f.headers = append(f.paths, r.URL.Path), r.Header
	for _, resource := range request.ResourceSpans {
		f.resource = resource.Resource.Attributes
		for _, scope := range resource.ScopeSpans {
			f.spans = append(f.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// told renders what came: each root with its children below it, and of each what it says.
func (f *fake) told() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out strings.Builder
	local := map[string]bool{}
	for _, s := range f.spans {
		local[string(s.SpanId)] = true
	}
	for _, root := range f.spans {
		if local[string(root.ParentSpanId)] {
			continue
		}
		f.line(&out, "", root)
		for _, s := range f.spans {
			if string(s.ParentSpanId) == string(root.SpanId) {
				f.line(&out, "  ", s)
			}
		}
	}
	return out.String()
}

func (f *fake) line(out *strings.Builder, indent string, s *otlp.Span) {
	begin := time.Duration(s.StartTimeUnixNano - uint64(noon.UnixNano()))
	fmt.Fprintf(out, "%s%s %s+%s", indent, s.Name, begin, time.Duration(s.EndTimeUnixNano-s.StartTimeUnixNano))
	for _, a := range s.Attributes {
		fmt.Fprintf(out, " %s=%s", a.Key, value(a.Value))
	}
	if s.Status.GetCode() != 0 || s.Status.GetMessage() != "" {
		fmt.Fprintf(out, " status=%d:%s", s.Status.GetCode(), s.Status.GetMessage())
	}
	if len(s.Events)+len(s.Links) > 0 {
		fmt.Fprintf(out, " %d events %d links", len(s.Events), len(s.Links))
	}
	out.WriteByte('\n')
}

func value(v *common.AnyValue) string {
	switch v := v.Value.(type) {
	case *common.AnyValue_ArrayValue:
		var all []string
		for _, e := range v.ArrayValue.Values {
			all = append(all, value(e))
		}
		return strings.Join(all, ",")
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprint(v.DoubleValue)
	case *common.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	}
	return fmt.Sprintf("%T", v.Value)
}
