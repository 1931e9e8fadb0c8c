package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/router/report"
)

// talks are conversations with the embedded agent, each of which begins an hour after the one before.
// None is in a range that ends before its time.
var talks = []struct {
	user, session string
	said          []string
}{
	{"ann", "cancels", []string{"I want to check my order", "It's O-12345", "cancel it", "no wait, O-20038 instead", "yes"}},
	{"ann", "leaves", []string{"i want to return an order", "my aunt's teapot"}},
	{"ben", "asks", []string{"cancel order O-20075", "how much is shipping?", "cancel order O-12345", "how much is shipping?", "no"}},
	{"ben", "mumbles", []string{"blorg the fnord O-20149", "blorg that fnord O-20186", "talk to a human"}},
	{"ben", "waits", []string{"cancel my order", "O-20667"}},
}

var updateReport = flag.Bool("update-report", false, "write the expected report anew")

// The report of conversations with the embedded agent, as an operator sees it.
func TestReportOfTheEmbeddedAgent(t *testing.T) {
	var clock atomic.Int64 // jobs read it, too
	clock.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixNano())
	now := func() time.Time { return time.Unix(0, clock.Load()).UTC() }
	r := runtimetest.Open(t, runtimetest.Config{Set: []string{"telemetry.log=none"}, Options: slotway.Options{NoHTTP: true, Now: now}})
	for _, talk := range talks {
		clock.Add(int64(time.Hour))
		for _, text := range talk.said {
			clock.Add(int64(time.Minute))
			r.Say(talk.user, talk.session, text)
		}
	}
	clock.Add(int64(30 * time.Minute))
	table, err := build.WordVectors()
	if err != nil {
		t.Fatal(err)
	}
	agent := r.Router().Agent()
	classes, err := build.Classifier(agent, r.Settings(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.Collect(t.Context(), r.Store(), agent, report.Reading{Classifier: classes, Embedder: table},
		report.Query{Since: now().Add(-report.Usual), Now: now()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := printReport(&out, got); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "report.txt")
	if *updateReport {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{out.String(), string(data)} {
		for _, value := range []string{"12345", "20038", "20075", "20149", "20186", "20667"} {
			if strings.Contains(text, value) {
				t.Errorf("a report has the value %s:\n%s", value, text)
			}
		}
	}
}

// The command reads a store on its own, for one user or all, and refuses a range that is none.
func TestReportCommand(t *testing.T) {
	p := newBank(t)
	p.run(0, "freeze my card\nC-4321\n", "chat", "--session", "a", "--user", "ann")
	p.run(0, "freeze my card\n", "chat", "--session", "b", "--user", "ben")
	if got := p.run(0, "", "report"); !strings.Contains(got, "2 sessions, 3 turns") || strings.Contains(got, "4321") {
		t.Errorf("%s", got)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(p.run(0, "", "report", "--user", "ann", "--since", "1h", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Tasks) != 1 || r.Tasks[0].Intent != "freeze_card" || r.Tasks[0].Done != 1 || r.Tasks[0].Turns != 2 || r.Sessions != 1 {
		t.Errorf("%+v", r)
	}
	if got := p.run(0, "", "report", "--since", "2020-01-01", "--until", "2020-02-01"); !strings.Contains(got, "No task was begun.") {
		t.Errorf("%s", got)
	}
	for _, wrong := range [][]string{{"--since", "soon"}, {"--until", "2020-01-01"}, {"--groups", "0"}, {"ann"}} {
		p.run(2, "", append([]string{"report"}, wrong...)...)
	}
}
