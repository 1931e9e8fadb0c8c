package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"github.com/slotway/slotway/cmd/slotway/traces"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

// spans is a collector that keeps what it is told as text.
type spans struct {
	t    *testing.T
	mu   sync.Mutex   // guards text
	text bytes.Buffer // every text of every span
}

func (s *spans) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
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
					s.say(a.Value)
				}
				if len(span.Events)+len(span.Links) > 0 {
					s.t.Errorf("span %s has events or links", span.Name)
				}
			}
		}
	}
}

// say keeps the texts of a value; numbers may be anything.
func (s *spans) say(v *common.AnyValue) {
	s.text.WriteString(v.GetStringValue() + "\n")
	for _, one := range v.GetArrayValue().GetValues() {
		s.say(one)
	}
}

// labels are the labels of a scrape; the figures may be anything.
var labels = regexp.MustCompile(`\{[^}]*\}`)

// TestNoLabelAndNoSpanHoldsAValue plays conversations and looks for every value that was said,
// known, sent to a tool or returned by one in the metrics and the spans they leave.
func TestNoLabelAndNoSpanHoldsAValue(t *testing.T) {
	r := newReplayer(&flags{})
	for _, file := range replayFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			played, err := replay.Parse(file, data)
			if err != nil {
				t.Fatal(err)
			}
			c := played[0] // one of a file: they are of a kind
			c.Telemetry = ""
			agent, err := config.Default()
			if path := c.AgentPath(); path != "" {
				agent, err = config.Load(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			values, told := observe(t, r, c, agent)
			for _, leak := range leaks(told, values) {
				t.Errorf("%s: %s", c.Name, leak)
			}
		})
	}
}

// observe plays a conversation and returns its values, and all that metrics and spans tell.
func observe(t *testing.T, r *replayer, c replay.Conversation, agent *config.Agent) (values map[string]bool, told []byte) {
	t.Helper()
	kept := &spans{t: t}
	server := httptest.NewServer(kept)
	defer server.Close()
	metrics := prom.New(&prom.Options{Names: prom.NamesOf(agent)})
	traced, err := traces.New(t.Context(), traces.Options{Endpoint: server.URL, AgentID: agent.ID})
	if err != nil {
		t.Fatal(err)
	}
	s := &spy{values: map[string]bool{}, names: map[string]bool{"none": true}} // a label's word for no name
	replay.Run(t.Context(), c, s.watch(r.open), &replay.Options{Sink: telemetry.Multi(metrics, traced)})
	if err := traced.Close(t.Context()); err != nil {
		t.Error(err)
	}
	scrape := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(scrape, httptest.NewRequest("GET", "/metrics", nil))
	found := labels.FindAll(scrape.Body.Bytes(), -1)
	if kept.text.Len() == 0 || len(found) == 0 || len(s.values) == 0 {
		t.Errorf("%d bytes of spans, %d labels, %d values to look for", kept.text.Len(), len(found), len(s.values))
	}
	for name := range s.names {
		delete(s.values, name)
	}
	return s.values, append(kept.text.Bytes(), bytes.Join(found, []byte("\n"))...)
}
