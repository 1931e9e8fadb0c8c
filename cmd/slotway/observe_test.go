package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/cmd/slotway/traces"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

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
	kept := runtimetest.NewSpanCollector(t)
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
	if len(kept.Text()) == 0 || len(found) == 0 || len(s.values) == 0 {
		t.Errorf("%d bytes of spans, %d labels, %d values to look for", len(kept.Text()), len(found), len(s.values))
	}
	for name := range s.names {
		delete(s.values, name)
	}
	return s.values, append(kept.Text(), bytes.Join(found, []byte("\n"))...)
}
