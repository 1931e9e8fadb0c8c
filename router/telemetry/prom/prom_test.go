package prom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var shop = Names{Intents: []string{"order_status", "cancel"}, Params: []string{"order_id"}, Tools: []string{"get_order"}}

// turn records payloads as the events of one turn, a second each.
func turn(m *Metrics, id string, payloads ...telemetry.Payload) {
	for i, p := range payloads {
		e := telemetry.Event{
			Time: noon.Add(time.Duration(i+1) * time.Second), Duration: time.Second,
			UserID: "ana", SessionID: "s", InteractionID: id, Payload: p,
		}
		if i == len(payloads)-1 {
			e.Path, e.Took = []string{"received"}, time.Duration(len(payloads))*time.Second
		}
		m.Record(e)
	}
}

// scraped are the program's own samples, without the buckets of histograms.
func scraped(t *testing.T, m *Metrics) string {
	t.Helper()
	var own []string
	for line := range strings.Lines(scrape(t, m)) {
		if strings.HasPrefix(line, namespace+"_") && !strings.Contains(line, "_bucket{") {
			own = append(own, strings.TrimSpace(strings.TrimPrefix(line, namespace+"_")))
		}
	}
	return strings.Join(own, "\n")
}

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(w.Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("scrape: %d, %v", w.Code, err)
	}
	return string(body)
}

func TestTurnsAreCounted(t *testing.T) {
	m := New(&Options{Names: shop, Version: "v1", Revision: "abc"})
	turn(
		m, "1", telemetry.Received{}, telemetry.Classify{Intent: "order_status", Tier: "linear", Fallback: "timeout"},
		telemetry.Plan{Step: "call"}, telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: "not_found"},
		telemetry.AskUser{Param: "order_id", Kind: "ask"}, telemetry.Respond{Outcome: "waiting"},
	)
	turn(m, "2", telemetry.Received{}, telemetry.Classify{}, telemetry.Respond{Outcome: "responded", Handoff: true})
	turn(m, "2", telemetry.Received{Replayed: true})
	turn(m, "3", telemetry.Received{}, telemetry.Confirm{Tool: "get_order"}, telemetry.Failure{Code: "generate_failed"}, telemetry.Failure{Code: "store"})
	m.Record(telemetry.Event{Payload: telemetry.Job{Kind: "index", Outcome: "done"}, Duration: time.Second})
	m.Record(telemetry.Event{Payload: telemetry.Failure{Code: "panic", Stage: "httpapi"}})
	m.HTTP("/chat", "POST", 200, time.Second)
	m.InFlight(1)
	m.Limited("rate")
	want := `asks_total{kind="ask",param="order_id"} 1
build_info{revision="abc",version="v1"} 1
classify_tier_total{tier="linear"} 1
classify_tier_total{tier="none"} 1
confirms_total{tool="get_order"} 1
errors_total{code="generate_failed"} 1
errors_total{code="panic"} 1
errors_total{code="store"} 1
fallbacks_total{reason="generate"} 1
fallbacks_total{reason="out_of_scope"} 1
fallbacks_total{reason="timeout"} 1
handoffs_total 1
http_in_flight 1
http_limited_total{reason="rate"} 1
http_request_duration_seconds_sum{route="other"} 1
http_request_duration_seconds_count{route="other"} 1
http_requests_total{method="POST",route="other",status_class="2xx"} 1
intents_total{intent="none"} 1
intents_total{intent="order_status"} 1
job_duration_seconds_sum{kind="index"} 1
job_duration_seconds_count{kind="index"} 1
jobs_total{kind="index",outcome="done"} 1
replayed_total 1
stage_duration_seconds_sum{stage="ask_user"} 1
stage_duration_seconds_count{stage="ask_user"} 1
stage_duration_seconds_sum{stage="classify"} 2
stage_duration_seconds_count{stage="classify"} 2
stage_duration_seconds_sum{stage="confirm"} 1
stage_duration_seconds_count{stage="confirm"} 1
stage_duration_seconds_sum{stage="error"} 2
stage_duration_seconds_count{stage="error"} 2
stage_duration_seconds_sum{stage="plan"} 1
stage_duration_seconds_count{stage="plan"} 1
stage_duration_seconds_sum{stage="received"} 4
stage_duration_seconds_count{stage="received"} 4
stage_duration_seconds_sum{stage="respond"} 2
stage_duration_seconds_count{stage="respond"} 2
stage_duration_seconds_sum{stage="tool_call"} 1
stage_duration_seconds_count{stage="tool_call"} 1
tool_call_duration_seconds_sum{tool="get_order"} 1
tool_call_duration_seconds_count{tool="get_order"} 1
tool_calls_total{code="not_found",status="error",tool="get_order"} 1
turn_duration_seconds_sum 14
turn_duration_seconds_count 4
turns_total{outcome="error"} 1
turns_total{outcome="replayed"} 1
turns_total{outcome="responded"} 1
turns_total{outcome="waiting"} 1`
	if diff := cmp.Diff(want, scraped(t, m)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestTheProcessIsTold(t *testing.T) {
	text := scrape(t, New(nil))
	for _, name := range []string{"go_goroutines ", "process_cpu_seconds_total "} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
}

// TestSeriesAreBounded says a hundred thousand names that nobody defined, one of them a secret.
func TestSeriesAreBounded(t *testing.T) {
	const canary = "jane@example.org"
	m := New(&Options{Names: shop})
	m.Routes([]string{"/chat"})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		name := fmt.Sprintf("x%016x", random.Uint64())
		if i%100 == 0 {
			name = canary
		}
		for _, p := range hostile(name) {
			m.Record(telemetry.Event{
				Time: noon, UserID: name, SessionID: name, InteractionID: name, Payload: p, TraceParent: name,
				Path: []string{name}, Stage: telemetry.Stage(name),
			})
		}
		m.HTTP("/v1/sessions/"+name, name, i, 0)
		m.Limited(name)
		m.ObserveTier(name, 0, errors.New(name))
	}
	text := scrape(t, m)
	if strings.Contains(text, canary) {
		t.Error("a metric holds the canary")
	}
	if series := strings.Count(text, "\n"); series > 4000 { // measured: 3188; every name its own would be millions
		t.Errorf("%d lines", series)
	}
	for _, want := range []string{
		`turns_total{outcome="other"}`, `intents_total{intent="other"}`, `asks_total{kind="other",param="other"}`,
		`confirms_total{tool="other"}`, `stage_duration_seconds_count{stage="other"}`, `errors_total{code="other"}`,
		`tool_calls_total{code="other",status="other",tool="other"}`, `http_limited_total{reason="other"}`,
		`jobs_total{kind="other",outcome="other"}`, `memory_tier_total{outcome="error",tier="other"}`,
		`http_requests_total{method="other",route="other",status_class="2xx"}`, `classify_tier_total{tier="other"}`,
		`fallbacks_total{reason="other"}`,
	} {
		if !strings.Contains(text, "\n"+namespace+"_"+want+" ") {
			t.Errorf("no %s", want)
		}
	}
	var lines [2]int
	for i := range lines {
		for _, p := range hostile(fmt.Sprint("something_new", i)) {
			m.Record(telemetry.Event{InteractionID: "i", Payload: p, Path: []string{"idle"}})
		}
		lines[i] = strings.Count(scrape(t, m), "\n")
	}
	if lines[0] != lines[1] {
		t.Errorf("%d lines, and then %d", lines[0], lines[1])
	}
}

