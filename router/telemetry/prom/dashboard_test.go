package prom

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// full are metrics of which every family has a series.
func full() *Metrics {
	m := New(&Options{
		Names: shop, Turns: func() (int, int) { return 0, 0 },
		Jobs: func(context.Context) (int, int, error) { return 0, 0, nil }, Lost: func() uint64 { return 0 },
		Cache: func() memory.CacheHealth {
			return memory.CacheHealth{Operations: []memory.CacheOperation{{Operation: "load", Outcome: "hit"}}}
		},

		Durability: "disk",
	})
	turn(
		m, "1", telemetry.Received{}, telemetry.Classify{Fallback: "timeout"}, telemetry.AskUser{Kind: "ask"}, telemetry.Confirm{},
		telemetry.ToolCall{Status: "ok"}, telemetry.Failure{}, telemetry.Respond{Outcome: "waiting"},
	)
	m.Record(telemetry.Event{Payload: telemetry.Job{Kind: "index", Outcome: "done"}})
	m.HTTP("/chat", "POST", 200, 0)
	m.Limited("rate")
	m.ObserveTier("window", 0, errors.New("gone"))
	return m
}

// metrics maps the name of every sample to its labels, and the families to nothing.
func metrics(t *testing.T, m *Metrics) (samples map[string][]string, families []string) {
	t.Helper()
	gathered, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	samples = map[string][]string{}
	for _, f := range gathered {
		name := f.GetName()
		families = append(families, name)
		labels := []string{"job", "instance"} // which a scraper adds
		for _, l := range f.Metric[0].Label {
			labels = append(labels, l.GetName())
		}
		samples[name] = labels
		if f.Metric[0].Histogram != nil {
			delete(samples, name)
			samples[name+"_bucket"] = append(slices.Clone(labels), "le")
		}
		if f.Metric[0].Histogram != nil || f.Metric[0].Summary != nil {
			samples[name+"_sum"], samples[name+"_count"] = labels, labels
		}
	}
	return samples, families
}

var (
	metricForm = regexp.MustCompile(`\b((?:slotway|go|process)_[a-z0-9_]+)(\{[^}]*\})?`)
	labelForm  = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	byForm     = regexp.MustCompile(`\bby \(([^)]*)\)`)
)

// problems lists what an expression asks for that there is not, and notes what it shows.
func problems(expr string, samples map[string][]string, shown map[string]bool) (found []string) {
	var known []string
	uses := metricForm.FindAllStringSubmatch(expr, -1)
	if len(uses) == 0 {
		return []string{"asks for no metric"}
	}
	for _, use := range uses {
		labels, ok := samples[use[1]]
		if !ok {
			found = append(found, "no metric "+use[1])
			continue
		}
		for _, l := range labelForm.FindAllStringSubmatch(use[2], -1) {
			if !slices.Contains(labels, l[1]) {
				found = append(found, use[1]+" has no label "+l[1])
			}
		}
		known = append(known, labels...)
		shown[series(use[1], samples)] = true
	}
	for _, by := range byForm.FindAllStringSubmatch(expr, -1) {
		for l := range strings.SplitSeq(by[1], ",") {
			if !slices.Contains(known, strings.TrimSpace(l)) {
				found = append(found, "no label "+l)
			}
		}
	}
	return found
}

// series is the metric that a sample belongs to.
func series(sample string, samples map[string][]string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if name, cut := strings.CutSuffix(sample, suffix); cut && samples[name+"_count"] != nil {
			return name
		}
	}
	return sample
}

func TestTheDashboardShowsWhatThereIs(t *testing.T) {
	data, err := os.ReadFile("grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID          int
			Type, Title string
			GridPos     struct{ X, Y, W, H int }
			Targets     []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(data, &dashboard); err != nil {
		t.Fatal(err)
	}
	samples, families := metrics(t, full())
	shown, ids := map[string]bool{}, map[int]bool{}
	var rows []string
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %q: number %d is taken, or it stands beyond the edge", p.Title, p.ID)
		}
		ids[p.ID] = true
		if p.Type == "row" {
			rows = append(rows, p.Title)
			continue
		}
		if len(p.Targets) == 0 {
			t.Errorf("panel %q shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			for _, problem := range problems(target.Expr, samples, shown) {
				t.Errorf("panel %q: %s in %s", p.Title, problem, target.Expr)
			}
		}
	}
	want := []string{"Traffic", "Latency", "Understanding", "Tools", "Memory & jobs", "HTTP", "Process"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, f := range families {
		if strings.HasPrefix(f, namespace+"_") && !shown[f] {
			t.Errorf("no panel shows %s", f)
		}
	}
}

func TestTheAlertsAskForWhatThereIs(t *testing.T) {
	data, err := os.ReadFile("alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	samples, _ := metrics(t, full())
	exprs := regexp.MustCompile(`(?m)^\s+expr: (.*)$`).FindAllStringSubmatch(string(data), -1)
	if alerts := strings.Count(string(data), "- alert:"); alerts == 0 || alerts != len(exprs) {
		t.Errorf("%d alerts, %d expressions", alerts, len(exprs))
	}
	for _, e := range exprs {
		for _, problem := range problems(e[1], samples, map[string]bool{}) {
			t.Errorf("%s in %s", problem, e[1])
		}
	}
}

func TestProblemsAreFound(t *testing.T) {
	samples, _ := metrics(t, full())
	for expr, want := range map[string][]string{
		`rate(slotway_turns_total{outcome="error",job=~"$job"}[5m])`:              nil,
		`histogram_quantile(0.9, rate(slotway_turn_duration_seconds_bucket[5m]))`: nil,
		`sum by (le, stage) (slotway_stage_duration_seconds_bucket)`:              nil,
		`slotway_turn_duration_seconds`:                                           {"no metric slotway_turn_duration_seconds"},
		`slotway_turns`:                                                           {"no metric slotway_turns"},
		`slotway_turns_total{stage="plan"}`:                                       {"slotway_turns_total has no label stage"},
		`sum by (tool) (slotway_turns_total)`:                                     {"no label tool"},
		`up`:                                                                      {"asks for no metric"},
	} {
		if diff := cmp.Diff(want, problems(expr, samples, map[string]bool{})); diff != "" {
			t.Errorf("problems of %s (-want +got):\n%s", expr, diff)
		}
	}
}

// TestEveryFamilyIsSeen holds full to all that is registered, said or not.
func TestEveryFamilyIsSeen(t *testing.T) {
	_, families := metrics(t, full())
	descriptions := make(chan *prometheus.Desc, 1000)
	full().registry.Describe(descriptions)
	close(descriptions)
	seen := 0
	for d := range descriptions {
		name, _, _ := strings.Cut(strings.TrimPrefix(d.String(), `Desc{fqName: "`), `"`)
		if strings.HasPrefix(name, namespace+"_") {
			if seen++; !slices.Contains(families, name) {
				t.Errorf("%s is registered, but full says nothing of it", name)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d metrics are registered", seen)
	}
}
