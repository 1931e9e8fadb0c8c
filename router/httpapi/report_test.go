package httpapi

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/report"
)

// reportOf reads a report, which must hold no value.
func (w *fixture) reportOf(t *testing.T, query string) *report.Report {
	t.Helper()
	res := w.ask("GET", "/v1/report"+query, "", "X-Test-Scopes", "read")
	body := readAll(t, res)
	for _, canary := range canaries {
		if strings.Contains(string(body), canary) {
			t.Errorf("the report of %s has the value %s", w.as, canary)
		}
	}
	out := &report.Report{}
	if err := json.Unmarshal(body, out); err != nil || res.StatusCode != 200 {
		t.Fatalf("%d %s", res.StatusCode, body)
	}
	return out
}

// The report is of the caller's own sessions, and shows no value.
func TestReport(t *testing.T) {
	w := newFixture(t)
	w.api.opts.Memory.Reading = func(context.Context, *config.Agent) (report.Reading, error) {
		return report.Reading{Classifier: understands{}}, nil
	}
	w.finished(t, "one")
	w.say(t, "two", "badge please", canaryName, "no way "+canaryName, "hello there")
	r := w.reportOf(t, "")
	if r.Sessions != 2 || len(r.Tasks) == 0 || r.Tasks[0].Begun == 0 || r.Unanswered.Messages == 0 || len(r.Unanswered.Groups) == 0 {
		t.Errorf("%+v", r)
	}
	if r := w.reportOf(t, "?since=1h&groups=1"); len(r.Unanswered.Groups) != 1 {
		t.Errorf("%+v", r.Unanswered)
	}
	if r := w.reportOf(t, "?since=2020-01-01&until=2020-02-01"); r.Sessions != 0 || len(r.Tasks) != 0 {
		t.Errorf("%+v", r)
	}
	w.as = "bob"
	if r := w.reportOf(t, ""); r.Sessions != 0 || r.Turns != 0 || len(r.Tasks) != 0 || r.Unanswered.Messages != 0 {
		t.Errorf("of another user: %+v", r)
	}
}

// Without a classifier messages are counted and not shown.
func TestReportWithoutReading(t *testing.T) {
	w := newFixture(t)
	w.say(t, "s", "grok "+canaryName)
	if r := w.reportOf(t, ""); r.Unanswered.Messages != 1 || len(r.Unanswered.Groups) != 0 || !r.Unanswered.More {
		t.Errorf("%+v", r.Unanswered)
	}
}

func TestReportsThatCannotBeMade(t *testing.T) {
	w := newFixture(t)
	for _, query := range []string{"since=yesterday", "until=2020-01-01", "groups=0", "user=bob", "since=1h&since=2h", "since=2026-01-01&until=2026-01-01"} {
		wantProblem(t, w.ask("GET", "/v1/report?"+query, ""), 400, "bad_query")
	}
	wantProblem(t, w.ask("GET", "/v1/report", "", "X-Test-Scopes", "chat"), 403, "forbidden")
}