// hostile has the name wherever a payload can.
func hostile(name string) []telemetry.Payload {
	return []telemetry.Payload{
		telemetry.Received{WaitingForParam: name},
		telemetry.Classify{Intent: name, Lead: name, Tier: name, Fallback: name},
		telemetry.Plan{Step: name, StepID: name, Intent: name},
		telemetry.AskUser{Param: name, Kind: name, WaitingForParam: name},
		telemetry.Confirm{Tool: name, StepID: name},
		telemetry.ToolCall{Tool: name, Effect: name, Status: name, ErrorCode: name},
		telemetry.Respond{Outcome: name, WaitingForParam: name, Response: []string{name}},
		telemetry.Failure{Code: name, Stage: name, Message: telemetry.Scrub(name, nil)},
		telemetry.Job{Kind: name, Outcome: name},
	}
}

// TestKnownCodesAreNotCrowdedOut has a tool think up codes before a call runs out of time.
func TestKnownCodesAreNotCrowdedOut(t *testing.T) {
	m := New(&Options{Names: shop})
	for i := range 2 * maxCodes {
		turn(m, "1", telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: fmt.Sprint("e", i)})
	}
	turn(m, "2", telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: "timeout"})
	got := scraped(t, m)
	if !strings.Contains(got, `tool_calls_total{code="timeout",status="error",tool="get_order"} 1`) {
		t.Errorf("metrics:\n%s", got)
	}
	if n := strings.Count(got, "tool_calls_total"); n > maxCodes {
		t.Errorf("%d series of tool calls", n)
	}
}

func TestDefineAnew(t *testing.T) {
	m := New(&Options{Names: shop})
	say := func() {
		turn(m, "1", telemetry.Classify{Intent: "cancel"}, telemetry.Classify{Intent: "order_status"}, telemetry.Classify{Intent: "refund"})
	}
	intents := func() (lines []string) {
		for line := range strings.Lines(scraped(t, m)) {
			if strings.HasPrefix(line, "intents") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		return lines
	}
	say()
	want := []string{`intents_total{intent="cancel"} 1`, `intents_total{intent="order_status"} 1`, `intents_total{intent="other"} 1`}
	if diff := cmp.Diff(want, intents()); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	m.Define(Names{Intents: []string{"order_status", "refund"}})
	say()
	want = []string{`intents_total{intent="order_status"} 2`, `intents_total{intent="other"} 2`, `intents_total{intent="refund"} 1`}
	if diff := cmp.Diff(want, intents()); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
}

func TestNamesOf(t *testing.T) {
	agent, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	k := newKnown(NamesOf(agent))
	for _, c := range []struct {
		set  map[string]bool
		name string
	}{{k.intents, agent.Intents[0].ID}, {k.intents, "affirm"}, {k.params, "order_id"}, {k.tools, "find_orders"}} {
		if !c.set[c.name] {
			t.Errorf("%s is not known", c.name)
		}
	}
}

func TestFiguresOnDemand(t *testing.T) {
	fail := false
	m := New(&Options{
		Turns: func() (int, int) { return 3, 2 },
		Jobs: func(ctx context.Context) (int, int, error) {
			if _, limited := ctx.Deadline(); !limited {
				t.Error("no time limit")
			}
			if fail {
				return 0, 0, errors.New("store is gone")
			}
			return 5, 1, nil
		},
	})
	want := "jobs_dead 1\njobs_pending 5\n"
	both := "turns_running 3\nturns_waiting 2"
	if got := scraped(t, m); !strings.Contains(got, want) || !strings.Contains(got, both) {
		t.Errorf("metrics:\n%s", got)
	}
	fail = true
	if got := scraped(t, m); strings.Contains(got, "jobs_pending") || !strings.Contains(got, both) {
		t.Errorf("metrics while the store is gone:\n%s", got)
	}
}

func TestTiersAreCounted(t *testing.T) {
	m := New(nil)
	plain, worker := Tier(tier{name: "window"}, m), Tier(busy{tier{name: "recall", err: errors.New("gone")}}, m)
	if _, is := plain.(memory.Worker); is {
		t.Error("a tier without work has become a worker")
	}
	w, is := worker.(memory.Worker)
	if !is || w.Kind() != "index" {
		t.Error("a worker is none any more")
	}
	for _, t := range []memory.Tier{plain, worker, worker} {
		_ = t.Contribute(context.Background(), memory.Request{}, nil)
	}
	if err := worker.Contribute(t.Context(), memory.Request{}, nil); err == nil {
		t.Error("the error is lost")
	}
	got := scraped(t, m)
	for _, want := range []string{
		`memory_tier_total{outcome="ok",tier="window"} 1`, `memory_tier_total{outcome="error",tier="recall"} 3`,
		`memory_tier_duration_seconds_count{tier="recall"} 3`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

type tier struct {
	name string
	err  error
}

func (t tier) Name() string { return t.name }

func (t tier) Contribute(context.Context, memory.Request, *memory.Context) error { return t.err }

type busy struct{ tier }

func (busy) Kind() string                           { return "index" }
func (busy) Wants(memory.Progress) bool             { return true }
func (busy) Work(context.Context, memory.Job) error { return nil }

func TestFromManyGoroutines(t *testing.T) {
	m := New(&Options{Names: shop})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 200 {
				turn(m, fmt.Sprint(i, j), telemetry.Received{}, telemetry.Classify{Intent: "cancel"}, telemetry.Respond{Outcome: "waiting"})
				if j%50 == 0 {
					m.Define(shop)
					scrape(t, m)
				}
			}
		})
	}
	all.Wait()
	if got := scraped(t, m); !strings.Contains(got, `turns_total{outcome="waiting"} 800`) {
		t.Errorf("metrics:\n%s", got)
	}
}

func BenchmarkRecord(b *testing.B) {
	for name, p := range map[string]telemetry.Payload{
		"received": telemetry.Received{}, "classify": telemetry.Classify{Intent: "cancel", Tier: "linear"},
		"plan": telemetry.Plan{Step: "ask"}, "ask_user": telemetry.AskUser{Param: "order_id", Kind: "ask"},
		"tool_call": telemetry.ToolCall{Tool: "get_order", Status: "error", ErrorCode: "timeout"},
		"respond":   telemetry.Respond{Outcome: "waiting"}, "job": telemetry.Job{Kind: "index", Outcome: "done"},
	} {
		b.Run(name, func(b *testing.B) {
			m := New(&Options{Names: shop})
			e := telemetry.Event{
				Time: noon, Duration: time.Millisecond, UserID: "ana", SessionID: "0d7c5a1e", InteractionID: "5f2b1c90", Payload: p,
			}
			if name == "respond" {
				e.Path = []string{"received", "waiting"}
			}
			b.ReportAllocs()
			for b.Loop() {
				m.Record(e)
			}
		})
	}
}

// A message that came too late is no turn that failed: nobody is to be woken for it.
func TestALateMessageIsNoFailure(t *testing.T) {
	m := New(nil)
	turn(m, "1", telemetry.Received{}, telemetry.Failure{Code: "moved_on", Stage: "received"})
	if got := scrape(t, m); !strings.Contains(got, `turns_total{outcome="moved_on"} 1`) || strings.Contains(got, `outcome="error"`) {
		t.Errorf("%s", got)
	}
}
